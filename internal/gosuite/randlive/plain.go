package main

import (
	"fmt"
	"slices"
)

// A state is where each goroutine stands, the shared things, and whether something is owed.
type state struct {
	at    [3]int // -1 if it has ended
	vars  [nVars]int
	held  [nLocks]bool
	full  [nChans]bool
	owed  bool
	asked bool // of Eventually: it has been kept
}

// A use is what a step is good for.
type use int

const (
	act use = iota
	look
	progress
)

// A move is a step to another state.
type move struct {
	who  int
	to   int // the number of the state
	use  use
	free bool // an outcome of verify.Bool
}

// A plain search has all states and moves.
type plain struct {
	p      Program
	states []state
	moves  [][]move
	ids    map[state]int
}

// Search executes a program in every way. It gives up, and returns nil, if there are too many states.
func Search(p Program, limit int) *plain {
	s := &plain{p: p, ids: map[state]int{}}
	start := state{}
	for i := range start.at {
		if i >= len(p.Routines) {
			start.at[i] = -1
		}
	}
	s.id(s.promised(start))
	for n := 0; n < len(s.states); n++ {
		if n > limit {
			return nil
		}
		var list []move
		for i := range p.Routines {
			for _, o := range s.outcomes(s.states[n], i) {
				list = append(list, move{i, s.id(s.promised(o.to)), o.use, o.free})
			}
		}
		s.moves = append(s.moves, list)
	}
	return s
}

func (s *plain) id(x state) int {
	n, ok := s.ids[x]
	if !ok {
		n = len(s.states)
		s.ids[x] = n
		s.states = append(s.states, x)
	}
	return n
}

// promised looks at the promise after a step.
func (s *plain) promised(x state) state {
	q := s.p.Promise
	switch {
	case q == nil:
	case q.P == nil:
		x.asked = x.asked || q.Q.holds(x)
		x.owed = !x.asked
	default:
		x.owed = (x.owed || q.P.holds(x)) && !q.Q.holds(x)
	}
	return x
}

func (c *Cond) holds(x state) bool { return x.vars[c.Var] == c.Value }

// An outcome is one way in which a goroutine moves.
type outcome struct {
	to   state
	use  use
	free bool
}

// outcomes returns the ways in which a goroutine moves, none if it has to wait or has ended.
func (s *plain) outcomes(x state, i int) []outcome {
	if x.at[i] < 0 {
		return nil
	}
	op := s.p.Routines[i][x.at[i]]
	on, jumped := x, x
	on.at[i]++
	jumped.at[i] = op.To
	one := func(to state, u use) []outcome { return []outcome{{to, u, false}} }
	switch op.Kind {
	case Store:
		if x.vars[op.X] == op.Y {
			return one(on, look)
		}
		on.vars[op.X] = op.Y
		return one(on, act)
	case IfIs, IfNot:
		if (x.vars[op.X] == op.Y) == (op.Kind == IfIs) {
			return one(jumped, look)
		}
		return one(on, look)
	case Swap:
		if x.vars[op.X] != op.Y {
			return one(jumped, look)
		}
		on.vars[op.X] = 1 - op.Y
		return one(on, act)
	case Lock:
		if x.held[op.X] {
			return nil
		}
		on.held[op.X] = true
		return one(on, act)
	case Unlock:
		on.held[op.X] = false
		return one(on, act)
	case Try:
		if x.held[op.X] {
			return one(jumped, look)
		}
		on.held[op.X] = true
		return one(on, act)
	case Send:
		if x.full[op.X] {
			return nil
		}
		on.full[op.X] = true
		return one(on, progress)
	case Recv:
		if !x.full[op.X] {
			return nil
		}
		on.full[op.X] = false
		return one(on, progress)
	case Poll:
		if !x.full[op.X] {
			return one(jumped, look)
		}
		on.full[op.X] = false
		return one(on, progress)
	case Draw:
		return []outcome{{on, act, false}, {jumped, act, false}}
	case Choose:
		return []outcome{{on, act, true}, {jumped, act, true}}
	case Done:
		on.at[i] = -1
		return one(on, progress)
	}
	panic(fmt.Sprint("operation ", op.Kind))
}

