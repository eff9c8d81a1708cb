package kernel

import (
	"math/bits"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// signals is what the process has arranged for signals, a bit each, and how many may still come
// from outside.
type signals struct {
	epoch                           uint64
	enabled, ignored, pending, left uint64
}

// touchSignals prepares a change of it.
func (k *Kernel) touchSignals() { undo.Save(k.Log, &k.signals, &k.signals.epoch) }

// signalKey is the key of waits for signals. Other keys count up from 1.
const signalKey = 1 << 62

// SignalKey is what a wait for the next signal is known by.
func (k *Kernel) SignalKey() uint64 { return signalKey }

// LetArrive says how many signals may come from outside.
func (k *Kernel) LetArrive(n int) {
	k.touchSignals()
	k.signals.left = uint64(n)
}

// SignalEnable makes the process receive a signal (see SignalTake).
func (k *Kernel) SignalEnable(sig int) {
	k.touchSignals()
	k.signals.enabled |= bit(sig)
	k.signals.ignored &^= bit(sig)
	k.asked = max(k.asked, bits.OnesCount64(k.signals.enabled))
}

// SignalDisable gives a signal its default effect back.
func (k *Kernel) SignalDisable(sig int) {
	k.touchSignals()
	k.signals.enabled &^= bit(sig)
	k.signals.ignored &^= bit(sig)
}

// SignalIgnore makes a signal have no effect.
func (k *Kernel) SignalIgnore(sig int) {
	k.touchSignals()
	k.signals.enabled &^= bit(sig)
	k.signals.ignored |= bit(sig)
}

// SignalIgnored reports whether a signal has no effect.
func (k *Kernel) SignalIgnored(sig int) bool { return k.signals.ignored&bit(sig) != 0 }

// usual are the signals that come from outside to a process that has asked for all there are.
var usual = bitsOf(linux.SIGHUP, linux.SIGINT, linux.SIGQUIT, linux.SIGUSR1, linux.SIGUSR2, linux.SIGTERM)

// UsualSignals names them.
func UsualSignals() string {
	var list []string
	for _, sig := range signalsIn(usual) {
		list = append(list, linux.Signal(sig).String())
	}
	return strings.Join(list, ", ")
}

// many is how many signals a process asks for that does not name them.
const many = 32

// Arriving returns the signals that may come from outside now: those that the process has asked for,
// as long as some are left. Nobody can ask for SIGKILL and SIGSTOP. Of a process that asks for all, it
// returns the usual ones only.
func (k *Kernel) Arriving() []int { return signalsIn(k.arriving()) }

func (k *Kernel) arriving() uint64 {
	s := &k.signals
	if s.left == 0 {
		return 0
	}
	asked := s.enabled &^ bitsOf(linux.SIGKILL, linux.SIGSTOP)
	if bits.OnesCount64(asked) >= many {
		asked &= usual
	}
	return asked
}

// SignalsWanted reports whether a signal could be received, now or later, however many are left.
func (k *Kernel) SignalsWanted() bool { return k.signals.enabled|k.signals.pending != 0 }

// SignalWays returns in how many ways the next signal can be received: one that is pending, and each that
// may come from outside.
func (k *Kernel) SignalWays() int {
	n := bits.OnesCount64(k.arriving())
	if k.SignalsPending() {
		n++
	}
	return n
}

// SignalWay returns which signal is received in the n-th way, and whether it comes from outside.
func (k *Kernel) SignalWay(n int) (sig int, arrives bool) {
	if k.SignalsPending() {
		if n == 0 {
			return signalsIn(k.signals.pending)[0], false
		}
		n--
	}
	return k.Arriving()[n], true
}

// SignalReceive receives it.
func (k *Kernel) SignalReceive(n int) int {
	sig, arrives := k.SignalWay(n)
	if !arrives {
		return k.SignalTake()
	}
	k.touchSignals()
	k.signals.left--
	return sig
}

// SignalTake takes the lowest pending signal, 0 if there is none.
func (k *Kernel) SignalTake() int {
	list := signalsIn(k.signals.pending)
	if len(list) == 0 {
		return 0
	}
	k.touchSignals()
	k.signals.pending &^= bit(list[0])
	return list[0]
}

// SignalsPending reports whether SignalTake would find one.
func (k *Kernel) SignalsPending() bool { return k.signals.pending != 0 }

func bit(sig int) uint64 {
	if sig < 1 || sig > 64 {
		return 0
	}
	return 1 << (sig - 1)
}

func bitsOf(list ...linux.Signal) (set uint64) {
	for _, sig := range list {
		set |= bit(int(sig))
	}
	return set
}

// signalsIn lists the signals of a set.
func signalsIn(set uint64) (list []int) {
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set)+1)
	}
	return list
}

// Kill sends a signal to a process. The only one is the process itself; dies
// tells that the signal's effect is to end it.
func (k *Kernel) Kill(pid, sig int) (dies bool, e linux.Errno) {
	switch {
	case sig < 0 || sig > 64:
		return false, linux.EINVAL
	case pid != k.Pid && pid != 0 && pid != -k.Pid:
		return false, linux.ESRCH
	case sig == 0:
		return false, 0
	}
	s := &k.signals
	switch b := bit(sig); {
	case linux.Signal(sig) == linux.SIGKILL:
		return true, 0
	case s.enabled&b != 0:
		k.touchSignals()
		s.pending |= b
		k.Wake(signalKey)
		return false, 0
	case s.ignored&b != 0:
		return false, 0
	}
	switch linux.Signal(sig) {
	case linux.SIGCHLD, linux.SIGURG, linux.SIGWINCH, linux.SIGCONT, linux.SIGPIPE:
		return false, 0 // Go's runtime does nothing for these
	}
	return true, 0
}
