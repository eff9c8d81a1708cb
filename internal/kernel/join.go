package kernel

import "syscall"

// Processes that run side by side have descriptors, directories and files of
// their own, and one network: what one listens at, the others can connect to. They
// go back together.

// Join makes a process that has not begun run beside another one. The first one
// joins itself.
func (k *Kernel) Join(other *Kernel) {
	k.net, k.undoLog = other.net, other.undoLog
	k.net.procs = append(k.net.procs, k)
	k.joined = true
}

// Joined reports whether other processes run beside this one.
func (k *Kernel) Joined() bool { return k.joined }

// Early reports whether a call of connect comes too early: nobody listens at the
// address, but a process that was named before this one, and is not of its kind, has
// not come to listen anywhere yet. Who starts a server and its clients waits in between,
// too.
func (k *Kernel) Early(fd int, addr []byte) bool {
	s, _, e := k.socket(fd)
	if !k.joined || e != 0 || s.domain == syscall.AF_UNIX || s.phase != phaseUnconnected {
		return false
	}
	to, e := decode(s.domain, addr)
	if e != 0 {
		return false
	}
	if to.ip.IsUnspecified() {
		to.ip = loopback4
	}
	if k.net.listener(to) != nil || s.kind == syscall.SOCK_DGRAM && k.net.receiver(to, s.local) != nil {
		return false
	}
	for _, p := range k.net.procs[:k.Process] {
		if !p.self.served && p.Kind != k.Kind {
			return true
		}
	}
	return false
}

// Abroad returns the keys of waits that may be over in other processes than the
// one that moved, and forgets them.
func (k *Kernel) Abroad() []uint64 {
	keys := k.abroad
	k.abroad = k.abroad[:0]
	return keys
}

// ExitOwners is Owners for Exit: of the far ends of all connections that the process
// has. All is set if others may depend on that in other ways.
func (k *Kernel) ExitOwners(list []Owner) (owners []Owner, all bool) {
	k.self.fds.each(func(_ int, s *slot) {
		if f, ok := s.desc.file.(*socket); ok {
			var more bool
			list, more = f.farOwners(k, list)
			all = all || more || f.state == stateListening || f.binds() // others may connect to it by its address, or bind to that
		}
	})
	return list, all
}

// Exit closes what a process has left open when it ends.
func (k *Kernel) Exit() {
	k.touchSelf()
	k.self.served = true
	var open []int
	k.self.fds.each(func(fd int, _ *slot) { open = append(open, fd) })
	for _, fd := range open {
		k.Close(fd)
	}
}
