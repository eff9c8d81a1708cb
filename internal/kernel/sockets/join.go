package sockets

import (
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// Processes that run side by side have one network: what one listens at, the others can connect to.

// Join makes the process run beside another one.
func (k *Stack) Join(other *Stack) {
	k.net = other.net
	k.net.procs = append(k.net.procs, k)
}

// Ends notes that the process ends: who waits for it to listen need not wait any more.
func (k *Stack) Ends() {
	k.touchState()
	k.state.served = true
}

// Early reports whether a call of connect comes too early: nobody listens at the
// address, but a process that was named before this one, and is not of its kind, has
// not come to listen anywhere yet. Who starts a server and its clients waits in between,
// too.
func (k *Stack) Early(fd int, addr []byte) bool {
	s, _, e := k.socket(fd)
	if !k.Joined() || e != 0 || s.domain == linux.AF_UNIX || s.phase != phaseUnconnected {
		return false
	}
	to, e := decode(s.domain, addr)
	if e != 0 {
		return false
	}
	if to.ip.IsUnspecified() {
		to.ip = loopback4
	}
	if k.net.listener(to) != nil || s.kind == linux.SOCK_DGRAM && k.net.receiver(to, s.local) != nil {
		return false
	}
	for _, p := range k.net.procs[:k.Process] {
		if !p.state.served && p.Kind != k.Kind {
			return true
		}
	}
	return false
}

// ExitOwners is Owners for Exit: of the far ends of all connections that the process
// has. All is set if others may depend on that in other ways.
func (k *Stack) ExitOwners(list []process.Owner) (owners []process.Owner, all bool) {
	k.Each(func(_ int, d *process.Desc) {
		if f, ok := d.File.(*socket); ok {
			var more bool
			list, more = f.farOwners(k, list)
			all = all || more || f.state == stateListening || f.binds() // others may connect to it by its address, or bind to that
		}
	})
	return list, all
}
