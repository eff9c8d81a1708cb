package reduce

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/heddle-mc/heddle/internal/bitset"
	"github.com/heddle-mc/heddle/internal/effect"
)

var _ = register("ahead", func() Guess { return newAhead() })

// ahead guesses that whoever stands at a place in the code goes on as somebody was seen to go on
// from there. It knows the places, which ones are reached from which, and on what classes of things
// is acted from each. So it knows what may lie ahead of an actor:
//
//	serve ──► lock server ──► write conn ──► lock server ──► end
//	   server, conn               server            nothing
//
// An actor with nothing of a class ahead of it will not act on things of that class, though it
// may have pointers to them. A step that leads to another place, or acts on more, than was
// seen before refutes the guess.
type ahead struct {
	places map[uint64]*place
	full   bool // there are too many places: nothing is guessed any more
	known  atomic.Pointer[future]
}

// A place is one in the code.
type place struct {
	next map[uint64]bool
	acts map[uint64]bool // by class: whether it is written
}

// mostPlaces is how many there may be. More are those of deep recursions.
const mostPlaces = 1 << 14

func newAhead() *ahead { return &ahead{places: map[uint64]*place{}} }

func (h *ahead) Kinds() []effect.Kind { return []effect.Kind{effect.Class, effect.Way} }

func (h *ahead) Drops(effect.Token) bool { return false }

func (h *ahead) Spares(a *effect.Actor, t effect.Token) bool {
	if h.full || t.Kind != effect.Class {
		return false
	}
	return !h.future().may(a.Place, uint64(t.Number), t.Size != 0)
}

func (h *ahead) Refuted(a *effect.Actor, t effect.Token) bool {
	if h.full {
		return false
	}
	p := h.places[a.Place]
	switch {
	case p == nil:
		return true
	case t.Kind == effect.Way:
		return !p.next[uint64(t.Number)]
	}
	written, ok := p.acts[uint64(t.Number)]
	return !ok || t.Size != 0 && !written
}

func (h *ahead) Learn(a *effect.Actor, t effect.Token) {
	p := h.at(a.Place)
	if t.Kind == effect.Way {
		p.next[uint64(t.Number)] = true
		h.at(uint64(t.Number))
	} else {
		p.acts[uint64(t.Number)] = p.acts[uint64(t.Number)] || t.Size != 0
	}
	h.changed()
}

// at returns a place, which may be new.
func (h *ahead) at(n uint64) *place {
	p := h.places[n]
	if p == nil {
		p = &place{next: map[uint64]bool{}, acts: map[uint64]bool{}}
		h.places[n] = p
	}
	return p
}

// changed forgets what was made of what was known.
func (h *ahead) changed() {
	h.known.Store(nil)
	h.full = h.full || len(h.places) > mostPlaces
}

func (h *ahead) Merge(o Guess) (news bool) {
	other := o.(*ahead)
	if h.full {
		return false
	}
	for n, q := range other.places {
		p := h.places[n]
		news = news || p == nil
		p = h.at(n)
		for to := range q.next {
			news = news || !p.next[to]
			p.next[to] = true
		}
		for class, written := range q.acts {
			was, ok := p.acts[class]
			news = news || !ok || written && !was
			p.acts[class] = was || written
		}
	}
	news = news || other.full
	h.full = other.full
	if news {
		h.changed()
	}
	return news
}

// A future is what may lie ahead, by place.
type future struct {
	classes map[uint64]int
	acts    map[uint64]bitset.Set // all that is acted on
	writes  map[uint64]bitset.Set // of that, what is written
}

// may reports whether who stands at a place may act on a class, or write it.
func (f *future) may(at, class uint64, write bool) bool {
	acts := f.acts[at]
	if acts.Has(0) { // anything
		return true
	}
	n, ok := f.classes[class]
	if write {
		return ok && f.writes[at].Has(n)
	}
	return ok && acts.Has(n)
}

