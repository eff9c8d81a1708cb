package execute

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bitset"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/reduce"
)

// A reduction is machines that run side by side, as what is reduced. A program alone is a
// group of one. The actors of each machine are its goroutines, in the order of the state, and
// its clock; those of the next machine come behind them.
type reduction struct {
	reduce.Reducer
	found  *reduce.Guesses // what turned out
	ms     []*drive.Machine
	first  []int // by machine: its first actor
	actors []effect.Actor
	steps  []jointStep
	twins  []bool                             // by actor: it can be exchanged for the one before it
	spares []func(i int, t effect.Token) bool // by machine, see Look

	held bool // see Group.Held
}

// A jointStep is a step of one of several machines.
type jointStep struct {
	machine int
	drive.Step
}

// newReduction returns a reduction that goes by what is known of guesses.
func newReduction(known *reduce.Guesses) *reduction {
	return &reduction{Reducer: reduce.Reducer{Known: known}, found: known.Like()}
}

// noticer is told what the machines do that hardly ever happens.
func (r *reduction) noticer() drive.Noticer {
	if r.Known == nil {
		return nil
	}
	return func(a *effect.Actor, t effect.Token) { r.Known.Notice(a, t, r.found) }
}

// enabled returns the steps that machines can take, as long as it is good.
func (r *reduction) enabled(ms []*drive.Machine) []jointStep {
	r.ms, r.steps = ms, r.steps[:0]
	clocks := false
	for i, m := range ms {
		for _, st := range m.Steps() {
			r.steps = append(r.steps, jointStep{i, st})
			clocks = clocks || st.Who == drive.ClockStep
		}
	}
	r.held = len(ms) == 1 && ms[0].Held()
	if len(ms) > 1 && ms[0].Bounded() {
		r.together(clocks)
	}
	return r.steps
}

// together takes away the steps of clocks that must not move yet. All machines have one time: the next
// alarm of all is the first, and it comes only after those who can run, of whatever machine, unless they may be so late.
func (r *reduction) together(clocks bool) {
	next, any := int64(math.MaxInt64), false
	for _, m := range r.ms {
		if away, ok := m.NextAlarm(); ok {
			next, any = min(next, away), true
		}
	}
	r.held = any && anybodyRuns(r.ms) && !r.ms[0].MayPass(next)
	if r.held {
		r.ms[0].Meet(drive.MetLate)
	}
	if !clocks {
		return
	}
	r.steps = slices.DeleteFunc(r.steps, func(j jointStep) bool {
		if j.Who != drive.ClockStep || r.ms[j.machine].BubbleTicks(j.Alt) {
			return false
		}
		away, _ := r.ms[j.machine].NextAlarm()
		return r.held || away != next
	})
}

// anybodyRuns reports whether somebody of one of the machines can run.
func anybodyRuns(ms []*drive.Machine) bool { return slices.ContainsFunc(ms, (*drive.Machine).Busy) }

// reduced returns the steps of machines that are enough to follow. The list is good until
// the next one is asked for.
func (r *reduction) reduced(ms []*drive.Machine) []jointStep {
	r.enabled(ms)
	if len(r.steps) < 2 || r.sameActor(r.steps[0], r.steps[len(r.steps)-1]) {
		return r.steps
	}
	r.findTwins()
	set := r.Stubborn(r)
	for _, m := range ms {
		m.Steps() // taking steps has made it forget them
	}
	if set != nil {
		r.steps = slices.DeleteFunc(r.steps, func(st jointStep) bool { return !set.Has(r.actorOf(st)) })
	}
	return r.firstTwins()
}

// findTwins finds out which goroutines can be exchanged.
func (r *reduction) findTwins() {
	r.twins = r.twins[:0]
	for _, m := range r.ms {
		for i := range m.Goroutines() {
			r.twins = append(r.twins, m.Twin(i))
		}
		r.twins = append(r.twins, false) // the clock
	}
}

// firstTwins leaves out, of steps that are enough to follow, those of goroutines for which another one that has steps among them can be exchanged.
func (r *reduction) firstTwins() []jointStep {
	last, end := -1, 0 // whose steps are kept, and where the row of those ends who can be exchanged for it
	return slices.DeleteFunc(r.steps, func(st jointStep) bool {
		a := r.actorOf(st)
		if a > last && a < end {
			return true
		}
		if a != last {
			for last, end = a, a+1; end < len(r.twins) && r.twins[end]; end++ {
			}
		}
		return false
	})
}

// sameActor reports whether two steps are of one actor.
func (r *reduction) sameActor(a, b jointStep) bool { return a.machine == b.machine && a.Who == b.Who }

// actorOf returns the actor of a step.
func (r *reduction) actorOf(st jointStep) int {
	if st.Who == drive.ClockStep {
		return r.first[st.machine] + len(r.ms[st.machine].Goroutines())
	}
	return r.first[st.machine] + st.Who
}

// Actors appends the actors.
func (r *reduction) Actors(dst []effect.Actor) []effect.Actor {
	r.first = r.first[:0]
	for _, m := range r.ms {
		r.first = append(r.first, len(dst))
		for i := range len(m.Goroutines()) + 1 {
			dst = append(dst, m.Actor(i))
		}
	}
	r.actors = dst
	return dst
}

// Look begins with the state.
func (r *reduction) Look(spares func(actor int, t effect.Token) bool) {
	for i, m := range r.ms {
		if i == len(r.spares) {
			r.spares = append(r.spares, func(k int, t effect.Token) bool { return spares(r.first[i]+k, t) })
		}
		m.Look(r.spares[i])
	}
}

// Compare orders actors: main comes last, and of the others who was born last comes first, so that goroutines that
// have to do with each other are followed up to their end before others are, and not a bit of each in turn.
func (r *reduction) Compare(a, b int) int {
	x, y := r.actors[b].Birth, r.actors[a].Birth
	return cmp.Or(cmp.Compare(r.turn(a), r.turn(b)), cmp.Compare(len(x), len(y)), strings.Compare(x, y), cmp.Compare(r.machineOf(b), r.machineOf(a)), cmp.Compare(a, b))
}

// turn is 0 for goroutines that have no name or one of their own, 1 for main and 2 for the clock.
func (r *reduction) turn(actor int) int {
	switch a := &r.actors[actor]; {
	case a.Clock:
		return 2
	case a.Birth == drive.MainBirth:
		return 1
	}
	return 0
}

func (r *reduction) machineOf(actor int) int {
	i := len(r.first) - 1
	for r.first[i] > actor {
		i--
	}
	return i
}

// Moving adds the actors that have steps. Of those that can be exchanged it is the first.
func (r *reduction) Moving(set bitset.Set) {
	for _, st := range r.steps {
		if a := r.actorOf(st); !r.twins[a] {
			set.Add(a)
		}
	}
}

// Footprint adds what the next steps of an actor act on.
func (r *reduction) Footprint(actor int, f *effect.Footprint) {
	i := r.machineOf(actor)
	r.ms[i].Footprint(actor-r.first[i], f)
}

// Holders adds all who may ever act on something.
func (r *reduction) Holders(t effect.Token, set bitset.Set) {
	p := int(t.Process)
	if p < len(r.ms) && r.ms[p].Holders(t, r.first[p], set) {
		return
	}
	set.AddRange(0, len(r.actors))
}
