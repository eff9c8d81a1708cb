package kernel

import (
	"encoding/binary"
	"maps"
	"slices"
	"syscall"
)

// AppendKey appends an encoding of the state. Two states that the process
// cannot tell apart, ever, have equal keys, and states with equal keys cannot
// be told apart. Inode numbers and the keys of waits are left out: they name
// things by the order in which those were made.
func (k *Kernel) AppendKey(dst []byte) []byte { return AppendKeys(dst, k) }

// AppendKeys is AppendKey for processes that run side by side.
func AppendKeys(dst []byte, processes ...*Kernel) []byte {
	e := &encoder{b: dst}
	e.seen = e.room[:0]
	for _, k := range processes {
		e.process(k)
	}
	return e.b
}

func (e *encoder) process(k *Kernel) {
	e.k = k
	s := &k.self
	e.str(s.cwd)
	e.flag(s.served)
	e.flag(s.inward)
	e.str(s.udpText)
	for _, n := range s.faults {
		e.num(uint64(n))
	}
	e.num(uint64(s.umask), s.random, s.noFile, s.signals.enabled, s.signals.ignored, s.signals.pending, s.signals.left)
	s.fds.each(func(fd int, s *slot) {
		e.num(uint64(fd) + 1)
		e.flag(s.cloexec)
		e.poller(s.poller)
		e.desc(s.desc)
	})
	e.num(0)
	if o, ok := k.tree.(*overlay); ok {
		e.node(o.root)
	}
	if k.Session != nil {
		for _, came := range s.came[:len(k.Peers)] {
			e.flag(came)
		}
		e.b = k.Session.AppendKey(e.b)
	}
}

// An encoder numbers the objects it meets in the order in which it meets them.
type encoder struct {
	k    *Kernel
	b    []byte
	seen []any
	at   map[any]int // places in seen, if there are many
	near bool        // far ends of connections are left out: see Parts
	room [fewSeen]any
}

// fewSeen is how many objects are looked through one by one.
const fewSeen = 24

func (e *encoder) num(vs ...uint64) {
	for _, v := range vs {
		e.b = binary.AppendUvarint(e.b, v)
	}
}

func (e *encoder) str(s string) {
	e.num(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) flag(v bool) {
	if v {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

// first writes the number of an object and reports whether it is new.
func (e *encoder) first(x any) bool {
	n, ok := e.place(x)
	if !ok {
		n = len(e.seen)
		e.seen = append(e.seen, x)
		if e.at != nil {
			e.at[x] = n
		}
	}
	e.num(uint64(n) + 1)
	return !ok
}

// place returns where an object is among those that were met.
func (e *encoder) place(x any) (n int, ok bool) {
	if len(e.seen) <= fewSeen {
		n = slices.Index(e.seen, x)
		return n, n >= 0
	}
	if e.at == nil {
		e.at = make(map[any]int, 2*fewSeen)
		for i, y := range e.seen {
			e.at[y] = i
		}
	}
	n, ok = e.at[x]
	return n, ok
}

// poller writes how far away deadlines are: absolute times differ without need.
func (e *encoder) poller(p *poller) {
	if p == nil {
		e.num(0)
		return
	}
	now := e.k.mono()
	e.num(1, away(p.rd, now), away(p.wd, now))
	e.flag(p.closing)
}

// away encodes a deadline: none, passed, or so long from now.
func away(deadline, now int64) uint64 {
	switch {
	case deadline == 0:
		return 0
	case deadline <= now:
		return 1
	}
	return uint64(deadline-now) + 1
}

func (e *encoder) desc(d *desc) {
	if !e.first(d) {
		return
	}
	e.num(uint64(d.flags), uint64(d.off))
	switch f := d.file.(type) {
	case *pipeEnd:
		e.flag(f.writes)
		if e.first(f.pipe) {
			e.num(uint64(f.pipe.readers), uint64(f.pipe.writers), uint64(f.pipe.changed))
			e.str(string(f.pipe.buf))
		}
	case *socket:
		e.socket(f)
	case *epoll:
		e.epoll(f)
	case *eventFile:
		if e.first(f) {
			e.num(f.count)
			e.flag(f.semaphore)
		}
	case *timerFile:
		if e.first(f) {
			now := e.k.mono()
			e.num(uint64(f.expirations(now)), away(f.next(now), now), uint64(f.interval), uint64(f.told))
			e.flag(f.real)
		}
	case *nodeFile:
		e.node(f.node)
	case *stream:
		e.num(uint64(f.fd))
	case *device:
		e.str(f.name)
	case *systemFile:
		e.str(f.name)
	case *hostBacked:
		e.first(f)
	}
}

// node writes a file of the overlay: what the program has changed of it, and of
// everything below it.
func (e *encoder) node(n *inode) {
	if !e.first(n) {
		return
	}
	e.flag(n.own)
	e.flag(n.dead)
	if n.from != nil {
		e.str(n.from.path)
	}
	if n.own {
		e.num(uint64(n.mode), uint64(n.uid), uint64(n.gid), uint64(n.nlink))
		e.num(uint64(n.atime), uint64(n.mtime), uint64(n.ctime))
		e.str(n.target)
		if n.from == nil {
			e.str(string(n.data))
		}
	}
	if n.is(syscall.S_IFSOCK) {
		if s := e.k.net.atFile(fileID{1, n.ino}); s != nil { // all that are open have been met
			e.socket(s)
		} else {
			e.num(0)
		}
	}
	if !n.is(syscall.S_IFDIR) {
		return
	}
	for _, name := range n.changedNames() {
		e.str(name)
		e.flag(n.kids[name] != nil)
		if kid := n.kids[name]; kid != nil {
			e.node(kid)
		}
	}
	for _, name := range n.namesAbove() {
		e.str(name)
		e.node(n.from.known[name])
	}
}

// changedNames returns the names in a directory that the program has changed, in order.
// Mostly there are none, and each key asks.
func (n *inode) changedNames() []string {
	if len(n.kids) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(n.kids))
}

// namesAbove returns, in order, the names in a directory of the host that were only looked
// up, but have something below them that the program has changed.
func (n *inode) namesAbove() (names []string) {
	if n.from == nil {
		return nil
	}
	for name, kid := range n.from.known {
		if _, changed := n.kids[name]; !changed && kid != nil && dirty(kid) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// dirty reports whether the program has changed a file of the host or anything
// below it.
func dirty(n *inode) bool {
	if n.own {
		return true
	}
	if n.from != nil {
		for name, kid := range n.from.known {
			if _, changed := n.kids[name]; !changed && kid != nil && dirty(kid) {
				return true
			}
		}
	}
	return false
}