// future returns what follows from what is known.
func (h *ahead) future() *future {
	f := h.known.Load()
	if f == nil { // two workers may find it out side by side, and find the same
		f = h.lookAhead()
		h.known.Store(f)
	}
	return f
}

// lookAhead collects for each place what is acted on there, and wherever can be reached from there.
func (h *ahead) lookAhead() *future {
	f := &future{map[uint64]int{effect.AnyClass: 0}, map[uint64]bitset.Set{}, map[uint64]bitset.Set{}}
	for _, p := range h.places {
		for class := range p.acts {
			if _, ok := f.classes[class]; !ok {
				f.classes[class] = len(f.classes)
			}
		}
	}
	for n, p := range h.places {
		acts, writes := bitset.Make(len(f.classes)), bitset.Make(len(f.classes))
		for class, written := range p.acts {
			if acts.Add(f.classes[class]); written {
				writes.Add(f.classes[class])
			}
		}
		f.acts[n], f.writes[n] = acts, writes
	}
	order := h.deepestFirst()
	for again := true; again; { // twice, and once more for each loop in a loop
		again = false
		for _, n := range order {
			acts, writes := f.acts[n], f.writes[n]
			for to := range h.places[n].next {
				if !f.acts[to].Within(acts) || !f.writes[to].Within(writes) {
					acts.Union(f.acts[to])
					writes.Union(f.writes[to])
					again = true
				}
			}
		}
	}
	return f
}

// deepestFirst returns the places, each behind those that it leads to, but for loops.
func (h *ahead) deepestFirst() []uint64 {
	type visit struct {
		at   uint64
		next []uint64
	}
	var order []uint64
	var stack []visit
	seen := map[uint64]bool{}
	enter := func(n uint64) {
		if !seen[n] {
			seen[n] = true
			stack = append(stack, visit{n, slices.Collect(maps.Keys(h.places[n].next))})
		}
	}
	for n := range h.places {
		for enter(n); len(stack) > 0; {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				order = append(order, top.at)
				stack = stack[:len(stack)-1]
				continue
			}
			n := top.next[0]
			top.next = top.next[1:]
			enter(n)
		}
	}
	return order
}

// placeKnown is how a place is written down.
type placeKnown struct {
	At     uint64   `json:"at"`
	Next   []uint64 `json:"next,omitempty"`
	Reads  []uint64 `json:"reads,omitempty"`
	Writes []uint64 `json:"writes,omitempty"`
}

// aheadKnown is how it is written down.
type aheadKnown struct {
	Places []placeKnown `json:"places"`
	Full   bool         `json:"full,omitempty"`
}

func (h *ahead) MarshalJSON() ([]byte, error) {
	k := aheadKnown{Places: []placeKnown{}, Full: h.full}
	for n, p := range h.places {
		w := placeKnown{At: n, Next: slices.Sorted(maps.Keys(p.next))}
		for _, class := range slices.Sorted(maps.Keys(p.acts)) {
			if p.acts[class] {
				w.Writes = append(w.Writes, class)
			} else {
				w.Reads = append(w.Reads, class)
			}
		}
		k.Places = append(k.Places, w)
	}
	slices.SortFunc(k.Places, func(a, b placeKnown) int { return cmp.Compare(a.At, b.At) })
	return json.Marshal(k)
}

func (h *ahead) UnmarshalJSON(data []byte) error {
	var k aheadKnown
	if err := json.Unmarshal(data, &k); err != nil {
		return err
	}
	for _, w := range k.Places {
		p := h.at(w.At)
		for _, to := range w.Next {
			p.next[to] = true
			h.at(to)
		}
		for _, class := range w.Reads {
			if !p.acts[class] {
				p.acts[class] = false
			}
		}
		for _, class := range w.Writes {
			p.acts[class] = true
		}
	}
	h.full = k.Full
	h.changed()
	return nil
}
