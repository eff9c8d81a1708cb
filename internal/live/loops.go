package live

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A Lasso is a way that never ends: a stem, and a loop that comes back to where it begins.
type Lasso struct {
	Promise int // which one is never kept, -1 if it is a livelock
	Stem    lts.Path
	Loop    lts.Path
	// Outside says that somebody outside may still act in the loop, so that it need not go on for ever.
	Outside bool
}

// Options say what is looked for.
type Options struct {
	Livelock bool
	All      bool        // all livelocks, and not one only
	Stop     func() bool // when to give up; nil for never
	Room     int64       // how many bytes may be taken besides those that Recorder.Bytes tells, 0 for any number
}

// An Answer is what was found. If it is not complete, there may be more.
type Answer struct {
	Lassos   []Lasso
	Stopped  bool // by Options.Stop
	NoMemory bool
}

// Loops looks for promises that are never kept and, if that is asked for, for livelocks. Only states count of which all
// steps were taken, so what it finds is there also if the search was not complete.
func (r *Recorder) Loops(o Options) Answer {
	stop := o.Stop
	if stop == nil {
		stop = func() bool { return false }
	}
	g := r.graph()
	f := newFinder(g, stop, o.Room)
	short := g.shortest()
	var a Answer
	f.free = true
	for _, n := range g.promises() {
		states := g.which(func(s *stance) bool { return slices.Contains(s.owed, n) })
		f.fair(states, func(edge) bool { return true }, func(p *part, t *threads) bool {
			l := t.lasso(short)
			l.Promise = int(n)
			l.Outside = slices.ContainsFunc(p.states, func(s uint32) bool { return g.stance(s).outside })
			if !l.Outside { // it says more than those before
				a.Lassos = slices.DeleteFunc(a.Lassos, func(l Lasso) bool { return l.Promise == int(n) })
			}
			a.Lassos = append(a.Lassos, l)
			return l.Outside
		})
	}
	if o.Livelock && (o.All || len(a.Lassos) == 0) {
		f.free = false // a loop that somebody may end by choice is not one of which there is no end
		states := g.which(func(s *stance) bool { return !s.outside && !s.over })
		f.fair(states, func(e edge) bool { return !g.motion(e).progress }, func(p *part, t *threads) bool {
			if t.idle() {
				l := t.lasso(short)
				l.Promise = -1
				a.Lassos = append(a.Lassos, l)
				return o.All
			}
			return true
		})
	}
	a.Stopped, a.NoMemory = stop(), f.full
	return a
}

// promises lists those that are owed somewhere.
func (g *graph) promises() (list []int32) {
	for i := range g.stances {
		for _, n := range g.stances[i].owed {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	slices.Sort(list)
	return list
}

// which returns the states of a kind of which all steps were taken.
func (g *graph) which(is func(s *stance) bool) (list []uint32) {
	kinds := make([]bool, len(g.stances))
	for i := range g.stances {
		kinds[i] = is(&g.stances[i])
	}
	for s := range g.states {
		if g.whole(uint32(s)) && kinds[g.states[s].stance] {
			list = append(list, uint32(s))
		}
	}
	return list
}

// idle reports whether a part without progress is a livelock: everybody who moves in it does nothing but look, or looks, acts and
// could get out of it at another moment. Who acts and has no way out may be made to go around.
func (t *threads) idle() bool {
	return !slices.ContainsFunc(t.about, func(a about) bool { return a.stays && a.moves && (!a.looks || a.acts && !a.exits) })
}

// lasso makes a way to the part, and one around in it on which everybody moves who is ever able to.
func (t *threads) lasso(short *tree) Lasso {
	start := 0
	for i, s := range t.p.states {
		if short.depth[s] < short.depth[t.p.states[start]] {
			start = i
		}
	}
	w := &round{threads: t, now: start}
	for v := int(t.first[start]); v < int(t.first[start+1]); v++ {
		w.where = append(w.where, v)
	}
	for i := range w.where {
		for w.where[i] >= 0 {
			w.go1(i)
		}
	}
	if len(w.loop) == 0 {
		w.take(t.p.of(start)[0])
	}
	for w.now != start {
		w.home(start)
	}
	return Lasso{Stem: short.path(t.p.states[start]), Loop: w.loop}
}

// A round is a walk through a part.
type round struct {
	*threads
	now   int   // the place of the state
	where []int // by actor at the start: its node, -1 if it needs not be looked after any more
	loop  lts.Path
}

// take takes a step.
func (w *round) take(e kept) {
	m := w.motion(e)
	for i, v := range w.where {
		if v < 0 {
			continue
		}
		actor := w.actor(v)
		if after := m.after[actor]; after < 0 || m.moves(actor) {
			w.where[i] = -1
		} else {
			w.where[i] = int(w.first[e.to]) + int(after)
		}
	}
	w.loop = append(w.loop, w.p.g.edges[e.edge].step)
	w.now = int(e.to)
}

// go1 goes the shortest way after which an actor has moved, or need not: it is gone, or stays where it is never able to.
func (w *round) go1(i int) {
	v := w.where[i]
	if w.rests(v) {
		w.where[i] = -1
		return
	}
	walk(w, v, func(u, k int) bool {
		n := w.next(u, k)
		return n < 0 || w.motion(w.p.of(int(w.at[u]))[k]).moves(w.actor(u)) || w.rests(n)
	}, func(u int) int { return int(w.at[u]) }, w.next)
}

// rests reports whether the actor of a node is never able to move from there on.
func (w *round) rests(v int) bool {
	a := &w.about[w.comp[v]]
	return a.stays && !a.able
}

// home goes the shortest way to a state.
func (w *round) home(start int) {
	walk(w, w.now, func(u, k int) bool { return int(w.p.of(u)[k].to) == start }, func(u int) int { return u },
		func(u, k int) int { return int(w.p.of(u)[k].to) })
}

// walk takes the shortest way from a node whose last step is a wanted one. Nodes may be more than states.
func walk(w *round, from int, wanted func(u, k int) bool, stateOf func(u int) int, next func(u, k int) int) {
	type step struct{ from, k int }
	came := map[int]step{from: {-1, 0}}
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		u := queue[0]
		for k := range w.p.of(stateOf(u)) {
			if wanted(u, k) {
				way := []step{{u, k}}
				for s := came[u]; s.from >= 0; s = came[s.from] {
					way = append(way, s)
				}
				for _, s := range slices.Backward(way) {
					w.take(w.p.of(stateOf(s.from))[s.k])
				}
				return
			}
			if n := next(u, k); n >= 0 {
				if _, ok := came[n]; !ok {
					came[n] = step{u, k}
					queue = append(queue, n)
				}
			}
		}
	}
	panic("live: no way in a part that is connected")
}
