//go:build linux

package peer

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/fixed"
	"github.com/heddle-mc/heddle/internal/iocache"
)

// A Group is all peers of a program under test. It is an [iocache.Transport].
//
// When a peer is quiet. After each request the peer is looked at until
//
//   - all that was sent has arrived at its sockets (the kernel counts),
//   - every thread of every process of it waits: one at least for input, others
//     perhaps for each other (see thread.wait),
//   - all of them did so together: two looks, between which none was switched,
//   - and all that it has written has arrived here and was told.
//
// What was sent need not be read: a server with one thread may leave a second
// connection alone until it is done with the first.
//
// Timers. A thread in nanosleep goes on by itself and is waited for. A wait for
// input with a timeout may be either: an answer that is delayed, or the habit of
// a loop that looks around twice a second. It is waited out if the timeout is not
// longer than Spec.Patience; if three times the timeout pass and nothing is said,
// it is a habit of the peer, and from then on no reason to wait. A peer that
// speaks after it was quiet is an [Unasked] error, so wrong guesses do not go
// unnoticed for long.
//
// What cannot be seen: when timers behind timerfd, alarm signals and SO_RCVTIMEO will run
// out, and work that other processes do for the peer, such as a database that was not
// started by it. Give such peers a delay. That a peer has such timers is seen, so that it
// is waited for before it is said that somebody waits for it in vain (see live.Linger).
type Group struct {
	keeper *keeper
	diag   *sockDiag    // nil if the kernel does not answer
	watch  *watch       // nil if calls cannot be watched, or need not
	pieces *pieces      // nil if writes are not watched
	fixer  *fixed.Fixer // nil if no peer is to repeat itself
	files  bool         // it is seen who changes files
	specs  []Spec
	habits map[string]*habits

	launching sync.Mutex
	launches  sync.WaitGroup // of spares
	ready     chan struct{}  // closed when all servers listen
	failure   error          // or when one will not

	mu      sync.Mutex
	shared  map[string]*run // servers, by name
	spares  map[string]*spares
	runs    []*run         // all that are remembered
	count   map[string]int // runs, by name
	blinds  map[string]time.Duration
	doors   map[string][]*door // by name
	alarmed alarmed
	notes   []string
	stats   Stats
	closed  bool
}

// maxRuns is how many runs are remembered.
const maxRuns = 64

// blindDelay is for peers that cannot be looked at.
const blindDelay = 100 * time.Millisecond

// Begin begins to start the servers among some peers, and returns at once: others have
// work to do until they listen, which [Group.Ready] waits for.
func Begin(specs []Spec) (*Group, error) {
	g := &Group{habits: make(map[string]*habits), shared: make(map[string]*run), spares: make(map[string]*spares), count: make(map[string]int), blinds: make(map[string]time.Duration),
		doors: make(map[string][]*door), alarmed: alarmed{make(map[alarmID]alarm), make(map[int]bool)}, ready: make(chan struct{})}
	for i := range specs {
		if err := specs[i].check(); err != nil {
			return nil, err
		}
		learned := new(habits)
		for _, s := range specs[i].expand() {
			if g.habits[s.Name] != nil {
				return nil, diag.Usagef("two peers are called %s: give them names", s.Name)
			}
			g.habits[s.Name] = learned
			g.specs = append(g.specs, s)
		}
	}
	go func() {
		defer close(g.ready)
		g.failure = g.start()
	}()
	return g, nil
}

