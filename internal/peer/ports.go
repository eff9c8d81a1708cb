//go:build linux

package peer

import (
	"hash/fnv"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

// A peer may use more ports than the one that it was told of: it answers a datagram from a
// new one, as servers of TFTP do, or opens one and says its number, as those of FTP do.
// Such ports are other ones in each run. So the program never sees them. It sees numbers that stand for
// them, in the order in which the peer has shown them in a conversation, from a range in which the
// kernel of the modelled machine gives none out. They have five digits, as
// those of a real kernel have.
const (
	firstStandIn = 25600
	standIns     = 32768 - firstStandIn
)

// A portMap says which numbers stand for which ports of a peer, in one history.
type portMap struct {
	first, count int
	list         []standIn
}

// A standIn is a number that stands for a port.
type standIn struct {
	real, number int
}

// newPortMap returns the map of a history. Each peer has a range of its own.
func (g *Group) newPortMap(spec int) *portMap {
	m := &portMap{}
	m.first, m.count = g.standIns(spec)
	return m
}

// standIns returns the range of a peer.
func (g *Group) standIns(spec int) (first, count int) {
	count = standIns / len(g.specs)
	return firstStandIn + spec*count, count
}

// number returns the number that stands for a port which the peer shows on a connection, a new one if
// there is none yet. It depends on the connection and on what was shown there before, and on nothing that
// happens on others: so it is the same whether connections are looked at together or one by one. It is
// an error if all are taken.
func (m *portMap) number(real int, on iocache.Name) (int, error) {
	for _, s := range m.list {
		if s.real == real {
			return s.number, nil
		}
	}
	h := fnv.New32a()
	h.Write([]byte(on.String()))
	at := int(h.Sum32() % uint32(m.count))
	for range m.count {
		number := m.first + at
		at = (at + 1) % m.count
		if !slices.ContainsFunc(m.list, func(s standIn) bool { return s.number == number }) {
			m.list = append(m.list, standIn{real, number})
			return number, nil
		}
	}
	return 0, diag.Incompletef("the peer uses more than %d ports: what follows was not explored", m.count)
}

// real returns the port that a number stands for, 0 if it stands for none.
func (m *portMap) real(number int) int {
	for _, s := range m.list {
		if s.number == number {
			return s.real
		}
	}
	return 0
}
