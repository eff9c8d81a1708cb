package kernel

import "syscall"

// signals is what the process has arranged for signals, a bit each.
type signals struct {
	enabled, ignored, pending uint64
}

// signalKey is the key of waits for signals. Other keys count up from 1.
const signalKey = 1 << 62

// SignalKey is what a wait for the next signal is known by.
func (k *Kernel) SignalKey() uint64 { return signalKey }

// SignalEnable makes the process receive a signal (see SignalTake).
func (k *Kernel) SignalEnable(sig int) {
	k.touchSelf()
	k.self.signals.enabled |= bit(sig)
	k.self.signals.ignored &^= bit(sig)
}

// SignalDisable gives a signal its default effect back.
func (k *Kernel) SignalDisable(sig int) {
	k.touchSelf()
	k.self.signals.enabled &^= bit(sig)
	k.self.signals.ignored &^= bit(sig)
}

// SignalIgnore makes a signal have no effect.
func (k *Kernel) SignalIgnore(sig int) {
	k.touchSelf()
	k.self.signals.enabled &^= bit(sig)
	k.self.signals.ignored |= bit(sig)
}

// SignalIgnored reports whether a signal has no effect.
func (k *Kernel) SignalIgnored(sig int) bool { return k.self.signals.ignored&bit(sig) != 0 }

// SignalTake takes the lowest pending signal, 0 if there is none.
func (k *Kernel) SignalTake() int {
	for sig := 1; sig < 64; sig++ {
		if k.self.signals.pending&bit(sig) != 0 {
			k.touchSelf()
			k.self.signals.pending &^= bit(sig)
			return sig
		}
	}
	return 0
}

// SignalsPending reports whether SignalTake would find one.
func (k *Kernel) SignalsPending() bool { return k.self.signals.pending != 0 }

func bit(sig int) uint64 {
	if sig < 1 || sig > 63 {
		return 0
	}
	return 1 << sig
}

// Kill sends a signal to a process. The only one is the process itself; dies
// tells that the signal's effect is to end it.
func (k *Kernel) Kill(pid, sig int) (dies bool, e Errno) {
	switch {
	case sig < 0 || sig > 64:
		return false, syscall.EINVAL
	case pid != k.Pid && pid != 0 && pid != -k.Pid:
		return false, syscall.ESRCH
	case sig == 0:
		return false, 0
	}
	s := &k.self.signals
	switch b := bit(sig); {
	case syscall.Signal(sig) == syscall.SIGKILL:
		return true, 0
	case s.enabled&b != 0:
		k.touchSelf()
		s.pending |= b
		k.wake(signalKey)
		return false, 0
	case s.ignored&b != 0:
		return false, 0
	}
	switch syscall.Signal(sig) {
	case syscall.SIGCHLD, syscall.SIGURG, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGPIPE:
		return false, 0 // Go's runtime does nothing for these
	}
	return true, 0
}
