//go:build linux

package peer

import "iter"

// A peer takes much longer to start than to answer: an interpreter, say, a tenth of a second, and
// a thousandth. A search that goes back and forth between branches of what a server was told needs a new one
// again and again, so some are started before they are asked for. They stand there
// as the first one does before the search begins.

// maxSpares is how many servers of one name are started before they are needed.
const maxSpares = 4

// spares are the servers of one name that were started before they are needed.
type spares struct {
	taken int         // servers that were needed
	ready []chan *run // those that are or will be there, the oldest first; nil for one that has not started
	alone bool        // it cannot be started while another one runs
	stale bool        // those that are ready were started before one that was in use has changed files

	copying copying
}

// another returns a server that nobody has talked to: one that was started before, or a new one. Then it
// starts others, while the server runs: so one that does not run beside another is noticed.
func (g *Group) another(s *Spec) (r *run, err error) {
	if s.Role != Server {
		return g.launch(s)
	}
	g.mu.Lock()
	p := g.sparesOf(s.Name)
	p.taken++
	g.mu.Unlock()
	if r = g.copyOf(p); r != nil {
		g.add(r)
		return r, nil
	}
	if r, err = g.uncopied(s, p); err != nil || !g.copyable(s) || !g.freeze(p, r) {
		return r, err
	}
	if c := g.copyOf(p); c != nil {
		g.add(c)
		return c, nil
	}
	return g.uncopied(s, p) // it is frozen for nothing
}

// sparesOf returns the spares of a server. The caller holds g.mu.
func (g *Group) sparesOf(name string) *spares {
	p := g.spares[name]
	if p == nil {
		p = new(spares)
		g.spares[name] = p
	}
	return p
}

// uncopied is another, for a run that is no copy.
func (g *Group) uncopied(s *Spec, p *spares) (r *run, err error) {
	g.mu.Lock()
	stale := p.stale
	p.stale = false
	g.mu.Unlock()
	if stale {
		g.giveUpSpares(p)
	}
	g.mu.Lock()
	var first chan *run
	if len(p.ready) > 0 {
		first, p.ready = p.ready[0], p.ready[1:]
	}
	g.mu.Unlock()
	if first != nil {
		if r = <-first; r != nil && !r.dead() {
			g.add(r)
		} else {
			g.giveUpSpares(p)
			r = nil
		}
	}
	if r == nil {
		if r, err = g.launch(s); err != nil {
			return nil, err
		}
	}
	for !g.mayCopy(s, p) && g.startSpare(s, p) {
	}
	return r, nil
}

// mayCopy reports whether copies of a server are made, or it is not known yet that none are: then there is no use for spares.
func (g *Group) mayCopy(s *Spec, p *spares) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.copyable(s) && p.copying.refused == nil
}

// startSpare starts one more server, unless there are enough: as many as were needed up to now, since who has
// needed one may need no other.
func (g *Group) startSpare(s *Spec, p *spares) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || p.alone || len(p.ready) >= min(p.taken, maxSpares) {
		return false
	}
	there := make(chan *run, 1)
	p.ready = append(p.ready, there)
	g.launches.Go(func() {
		r, err := g.launchFor(s, func(*run) {}) // it is noted when it is needed: how many are, does not depend on time
		if err != nil {
			r = nil // if it is not for the others that run, who needs one will hear of it
		}
		there <- r
	})
	return true
}

// giveUpSpares ends what was started before it is needed, and starts no more: a server that takes a fixed
// port, or locks its files, runs once.
func (g *Group) giveUpSpares(p *spares) {
	g.mu.Lock()
	p.alone = true
	g.mu.Unlock()
	for r := range p.rest() {
		r.close()
	}
}

// rest takes all spares out.
func (p *spares) rest() iter.Seq[*run] {
	return func(yield func(*run) bool) {
		for _, there := range p.ready {
			if r := <-there; r != nil && !yield(r) {
				return
			}
		}
		p.ready = nil
	}
}