// A set is some states, by number.
type set map[int]bool

// stays returns the moves of a state that belong to a set: those that are allowed, lead to the set, and none of whose
// other outcomes does not.
func (s *plain) stays(in set, n int, allowed func(move) bool, free bool) (list []move) {
	inside := func(m move) bool { return in[m.to] && allowed(m) }
	for _, m := range s.moves[n] {
		ok := inside(m)
		for _, o := range s.moves[n] {
			ok = ok && (o.who != m.who || inside(o) || free && o.free)
		}
		if ok {
			list = append(list, m)
		}
	}
	return list
}

// reach returns what can be reached from a state within a set, by one move or more.
func (s *plain) reach(in set, from int, allowed func(move) bool, free bool) set {
	got := set{}
	for todo := []int{from}; len(todo) > 0; todo = todo[1:] {
		for _, m := range s.stays(in, todo[0], allowed, free) {
			if !got[m.to] {
				got[m.to] = true
				todo = append(todo, m.to)
			}
		}
	}
	return got
}

// fair calls yield for the largest sets of states in which all can go on for ever and nobody is left behind.
func (s *plain) fair(in set, allowed func(move) bool, free bool, yield func(set)) {
	if len(in) == 0 {
		return
	}
	forward := map[int]set{}
	for n := range in {
		forward[n] = s.reach(in, n, allowed, free)
	}
	whole := true
	for a := range in {
		for b := range in {
			whole = whole && forward[a][b]
		}
	}
	if !whole {
		rest := set{}
		for n := range in {
			rest[n] = true
		}
		for _, a := range sorted(in) {
			if !rest[a] {
				continue
			}
			delete(rest, a)
			if !forward[a][a] {
				continue
			}
			class := set{a: true}
			for b := range in {
				if forward[a][b] && forward[b][a] {
					class[b] = true
					delete(rest, b)
				}
			}
			s.fair(class, allowed, free, yield)
		}
		return
	}
	left := set{}
	for n := range in {
		left[n] = true
	}
	for i := range s.p.Routines {
		moves := false
		for n := range in {
			for _, m := range s.stays(in, n, allowed, free) {
				moves = moves || m.who == i
			}
		}
		for n := range in {
			if !moves && len(s.outcomes(s.states[n], i)) > 0 {
				delete(left, n)
			}
		}
	}
	if len(left) < len(in) {
		s.fair(left, allowed, free, yield)
		return
	}
	yield(in)
}

func sorted(in set) (list []int) {
	for n := range in {
		list = append(list, n)
	}
	slices.Sort(list)
	return list
}

// Livelock reports whether there is one.
func (s *plain) Livelock() (found bool) {
	all := set{}
	for n := range s.states {
		all[n] = true
	}
	allowed := func(m move) bool { return m.use != progress }
	s.fair(all, allowed, false, func(in set) {
		var looks, acts, exits [3]bool
		for n := range in {
			own := s.stays(in, n, allowed, false)
			for _, m := range s.moves[n] {
				switch {
				case !slices.Contains(own, m):
					exits[m.who] = true
				case m.use == look:
					looks[m.who] = true
				default:
					acts[m.who] = true
				}
			}
		}
		livelock := true
		for i := range looks {
			livelock = livelock && (!acts[i] || looks[i] && exits[i])
		}
		found = found || livelock
	})
	return found
}

// Broken reports whether the promise is not kept on some run: one that ends, or one that does not.
func (s *plain) Broken() (broken bool) {
	owed := set{}
	for n := range s.states {
		if s.states[n].owed {
			owed[n] = true
			broken = broken || len(s.moves[n]) == 0
		}
	}
	s.fair(owed, func(move) bool { return true }, true, func(set) { broken = true })
	return broken
}
