package iocache

import (
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Mode says which histories there are and whether they may branch.
type Mode uint8

// The modes. The default is Tree.
const (
	Tree    Mode = iota // one history a connection, which branches where requests differ
	Linear              // one history a connection, the same in all schedules (paper 000)
	Process             // one history a peer, over all of its connections; branches
)

var modeNames = [...]string{Tree: "tree", Linear: "linear", Process: "process"}

func (m Mode) String() string { return modeNames[m] }

// ParseMode returns the mode of a name.
func ParseMode(name string) (Mode, error) {
	if i := slices.Index(modeNames[:], name); i >= 0 {
		return Mode(i), nil
	}
	return 0, diag.Usagef("cache mode %q: want linear, tree or process", name)
}

// Options are what a cache is made with. The zero value will do.
type Options struct {
	Mode  Mode
	Rules Rules
	// Together are peers of which all connections are taken together, whatever the mode is.
	Together []string
	// Live is how many peers may stand at different places of one history at the
	// same time: 1 if it is zero. More peers need fewer restarts in searches that
	// jump between branches.
	Live int
	// MaxResponse bounds the bytes that a peer may send on one connection: 64 MiB
	// if it is zero.
	MaxResponse int
	// Orders is in how many orders the independence of connections is tested, in tree
	// mode: see [Cache.TryOrders].
	Orders int
	// Vary, if it is not nil, says of a peer that the search is to end if such a test shows
	// that it does not say the same in each run. Else the test ends, and the search goes on.
	Vary func(peer string) bool
}

// Stats count what went through a cache.
type Stats struct {
	Histories   int64
	Connections int64 // opened by live peers or to them, replays included
	Hits        int64 // requests of the program that the cache knew
	Misses      int64 // requests of the program that a live peer had to be told
	Probes      int64 // reads of the program for which a live peer had to be asked
	Restarts    int64 // peers that were started for a history which had one before
	Replays     int64 // requests that a live peer was told again
	BytesOut    int64 // to live peers
	BytesIn     int64 // from live peers
}

// A Cache holds what was said between the program and its peers, in all paths of
// the search so far. It never forgets and does not backtrack. The sessions of
// several searches may share it.
type Cache struct {
	mu        sync.Mutex
	opt       Options
	transport Transport
	rec       *Recording
	stats     Stats
	errs      []error // see Caused
	owed      owed
	failed    error      // of a peer, when nobody had asked for what it would say
	watch     *watch     // nil if orders are not tried
	sessions  []*Session // those that are watched
}

// New returns an empty cache.
func New(t Transport, opt Options) *Cache {
	if opt.Live <= 0 {
		opt.Live = 1
	}
	if opt.MaxResponse <= 0 {
		opt.MaxResponse = 64 << 20
	}
	c := &Cache{opt: opt, transport: t, rec: newRecording(Modes{opt.Mode, opt.Together})}
	if opt.Mode == Tree && opt.Orders > 0 {
		c.watch = &watch{
			max: opt.Orders, seen: make(map[sum]bool), tried: make(map[sum]bool),
			probe: New(t, Options{Mode: Process, Rules: opt.Rules, MaxResponse: opt.MaxResponse}),
		}
	}
	return c
}

// Stats returns the counts so far.
func (c *Cache) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(c.settle())
	return c.stats
}

// Close stops all live peers. The cache can still answer what it knows.
func (c *Cache) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.owed = owed{}
	for _, h := range c.rec.sorted() {
		for _, l := range h.live {
			l.peer.Stop()
		}
		h.live = nil
	}
	if c.watch != nil {
		c.watch.probe.Close()
	}
}

// Settle waits until all peers are quiet, so that nothing they do to what they were
// told goes unnoticed. The error is that of a peer which has failed while nobody, or
// somebody else, waited for its answer.
func (c *Cache) Settle() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(c.settle())
	return c.failed
}

