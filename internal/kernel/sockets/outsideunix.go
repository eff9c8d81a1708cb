package sockets

import (
	"fmt"
	"path"
	"slices"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A peer may be at a socket of the Unix domain, or know one of the process. The path is what the process calls it. There is no
// such file in the modelled machine, so who looks for it, and does not just connect, is refused.

// serves reports whether the process connects to a peer at a port.
func (p *Peer) serves() bool { return !p.Client && !p.UDP && p.Unix == "" }

// absolute returns what a name is called from the root.
func (k *Stack) absolute(name string) string {
	if !path.IsAbs(name) {
		name = k.files.Getcwd() + "/" + name
	}
	return path.Clean(name)
}

// knows reports whether a peer connects to sockets like one of the process.
func (k *Stack) knows(p *Peer, l *socket) bool {
	if l.domain == linux.AF_UNIX {
		return p.Client && p.Unix != "" && k.absolute(l.local.name) == path.Clean(p.Unix) && l.kind == linux.SOCK_STREAM
	}
	return p.Unix == ""
}

// atPath returns the peer at a path, unless the process itself has a socket there.
func (k *Stack) atPath(name string) (Peer, bool) {
	if name == "" || name[0] == 0 {
		return Peer{}, false
	}
	i := slices.IndexFunc(k.Peers, func(p Peer) bool { return !p.Client && p.Unix != "" && path.Clean(p.Unix) == k.absolute(name) })
	if i < 0 || slices.ContainsFunc(k.net.named, func(o *socket) bool { return o.domain == linux.AF_UNIX && o.held && o.local.name == name }) {
		return Peer{}, false
	}
	return k.Peers[i], true
}

// dialPath connects a socket to a peer of the Unix domain.
func (k *Stack) dialPath(s *socket, p Peer, to address) linux.Errno {
	switch {
	case s.kind != linux.SOCK_STREAM:
		return k.Refuse(fmt.Sprintf("packets and datagrams to %s, where a peer is", to.name))
	case s.state == stateOpen:
		return linux.EISCONN
	case s.state != stateClosed:
		return linux.EINVAL
	}
	if e := k.dial(s, p, 0); e != 0 {
		return e
	}
	s.remote, s.phase = to, phaseConnected
	k.net.add(k, s)
	return 0
}
