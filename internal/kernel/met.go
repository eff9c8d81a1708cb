package kernel

import (
	"maps"
	"slices"
	"strings"
)

// A Met is whom processes have met in all the states that they were in. It is no part of the
// state, and does not go back with it.
type Met struct {
	connected bool            // one has connected to another one, or to itself
	refused   map[string]bool // addresses at which there was nobody
	asked     int             // for how many signals one has asked
	drew      bool            // one has read random bytes
	system    bool            // one has read a file in which the host's kernel tells how it is: see tellsOfHost
	peers     map[string]bool // peers that may be met, and whether they were: by their groups, or names
}

// newMet returns that nobody was met yet.
func newMet(peers []Peer) *Met {
	m := &Met{refused: map[string]bool{}, peers: map[string]bool{}}
	for _, p := range peers {
		m.peers[p.kind()] = false
	}
	return m
}

// kind is the group of a peer, or its name if it has none.
func (p *Peer) kind() string {
	if p.Group != "" {
		return p.Group
	}
	return p.Name
}

// Met returns whom the process has met.
func (k *Kernel) Met() *Met { return k.met }

// Add adds whom another process has met, or another worker.
func (m *Met) Add(o *Met) {
	m.connected = m.connected || o.connected
	m.asked = max(m.asked, o.asked)
	m.drew = m.drew || o.drew
	m.system = m.system || o.system
	if m.refused == nil {
		m.refused, m.peers = map[string]bool{}, map[string]bool{}
	}
	maps.Copy(m.refused, o.refused)
	for kind, met := range o.peers {
		m.peers[kind] = m.peers[kind] || met
	}
}

// Refused returns the addresses at which there was nobody, in order, if nobody was met anywhere.
func (m *Met) Refused() []string {
	for _, met := range m.peers {
		if met {
			return nil
		}
	}
	if m.connected {
		return nil
	}
	return slices.Sorted(maps.Keys(m.refused))
}

// Unused returns the peers that were never met, in order.
func (m *Met) Unused() (list []string) {
	for kind, met := range m.peers {
		if !met {
			list = append(list, kind)
		}
	}
	slices.Sort(list)
	return list
}

// Asked reports whether a process has asked for signals, and whether for so many that only the usual ones come
// from outside.
func (m *Met) Asked() (some, all bool) { return m.asked > 0, m.asked >= many }

// Drew reports whether a process has read random bytes.
func (m *Met) Drew() bool { return m.drew }

// System reports whether one has read a file in which the host's kernel tells how it is.
func (m *Met) System() bool { return m.system }

// tellsOfHost reports whether a file of the host is one of those. They change by themselves, and here each is as it was when it was first
// read; and those of the process are of another one, which is searching.
func tellsOfHost(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/sys/")
}

// meets notes that a peer was met.
func (k *Kernel) meets(p *Peer) { k.met.peers[p.kind()] = true }

// misses notes that nobody was at an address.
func (k *Kernel) misses(at address) {
	if !k.met.refused[at.String()] {
		k.met.refused[at.String()] = true
	}
}

// sendsTo notes that the process has to do with one that it was told of, or with itself.
func (k *Kernel) sendsTo(process int) {
	k.met.connected = true
	if process == k.Process && k.Public && !k.joined && !k.self.inward {
		k.touchSelf()
		k.self.inward = true
	}
}

// Unmet reports whether a descriptor listens for others of whom there are none: the check was told of
// nobody who would come, and the process does not connect to itself.
func (k *Kernel) Unmet(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && k.Public && !k.joined && !k.self.inward && s.listens() && !k.expects(s)
}