// NewGroup starts the servers among some peers and returns when they listen.
func NewGroup(specs []Spec) (*Group, error) {
	g, err := Begin(specs)
	if err != nil {
		return nil, err
	}
	if err := g.Ready(); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// start starts the keeper and the servers, one after the other.
func (g *Group) start() (err error) {
	var listener int
	what := watchingOf(g.specs)
	if g.keeper, listener, err = newKeeper(what); err != nil {
		return err
	}
	g.watchCalls(listener, what)
	if err := g.keeper.notWatched; err != nil && what.Writes {
		g.note("what peers write cannot be watched, so an answer is there as a whole: %v", err)
	}
	if err := cmp.Or(fixed.Supported(), g.keeper.notWatched); err != nil && slices.ContainsFunc(g.specs, func(s Spec) bool { return s.fixed() }) {
		g.note("time and random numbers of peers cannot be fixed: %v", err)
	}
	if g.diag, err = newSockDiag(); err != nil {
		g.note("sockets of peers cannot be looked at, acknowledgements are waited for instead: %v", err)
	}
	for i := range g.specs {
		if s := &g.specs[i]; s.Role == Server && s.local() {
			r, err := g.launch(s)
			if err != nil {
				return err
			}
			g.mu.Lock()
			g.shared[s.Name] = r
			g.mu.Unlock()
		}
	}
	return nil
}

// Ready waits until all servers listen. An error means that one will not. The other
// methods must not be called before, but for Close.
func (g *Group) Ready() error {
	defer g.waits()()
	<-g.ready
	return g.failure
}

// Peers returns the peers, in the order in which they were declared.
func (g *Group) Peers() []Info {
	var list []Info
	for i := range g.specs {
		s := &g.specs[i]
		info := Info{Name: s.Name, Group: s.group(), Role: s.Role, UDP: s.UDP}
		info.First, info.Ports = g.standIns(i)
		p, _ := s.ports()
		if len(p.udp) > 0 {
			udp := info
			udp.Port, udp.UDP = p.udp[0], true
			list = append(list, udp)
		}
		switch {
		case p.unix != "":
			info.Unix, info.First, info.Ports = p.unix, 0, 0
		case s.local() && !s.streams():
			continue
		case !s.local():
			_, port, _ := net.SplitHostPort(s.Addr)
			fmt.Sscan(port, &info.Port)
		case s.Role == Client:
			info.Port = p.program[0]
		case len(p.peer) > 0:
			info.Port = p.peer[0]
		default:
			info.Port = g.chosenPort(s.Name)
		}
		list = append(list, info)
	}
	return list
}

// Whole returns the names of the peers of which it is not known how often they have written, so that each
// of their answers is taken to arrive as a whole.
func (g *Group) Whole() []string {
	var list []string
	for i := range g.specs {
		if s := &g.specs[i]; s.path() != "" || s.streams() && (g.pieces == nil || !s.watched()) {
			list = append(list, s.Name)
		}
	}
	return list
}

// chosenPort returns the port that a server listens at whose command does not say
// where, or 0 if it has listened to the variable HEDDLE_ADDR.
func (g *Group) chosenPort(name string) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r := g.shared[name]; r != nil && r.real.Port() != r.addr.listen.Port() {
		return int(r.real.Port())
	}
	return 0
}

// Start returns a peer that has not been told anything in this history. For a
// connection to a server that is the server which runs, unless it has ended.
func (g *Group) Start(id iocache.HistoryID) (iocache.Peer, error) {
	defer g.waits()()
	i := slices.IndexFunc(g.specs, func(s Spec) bool { return s.Name == id.Peer })
	if i < 0 {
		return nil, diag.Bugf("%v: there is no such peer", id)
	}
	s := &g.specs[i]
	l := &live{g: g, spec: s, id: id, ports: g.newPortMap(i), buf: make([]byte, 64<<10)}
	out := !id.Whole && id.Conn.Dir == iocache.Out
	var err error
	switch {
	case out && s.Role == Client:
		return nil, diag.Bugf("%v: the peer is a client, to which nobody connects", id)
	case !id.Whole && !out && s.Role == Server:
		return nil, iocache.Apartf(id, "the peer is a server, which does not connect by itself")
	case !s.local():
		err = g.reach(l)
	case out:
		if l.run, err = g.server(s); err == nil {
			g.mu.Lock()
			l.run.used = true
			g.mu.Unlock()
		}
	default:
		l.run, err = g.fresh(s)
		l.own = true
	}
	if err != nil {
		return nil, err
	}
	if l.run != nil {
		l.to, l.toUDP = l.run.real, l.run.realUDP
	}
	l.begin("", nil)
	return l, nil
}

// reach finds a server at an address. Such a server cannot be restarted.
func (g *Group) reach(l *live) error {
	g.mu.Lock()
	g.count[l.spec.Name]++
	n := g.count[l.spec.Name]
	g.mu.Unlock()
	if l.id.Whole && n > 1 {
		return diag.Incompletef("%v: the server at %s would have to be restarted: give its command", l.id, l.spec.Addr)
	}
	a, err := net.ResolveTCPAddr("tcp", l.spec.Addr)
	if err != nil {
		return diag.Usagef("%s: %v", l.spec.what(), err)
	}
	to := a.AddrPort()
	l.to = netip.AddrPortFrom(to.Addr().Unmap(), to.Port())
	l.toUDP = l.to
	return nil
}

// server returns the running server, launched again if it has ended well.
func (g *Group) server(s *Spec) (*run, error) {
	g.launching.Lock() // so that two histories do not both launch it
	defer g.launching.Unlock()
	g.mu.Lock()
	r := g.shared[s.Name]
	g.mu.Unlock()
	if r != nil && !r.dead() {
		return r, nil
	}
	if r != nil {
		r.close()
		if st := r.exit(); st.Signaled() || st.ExitStatus() != 0 {
			return nil, r.died("while nobody talked to it", Talk{})
		}
	}
	r, err := g.launch(s)
	if err == nil {
		g.mu.Lock()
		g.shared[s.Name] = r
		g.mu.Unlock()
	}
	return r, err
}

