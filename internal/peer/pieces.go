//go:build linux

package peer

import (
	"net/netip"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/writes"
)

// What a peer says comes in pieces: one for each time that it writes. The bytes of several pieces may
// arrive together or not, so whoever reads may find any number of them. Where
// a piece begins is told by package writes, before its first byte is sent.

// A link is the two ends of a connection, the peer's first.
type link struct{ from, to netip.AddrPort }

// Pieces are where the writes of peers begin.
type pieces struct {
	mu     sync.Mutex
	starts map[link][]uint64
	ours   map[link]bool
}

// maxForeign is how many writes are remembered of a connection that is not known to be ours. Others, which
// peers have with each other or with themselves, are forgotten when there are more.
const maxForeign = 256

func newPieces() *pieces {
	return &pieces{starts: make(map[link][]uint64), ours: make(map[link]bool)}
}

// tell notes a write.
func (p *pieces) tell(w writes.Write) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := link{w.From, w.To}
	list := p.starts[k]
	if w.At == 0 { // another connection may have had the same ports
		list = list[:0]
	}
	if p.ours[k] || len(list) < maxForeign {
		p.starts[k] = append(list, w.At)
	}
}

// forget notes that a connection is over.
func (p *pieces) forget(c *conn) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ours, c.link())
	delete(p.starts, c.link())
}

// segment is how much arrives together at most, of one write: the kernel cuts what is larger.
const segment = 64 << 10

// cut returns how many of n bytes, which have arrived and come after the first at, are of one piece,
// and whether they begin one.
func (p *pieces) cut(k link, at uint64, n int) (size int, begins bool) {
	n = int(min(uint64(n), segment-at%segment))
	size, begins = p.written(k, at, n)
	return size, begins || at%segment == 0
}

// written is cut if all that is written at once arrives at once.
func (p *pieces) written(k link, at uint64, n int) (size int, begins bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ours[k] = true
	list := p.starts[k]
	for i, start := range list {
		switch {
		case start == at:
			begins = true
		case start > at:
			p.starts[k] = slices.Delete(list, 0, i)
			return int(min(uint64(n), start-at)), begins
		}
	}
	return n, begins
}

// link returns the ends of a connection.
func (c *conn) link() link { return link{c.remote, c.local} }

// hear reads what is there, of one piece. More reports whether the piece began before.
func (l *live) hear(c *conn) (kind iocache.ResponseKind, n int, more bool, failure unix.Errno, err error) {
	p := l.g.pieces
	if c.udp || p == nil || !l.spec.watched() || !c.local.IsValid() {
		kind, n, failure, err = l.read(c)
		return kind, n, c.said > 0, failure, err
	}
	for {
		there, err := unix.IoctlGetInt(c.fd, unix.TIOCINQ)
		if err != nil || there == 0 {
			if kind, _, failure = c.recv(l.buf[:1], unix.MSG_PEEK); kind == iocache.Data {
				continue // it has come meanwhile
			}
			return kind, 0, false, failure, nil
		}
		size, begins := p.cut(c.link(), c.got, min(there, len(l.buf)))
		kind, n, failure = c.read(l.buf[:size])
		c.got += uint64(n)
		return kind, n, !begins && c.said > 0, failure, nil
	}
}
