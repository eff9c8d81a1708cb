package reduce

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bitset"
	"github.com/heddle-mc/heddle/internal/effect"
)

// A Model is what is reduced: one machine, or several that run side by side. All that it
// says is about the state in which it stands, and depends on that state alone.
type Model interface {
	// Actors appends the actors. They are numbered by their places in the list.
	Actors(dst []effect.Actor) []effect.Actor
	// Look begins with the state. Spares tells of an actor whether it is taken never to act on
	// something although it could (see Guess).
	Look(spares func(actor int, t effect.Token) bool)
	// Moving adds the actors that have steps.
	Moving(set bitset.Set)
	// Compare orders actors: closed sets of those that come first are looked for first.
	Compare(a, b int) int
	// Footprint adds what the next steps of an actor act on, in all the ways in which they
	// can go, and what it waits for if it has none or if there may be more ways. A step that may
	// be one of a cycle of states acts on everything: see proviso.go.
	Footprint(actor int, f *effect.Footprint)
	// Holders adds all actors that may ever act on something. As long as none of them takes
	// a step nobody else can, since the others would have to be told of it first.
	Holders(t effect.Token, set bitset.Set)
}

// A Reducer finds the steps of a model's states that are enough to follow. The zero
// Reducer makes no guesses, and is ready for use.
type Reducer struct {
	Known *Guesses // what is known of the guesses, nil to make none

	model  Model
	spares func(actor int, t effect.Token) bool
	actors []effect.Actor
	moving bitset.Set
	needs  []needs
	order  []int
	set    bitset.Set // that is being closed
	done   bitset.Set // of those, the ones whose needs are in it
	best   bitset.Set
	print  effect.Footprint
}

// needs are the actors that belong to a closed set with an actor.
type needs struct {
	known bool
	all   bool
	who   bitset.Set
}

// Stubborn returns a closed set of actors whose steps are enough to follow from the state in
// which the model stands, nil if all steps have to be followed. The set is good until it
// is asked for again.
//
// Of several sets it takes the one in which the fewest actors have steps, and of those the
// first one in the order of actors.
func (r *Reducer) Stubborn(m Model) bitset.Set {
	r.begin(m)
	movers := r.moving.Len()
	if movers < 2 {
		return nil
	}
	least := movers
	for _, a := range r.order { // each closed set with steps is found from one of those who have them
		if r.close(a, least) {
			least = r.set.Common(r.moving)
			r.set, r.best = r.best, r.set
		}
		if least == 1 {
			break
		}
	}
	if least == movers {
		return nil
	}
	return r.best
}

// begin forgets the last state.
func (r *Reducer) begin(m Model) {
	if r.model = m; r.spares == nil {
		r.spares = func(actor int, t effect.Token) bool { return r.Known.Spares(&r.actors[actor], t) }
	}
	r.actors = m.Actors(r.actors[:0])
	n := len(r.actors)
	m.Look(r.spares)
	r.moving, r.set, r.done, r.best = r.moving.Fit(n), r.set.Fit(n), r.done.Fit(n), r.best.Fit(n)
	m.Moving(r.moving)
	for len(r.needs) < n {
		r.needs = append(r.needs, needs{})
	}
	for a := range n {
		r.needs[a].known = false
	}
	r.order = r.order[:0]
	for a := range r.moving.All() {
		r.order = append(r.order, a)
	}
	slices.SortStableFunc(r.order, m.Compare)
}

// close makes set the smallest closed set with an actor. It reports false if fewer
// than limit actors with steps are not enough for that.
func (r *Reducer) close(first, limit int) bool {
	clear(r.set)
	clear(r.done)
	r.set.Add(first)
	for a := first; a >= 0; a = r.set.Next(r.done) {
		r.done.Add(a)
		n := r.needsOf(a)
		if n.all {
			return false
		}
		r.set.Union(n.who)
		if r.set.Common(r.moving) >= limit {
			return false
		}
	}
	return true
}

// needsOf returns who belongs to a closed set with an actor: all who may ever act on what
// its next steps act on, or wait for.
func (r *Reducer) needsOf(a int) *needs {
	n := &r.needs[a]
	if n.known {
		return n
	}
	n.known, n.all, n.who = true, false, n.who.Fit(len(r.actors))
	f := &r.print
	f.Reset()
	r.model.Footprint(a, f)
	if n.all = f.Everything; n.all {
		return n
	}
	for _, list := range [...][]effect.Token{f.Reads, f.Writes, f.Waits} {
		for i := range list {
			if t := &list[i]; !r.Known.Drops(*t) {
				r.model.Holders(*t, n.who)
			}
		}
	}
	return n
}
