package peer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/internal/fork"
	"github.com/heddle-mc/heddle/internal/intercept"
)

// A server that waits in one thread can be copied, as package fork does it. One that is ready and that nobody has talked to is
// frozen, and each new run is a copy of it. All copies of it listen at one port, so there is one at a time.

// A template is a server that is frozen.
type template struct {
	run  *run
	last *run // its last copy, or nil
}

// free reports whether no copy is there.
func (t *template) free() bool {
	if t.last == nil {
		return true
	}
	select {
	case <-t.last.gone:
		return true
	default:
		return false
	}
}

// Copying is how servers of one name are copied.
type copying struct {
	mu        sync.Mutex // held while one is made
	templates []*template
	refused   error // why there are no copies
}

// copyable reports whether copies of a server may be made. What they do to files must be seen.
func (g *Group) copyable(s *Spec) bool {
	p, _ := s.ports()
	return g.files && s.Role == Server && s.copyable() && s.Delay == 0 && len(p.program) == 0
}

// copyOf returns a copy of a server, nil if there is no template that has none.
func (g *Group) copyOf(p *spares) *run {
	c := &p.copying
	c.mu.Lock()
	defer c.mu.Unlock()
	g.mu.Lock()
	refused := c.refused != nil
	i := slices.IndexFunc(c.templates, (*template).free)
	g.mu.Unlock()
	if refused || i < 0 {
		return nil
	}
	r, err := g.copyRun(c.templates[i].run)
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		c.refused = err
		return nil
	}
	c.templates[i].last = r
	return r
}

// freeze makes a template of a run that nobody has talked to. It reports whether the run is one now; if not, it can be used.
func (g *Group) freeze(p *spares, r *run) bool {
	c := &p.copying
	c.mu.Lock()
	defer c.mu.Unlock()
	g.mu.Lock()
	refused := c.refused != nil
	g.mu.Unlock()
	if refused {
		return false
	}
	err := r.freeze()
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil {
		c.refused = err
		return false
	}
	c.templates = append(c.templates, &template{run: r})
	return true
}

// works reports whether copies of a server are made.
func (c *copying) works() bool { return len(c.templates) > 0 && c.refused == nil }

// freeze stops a run for ever, so that it can be copied.
func (r *run) freeze() error {
	if list := r.members(); len(list) != 1 || list[0] != r.pid {
		return errors.New("it has several processes")
	}
	if err := r.g.keeper.freeze(r.id); err != nil {
		return err
	}
	select {
	case why := <-r.froze:
		if why != "" {
			return errors.New(why)
		}
		return nil
	case <-r.gone:
		return errKeeper
	}
}

// copyRun starts a run as a copy of one that is frozen.
func (g *Group) copyRun(t *run) (*run, error) {
	id, notices, err := g.keeper.copy(t.id)
	if err != nil {
		return nil, err
	}
	n, ok := <-notices
	switch {
	case !ok:
		return nil, errKeeper
	case n.Kind == failed:
		return nil, errors.New(n.Err)
	}
	r := &run{g: g, spec: t.spec, id: id, pid: n.PID, addr: t.addr, real: t.real, realUDP: t.realUDP, out: t.out, first: t.first, copied: true,
		froze: make(chan string, 1), end: make(chan struct{}), gone: make(chan struct{})}
	go r.follow(notices)
	r.enlist()
	return r, nil
}

// Uncopied says why servers were started again and not copied, of those of which that was tried.
func (g *Group) Uncopied() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var list []string
	for _, name := range slices.Sorted(maps.Keys(g.spares)) {
		if err := g.spares[name].copying.refused; err != nil {
			list = append(list, fmt.Sprintf("%s is started again, not copied: %v", name, err))
		}
	}
	return list
}

// noteChange notes that a process is about to change files, or the like. If it is a copy, there are no others: a
// server that is started again may begin by clearing what it has left, and a copy does not begin.
func (g *Group) noteChange(call *intercept.Call) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !slices.ContainsFunc(slices.Collect(g.copying()), (*copying).works) {
		return
	}
	pid, parent := call.Process()
	for pid > 1 && pid != g.keeper.cmd.Process.Pid {
		for c := range g.copying() {
			if slices.ContainsFunc(c.templates, func(t *template) bool { return t.last != nil && t.last.pid == pid }) {
				c.refused = errors.New("it changes files")
				return
			}
		}
		s, _ := readStat(parent)
		pid, parent = parent, s.parent
	}
}

// copying goes through the servers that are copied.
func (g *Group) copying() func(yield func(*copying) bool) {
	return func(yield func(*copying) bool) {
		for _, p := range g.spares {
			if !yield(&p.copying) {
				return
			}
		}
	}
}

// changes reports whether a call is one that changes files.
func changes(c *intercept.Call) bool {
	return slices.ContainsFunc(fork.Changes, func(w intercept.Want) bool { return int32(w.Call) == c.Number })
}