// fresh launches a peer for one history. The first one of a server is that which
// was started before the search, if nobody has talked to it.
func (g *Group) fresh(s *Spec) (*run, error) {
	g.mu.Lock()
	r := g.shared[s.Name]
	if r != nil && r.used {
		r = nil
	} else {
		delete(g.shared, s.Name)
	}
	g.mu.Unlock()
	if r != nil && !r.dead() {
		return r, nil
	}
	return g.another(s)
}

// look asks for the peer's end of a connection.
func (g *Group) look(c *conn) (sockState, error) {
	if g.diag == nil {
		return sockState{}, errNoDiag
	}
	return g.diag.look(c.remote, c.local)
}

var errNoDiag = errors.New("sock_diag: not available")

// add remembers a run.
func (g *Group) add(r *run) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.copied {
		g.stats.Copies++
	} else {
		g.stats.Launches++
	}
	g.count[r.spec.Name]++
	r.number = g.count[r.spec.Name]
	if len(g.runs) == maxRuns {
		// The runs of servers that serve all histories are kept.
		i := slices.IndexFunc(g.runs, func(old *run) bool { return g.shared[old.spec.Name] != old })
		g.runs = slices.Delete(g.runs, max(i, 0), max(i, 0)+1)
	}
	g.runs = append(g.runs, r)
}

// Runs returns the launches of commands, the last ones if there were many.
func (g *Group) Runs() []Run {
	g.mu.Lock()
	runs := slices.Clone(g.runs)
	g.mu.Unlock()
	list := make([]Run, len(runs))
	for i, r := range runs {
		list[i] = Run{r.spec.Name, r.number, r.statusText(), r.out.String()}
	}
	return list
}

// Stats returns the counts so far.
func (g *Group) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stats
}

// waits notes that somebody waits from now on, until the function is called that it
// returns.
func (g *Group) waits() (over func()) {
	start := time.Now()
	return func() {
		g.mu.Lock()
		g.stats.Waited += time.Since(start)
		g.mu.Unlock()
	}
}

// looked notes that the time since a look began, which was noted as one of waiting, was one of
// looking, and goes on being that until the function is called that it returns.
func (g *Group) looked(began time.Time) (over func()) {
	g.mu.Lock()
	g.stats.Waited -= time.Since(began)
	g.mu.Unlock()
	return func() {
		g.mu.Lock()
		g.stats.Looked += time.Since(began)
		g.mu.Unlock()
	}
}

func (g *Group) count1(n *int64) {
	g.mu.Lock()
	*n++
	g.mu.Unlock()
}

// Notes returns what the user should know about how peers were watched.
func (g *Group) Notes() []string {
	var list []string
	if g.fixer != nil {
		list = g.fixer.Failures()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return append(list, g.notes...)
}

func (g *Group) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.Contains(g.notes, text) {
		g.notes = append(g.notes, text)
	}
}

// blind returns the delay for a peer that cannot be looked at, or zero.
func (g *Group) blind(s *Spec) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.blinds[s.Name]
}

func (g *Group) goBlind(s *Spec, err error) {
	g.note("%s: what its threads do cannot be seen, so it counts as quiet when it has said nothing for %v: %v", s.Name, blindDelay, err)
	g.mu.Lock()
	g.blinds[s.Name] = blindDelay
	g.mu.Unlock()
}

// leaving reports whether Close was called.
func (g *Group) leaving() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.closed
}

// Close kills all processes of all peers. It returns when they are gone.
func (g *Group) Close() {
	g.mu.Lock()
	was := g.closed
	g.closed = true
	g.mu.Unlock()
	if was {
		return
	}
	defer g.waits()()
	<-g.ready
	if g.keeper == nil {
		return
	}
	g.keeper.close()
	g.launches.Wait()
	g.mu.Lock()
	for _, r := range g.runs {
		r.roster.close()
		r.givePath()
	}
	for _, p := range g.spares {
		for r := range p.rest() {
			r.roster.close()
			r.givePath()
		}
	}
	g.mu.Unlock()
	g.closeDoors()
	g.watch.close()
	if g.diag != nil {
		g.diag.close()
	}
}

var (
	_ iocache.Transport = (*Group)(nil)
	_ iocache.Peer      = (*live)(nil)
	_ iocache.Hurried   = (*live)(nil)
	_ iocache.Lingering = (*live)(nil)
)
