package explore

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// What goes wrong often needs two operations on one thing in another order than they are done in nearly always: two requests that take
// two locks, one of them in the wrong order, seldom come at the same moment. A walk shows which operations there are. So of two
// operations on the same thing, of which the second could as well have come first, the second is put first on another walk:
//
//	walk     ab: lock a, lock b, unlock b, unlock a      ba: lock b, lock a, …
//	script   ab: lock a                                  ba: lock b           (all that does not come after ab's lock b)
//
// and goes on at random. That is how dynamic partial-order reduction (Flanagan and Godefroid, POPL 2005) finds out which other orders
// there are. Here only operations count that are not those of a library, whose orders are many and seldom what is wrong; and
// nothing is proved by it.
type reversals struct {
	operations map[uint64][]*pastStep // own ones of the walk, by thing
	scripts    []script               // for walks to come
	scripted   int                    // steps of all of them
	proposed   map[uint64]bool        // by digest
	own        int                    // own operations of the last walk that was noted
}

const (
	maxOperations = 64      // own ones on a thing that are kept
	maxSteps      = 1 << 16 // of scripts that wait
	maxProposed   = 1 << 16
	maxScripted   = 3   // walks with scripts, for one without
	fewOwn        = 64  // own operations of a walk: where there are more, orders are too many to be tried
	manyOwn       = 512 // and only one of eight walks is noted
	manyActors    = 32  // the same
)

// crowded reports whether the last walk that was noted had so many operations, or actors, that others are worth more without being noted.
func (p *past) crowded() bool { return p.own > manyOwn || len(p.actors) > manyActors }

// A script is steps of a walk that another one begins with.
type script []*pastStep

// operated notes an own operation, and which ones it could have come before.
func (p *past) operated(b *pastStep, at int) {
	p.own++
	actor := &p.actors[b.actor]
	b.digest = mix(actor.own ^ mix(actor.id))
	for _, place := range b.places {
		var last *pastStep
		for _, a := range p.operations[place.Thing] {
			if a.actor != b.actor && a.acts(place) {
				last = a
				if b.before.of(a.actor) < a.nth() {
					p.propose(a, b, at)
				}
			}
		}
		if last != nil {
			b.digest = mix(b.digest ^ last.digest)
		}
		if list := p.operations[place.Thing]; len(list) < maxOperations && !slices.Contains(list, b) {
			p.operations[place.Thing] = append(list, b)
		}
	}
	actor.own = b.digest
}

// acts reports whether an operation acts on a place.
func (p *pastStep) acts(place lts.Place) bool {
	return slices.ContainsFunc(p.places, func(o lts.Place) bool { return o.Conflicts(place) })
}

// propose has another walk begin with b, which comes after a on this one, before a.
func (p *past) propose(a, b *pastStep, at int) {
	digest := mix(p.actors[b.actor].own ^ mix(p.actors[b.actor].id) ^ mix(a.digest+1))
	if p.scripted >= maxSteps || len(p.proposed) >= maxProposed || p.proposed[digest] {
		return
	}
	p.proposed[digest] = true
	var list script
	for _, s := range p.steps[:at] {
		if !s.after(a) {
			list = append(list, s.line())
		}
	}
	p.scripts = append(p.scripts, append(list, b.line()))
	p.scripted += len(list) + 1
}

// line is a step as a script has it, without what came before it.
func (p *pastStep) line() *pastStep {
	if p.copied == nil {
		p.copied = &pastStep{step: p.step, who: p.who, movers: p.movers}
	}
	return p.copied
}

// script returns what the next walk begins with, nil if that is nothing.
func (p *past) script() script {
	if len(p.scripts) == 0 {
		return nil
	}
	s := p.scripts[0]
	p.scripts = slices.Delete(p.scripts, 0, 1)
	p.scripted -= len(s)
	return s
}
