package sockets

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Meetings are whom processes have met in all the states that they were in. They are no part of the
// state, and do not go back with it.
type Meetings struct {
	connected bool            // one has connected to another one, or to itself
	datagrams bool            // one has sent a datagram
	awaits    bool            // one that others may talk to has listened for them
	refused   map[string]bool // addresses at which there was nobody
	peers     map[string]bool // peers that may be met, and whether they were: by their groups, or names
	places    map[Place]bool  // where one has listened, and whom one wanted to reach in vain
}

// A Place is where a process has listened, or what it wanted to reach and did not.
type Place struct {
	Listens bool
	Net     string // tcp, udp or unix; name if it is a name that nobody knows
	Host    string // an address, a path or a name
	Port    int
}

// notes notes a place.
func (k *Stack) notes(listens bool, net string, at address) {
	p := Place{Listens: listens, Net: net, Host: at.name, Port: int(at.port)}
	if at.ip.IsValid() {
		p.Host = at.ip.String()
	}
	k.met.places[p] = true
	k.met.awaits = k.met.awaits || listens && k.Public && !k.Joined()
}

// Places returns all of them, in order.
func (m *Meetings) Places() []Place { return slices.SortedFunc(maps.Keys(m.places), Place.Compare) }

// String is the address of a place, a path or a name.
func (p Place) String() string {
	switch {
	case p.Port == 0:
		return p.Host
	case strings.Contains(p.Host, ":"):
		return "[" + p.Host + "]:" + strconv.Itoa(p.Port)
	}
	return p.Host + ":" + strconv.Itoa(p.Port)
}

// Compare orders places: where a process listens comes first.
func (p Place) Compare(o Place) int {
	if p.Listens != o.Listens {
		if p.Listens {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(p.Net, o.Net), cmp.Compare(p.Host, o.Host), cmp.Compare(p.Port, o.Port))
}

// netOf is the network of a socket that listens.
func netOf(s *socket) string {
	if internet(s.domain) {
		return "tcp"
	}
	return "unix"
}

// Connected reports whether a process has connected to another one that is checked, or to itself.
func (m *Meetings) Connected() bool { return m.connected }

// newMeetings returns that nobody was met yet.
func newMeetings(peers []Peer) Meetings {
	m := Meetings{refused: map[string]bool{}, peers: map[string]bool{}, places: map[Place]bool{}}
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
func (k *Stack) misses(net string, at address) {
	k.notes(false, net, at)
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
	m.datagrams = m.datagrams || o.datagrams
	m.awaits = m.awaits || o.awaits
	if m.refused == nil {
		m.refused, m.peers, m.places = map[string]bool{}, map[string]bool{}, map[Place]bool{}
	}
	maps.Copy(m.places, o.places)
	maps.Copy(m.refused, o.refused)
	for kind, met := range o.peers {
		m.peers[kind] = m.peers[kind] || met
	}
}

// Datagrams reports whether a process has sent a datagram.
func (m *Meetings) Datagrams() bool { return m.datagrams }

// Awaited returns where a process that others may talk to has listened, in order, if nobody ever came.
func (m *Meetings) Awaited() (list []string) {
	if !m.awaits || m.connected || m.metPeer() {
		return nil
	}
	for _, p := range m.Places() {
		if p.Listens {
			list = append(list, p.String())
		}
	}
	return list
}

// metPeer reports whether a peer was met.
func (m *Meetings) metPeer() bool {
	for _, met := range m.peers {
		if met {
			return true
		}
	}
	return false
}

// Refused returns the addresses at which there was nobody, in order, if nobody was met anywhere.
func (m *Meetings) Refused() []string {
	if m.connected || m.metPeer() {
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