// Linger waits until it is sure that peers which were quiet are, where they stand. That is to be known before it is said that somebody
// waits for one of them in vain.
func (c *Cache) Linger() error {
	if err := c.Settle(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, h := range c.rec.sorted() {
		for _, l := range h.live {
			if p, ok := l.peer.(Lingering); ok {
				if err := c.note(p.Linger()); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// Text returns the text form of all that was said. [Parse] reads it back.
func (c *Cache) Text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(c.settle())
	return c.rec.Text()
}

// Caused reports whether an error came from here: from a peer, or because the
// requests or the answers are not what the cache has.
func (c *Cache) Caused(err error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return err != nil && slices.Contains(c.errs, err)
}

// note remembers an error.
func (c *Cache) note(err error) error {
	if err != nil && !slices.Contains(c.errs, err) {
		c.errs = append(c.errs, err)
	}
	return err
}

// history returns the history of that name, a new one if there is none.
func (c *Cache) history(id HistoryID) *history {
	h := c.rec.histories[id]
	if h == nil {
		h = newHistory(id)
		c.rec.histories[id] = h
		c.stats.Histories++
	}
	return h
}

// request lets the program make a request at p, and moves p past it (paper 000,
// algorithm 2). What the cache knows is compared, the rest is sent. A close is
// sent only if a live peer stands there (algorithm 5): the program cannot see
// what comes of it, unless the peer has other connections in the same history.
func (c *Cache) request(h *history, p *pos, e edge) error { return c.note(c.tell(h, p, e)) }

func (c *Cache) tell(h *history, p *pos, e edge) error {
	if c.watch != nil && c.watch.err != nil {
		return c.watch.err
	}
	before := *p
	left := h.follow(p, e)
	if left.kind == 0 {
		c.stats.Hits++
		return p.n.err
	}
	if err := c.settle(); err != nil {
		*p = before
		return err
	}
	if c.opt.Mode == Linear && !h.id.Whole && (p.inside() || len(p.n.kids) > 0) {
		err := h.diverges(p, &left)
		*p = before
		return err
	}
	n := p.split()
	if !h.id.Whole && left.ends() && !h.stands(n) {
		c.stats.Hits++
		k := h.add(p, left)
		k.record(k.low(), report{})
		return nil
	}
	if h.err != nil {
		return h.err // no peer can be asked any more, but what is known stays known
	}
	c.stats.Misses++
	last := h.add(p, left)
	nodes := []*node{last}
	for nodes[0].continues(nodes[0].parent) {
		nodes = slices.Insert(nodes, 0, nodes[0].parent)
	}
	l, err := c.standing(h, nodes[0].parent)
	if err == nil {
		err = c.do(h, l, nodes)
	}
	if err == nil {
		c.owed = owed{h, l}
		if h.conns[left.conn].name.datagrams() {
			err = c.settle() // buffers of the operating system for them are small
		}
	}
	last.err = err
	return err
}

// limits returns a node with the limits of a connection at p, or those of
// incoming connections if conn is negative. If the cache does not know them, a
// live peer is asked (paper 000, algorithm 1).
func (c *Cache) limits(h *history, p *pos, conn int) (*node, error) {
	n, err := c.ask(h, p, conn)
	return n, c.note(err)
}

func (c *Cache) ask(h *history, p *pos, conn int) (*node, error) {
	if n := p.known(conn); n != nil {
		return n, nil
	}
	if err := c.settle(); err != nil {
		return nil, err
	}
	if n := p.known(conn); n != nil {
		return n, nil
	}
	if h.err != nil {
		return nil, h.err
	}
	c.stats.Probes++
	n := p.split()
	if _, err := c.standing(h, n); err != nil {
		return nil, err
	}
	return n, nil
}

// diverges returns the error for a request e at p where the cache has another.
func (h *history) diverges(p *pos, e *edge) *Divergence {
	d := &Divergence{History: h.id, At: max(p.d-1, 0), NowKind: e.kind, Now: slices.Clone(e.data)}
	if h.id.Conn.Dir == In {
		d.At = p.d // there is no Open to leave out
	}
	cached, from := p.n, p.d-p.n.start
	if !p.inside() {
		cached, from = p.n.kids[0], 0
	}
	d.CachedKind = cached.edge.kind
	if cached.edge.kind == Write {
		d.Cached = slices.Clone(cached.edge.data[from:])
	}
	if p.inside() {
		d.Before = slices.Clone(cached.edge.data[:from])
	}
	for n := cached.parent; n != nil; n = n.parent {
		if n.edge.kind == Write {
			d.Before = slices.Concat(n.edge.data, d.Before)
		}
	}
	return d
}
