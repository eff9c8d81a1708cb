package explore

import (
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Walks by priorities (PCT: Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010). Each actor gets a priority at random, and of those
// that can move the highest does. At a few moments, chosen at random, the one that is about to move gets a priority
// below all of these. A bug of depth d, which needs d steps in a certain order, is found by a walk with d-1 such moments, n actors
// and at most k steps with a probability of at least 1/(n·k^(d-1)), whatever the program is. That is about
// orders: where an actor has a choice of its own each outcome has the same probability.
type priorities struct {
	dice    dice
	depth   int
	length  int            // the moments are among so many steps
	moments []int          // by the priority that whoever is about to move gets then
	low     map[uint64]int // who has such a priority
	high    []uint64       // the others that were seen, from the lowest to the highest
	seen    map[uint64]bool
	steps   int

	// Memory of choose, which the next walk uses too.
	own    []lts.Step
	actors []uint64 // of the steps
}

// maxBugDepth is the largest depth of bugs that walks are made for.
const maxBugDepth = 4

// firstLength is how long the first walk is taken to be.
const firstLength = 100

func newPriorities(d dice, depth, length int) *priorities {
	p := &priorities{
		dice: d, depth: depth, length: length,
		low: make(map[uint64]int), seen: make(map[uint64]bool),
	}
	for range depth - 1 {
		p.moments = append(p.moments, p.dice.below(p.length))
	}
	return p
}

// choose chooses a step of the actor with the highest priority.
func (p *priorities) choose(c *cursor, steps []lts.Step) lts.Step {
	p.actors = p.actors[:0]
	for i, s := range steps {
		who := c.individual(s)
		p.actors = append(p.actors, who)
		if (i == 0 || who != p.actors[i-1]) && !p.seen[who] {
			p.seen[who] = true
			p.high = slices.Insert(p.high, p.dice.below(len(p.high)+1), who)
		}
	}
	who := p.first()
	for i, at := range p.moments {
		if at == p.steps {
			p.lower(who, i)
			who = p.first()
		}
	}
	p.steps++
	p.own = p.own[:0]
	for i, s := range steps {
		if p.actors[i] == who {
			p.own = append(p.own, s)
		}
	}
	return p.own[p.dice.below(len(p.own))]
}

// lower gives an actor one of the low priorities.
func (p *priorities) lower(who uint64, priority int) {
	if at := slices.Index(p.high, who); at >= 0 {
		p.high = slices.Delete(p.high, at, at+1)
	}
	p.low[who] = priority
}

// first returns who has the highest priority of those that can move.
func (p *priorities) first() (who uint64) {
	best := -1
	for i, own := range p.actors {
		if i > 0 && own == p.actors[i-1] {
			continue // it has several steps
		}
		at, lowered := p.low[own]
		if !lowered {
			at = len(p.moments) + slices.Index(p.high, own)
		}
		if at > best {
			best, who = at, own
		}
	}
	return who
}

// Walks is what walks have shown.
type Walks struct {
	Number int64
	missed [maxBugDepth]float64 // logarithm of the probability that a bug of depth 1, 2 and so on was not found
	// The most steps and actors of a walk. What is known of bugs is about these.
	longest, actors int
	cut             int // how long a walk was that did not come to an end, the longest one
}

// add counts a walk of some steps, that had to end before a limit. Which walks count must not depend on how they went: where those that go wrong
// are the longest, the others show nothing. So a walk counts if all with such a limit have come to an end, and one with more
// steps or actors than all others is the first that counts.
func (w *Walks) add(p *priorities, ended bool, steps, limit int) {
	if !ended && limit > w.cut {
		w.cut, w.missed = limit, [maxBugDepth]float64{}
	}
	if steps > p.length || len(p.seen) > w.actors {
		w.missed = [maxBugDepth]float64{}
	}
	w.longest, w.actors = max(w.longest, steps), max(w.actors, len(p.seen))
	if limit <= w.cut || steps > p.length {
		return
	}
	chance := 1 / (float64(max(w.actors, 1)) * math.Pow(float64(p.length), float64(p.depth-1)))
	for d := range p.depth {
		if chance < 1 {
			w.missed[d] += math.Log1p(-chance)
		} else {
			w.missed[d] = math.Inf(-1)
		}
	}
}

// Chance returns the least probability with which the walks have found a bug of a depth, if there is one:
// something that goes wrong if depth steps come in a certain order.
func (w *Walks) Chance(depth int) float64 {
	if depth < 1 || depth > maxBugDepth {
		return 0
	}
	return -math.Expm1(w.missed[depth-1])
}
