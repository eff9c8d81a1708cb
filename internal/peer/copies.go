//go:build linux

package peer

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

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
	return g.files && s.copyable() && s.Delay == 0 && len(p.program) == 0
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
	r := &run{g: g, spec: t.spec, id: id, pid: n.PID, addr: t.addr, real: t.real, realUDP: t.realUDP, out: t.out, first: t.first, copied: true, ready: true,
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
		i := slices.IndexFunc(g.specs, func(s Spec) bool { return s.Name == name })
		if err := g.spares[name].copying.refused; err != nil && g.copyable(&g.specs[i]) {
			list = append(list, fmt.Sprintf("%s is started again, not copied: %v", name, err))
		}
	}
	return list
}

// noteChange notes that a process is about to change files, or the like. If it is one of a server that is ready, each further one is started when it is
// needed, and not before: it may begin by clearing what the one before has left. A copy does not begin.
func (g *Group) noteChange(call *intercept.Call) {
	pid, parent := call.Process()
	g.mu.Lock()
	defer g.mu.Unlock()
	for pid > 1 && pid != g.keeper.cmd.Process.Pid {
		i := slices.IndexFunc(g.runs, func(r *run) bool { return r.pid == pid && r.ready })
		if i >= 0 && g.runs[i].spec.Role == Server {
			p := g.sparesOf(g.runs[i].spec.Name)
			p.alone, p.stale, p.copying.refused = true, true, errors.New("it changes files")
			return
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

// named answers a process that asks for its number, or sends a signal to one. A copy has the number that its template has, as far as it can see: it may
// have remembered that, and CPython does.
func (g *Group) named(call *intercept.Call) intercept.Answer {
	pid, _ := call.Process()
	g.mu.Lock()
	var of *run
	for c := range g.copying() {
		for _, t := range c.templates {
			if t.last != nil && t.last.pid == pid {
				of = t.run
			}
		}
	}
	g.mu.Unlock()
	switch {
	case of == nil:
		return intercept.Answer{}
	case call.Number == unix.SYS_GETPID:
		return intercept.Done(int64(of.pid))
	case int(int32(call.Args[0])) != of.pid:
		return intercept.Answer{}
	}
	err := unix.Kill(pid, unix.Signal(call.Args[1]))
	if call.Number == unix.SYS_TGKILL {
		err = unix.Tgkill(pid, int(int32(call.Args[1])), unix.Signal(call.Args[2]))
	}
	if errno, ok := err.(unix.Errno); ok {
		return intercept.Done(-int64(errno))
	}
	return intercept.Done(0)
}
