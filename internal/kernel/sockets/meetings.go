package sockets

import (
	"maps"
	"slices"
)

// Meetings are whom processes have met in all the states that they were in. They are no part of the
// state, and do not go back with it.
type Meetings struct {
	connected bool            // one has connected to another one, or to itself
	refused   map[string]bool // addresses at which there was nobody
	peers     map[string]bool // peers that may be met, and whether they were: by their groups, or names
}

// newMeetings returns that nobody was met yet.
func newMeetings(peers []Peer) Meetings {
	m := Meetings{refused: map[string]bool{}, peers: map[string]bool{}}
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

// meets notes that a peer was met.
func (k *Stack) meets(p *Peer) { k.met.peers[p.kind()] = true }

// misses notes that nobody was at an address.
func (k *Stack) misses(at address) {
	if !k.met.refused[at.String()] {
		k.met.refused[at.String()] = true
	}
}

// sendsTo notes that the process has to do with one that it was told of, or with itself.
func (k *Stack) sendsTo(process int) {
	k.met.connected = true
	if process == k.Process && k.Public && !k.Joined() && !k.state.inward {
		k.touchState()
		k.state.inward = true
	}
}

// Unmet reports whether a descriptor listens for others of whom there are none: the check was told of
// nobody who would come, and the process does not connect to itself.
func (k *Stack) Unmet(fd int) bool {
	s, _, e := k.socket(fd)
	return e == 0 && k.Public && !k.Joined() && !k.state.inward && s.listens() && !k.expects(s)
}

// Meetings returns whom the process has met.
func (k *Stack) Meetings() Meetings { return k.met }

// Add adds whom another process has met, or another worker.
func (m *Meetings) Add(o *Meetings) {
	m.connected = m.connected || o.connected
	if m.refused == nil {
		m.refused, m.peers = map[string]bool{}, map[string]bool{}
	}
	maps.Copy(m.refused, o.refused)
	for kind, met := range o.peers {
		m.peers[kind] = m.peers[kind] || met
	}
}

// Refused returns the addresses at which there was nobody, in order, if nobody was met anywhere.
func (m *Meetings) Refused() []string {
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
func (m *Meetings) Unused() (list []string) {
	for kind, met := range m.peers {
		if !met {
			list = append(list, kind)
		}
	}
	slices.Sort(list)
	return list
}
