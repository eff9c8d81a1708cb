package conform

import (
	"fmt"
	"io"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Kind is the kind of finding that a difference is.
const Kind = "difference"

// DefaultLimit is how many states of a model are kept if nothing is said.
const DefaultLimit = 5_000_000

// A Program is a transition system that tells what its steps do.
type Program interface {
	lts.System
	lts.Observed
}

// Options say what is compared.
type Options struct {
	// Action returns which action a label of the model is, "" if it is internal. Nil
	// means that each label is the action that its text says.
	Action func(l lts.Label) string
	// Input reports whether a step of the model with this label comes from outside, so
	// that the model may wait for it for ever: one that ends is such a step, too. Nil
	// means that none does.
	Input func(l lts.Label) bool
	// Quiescence says that a program which does nothing more, where the model must go
	// on, differs.
	Quiescence bool
	// Limit is how many states of the model are kept at most, 0 for DefaultLimit.
	Limit int
}

// A System is a program with the set of states that its model may be in. Its steps
// are those of the program. After a difference there are none.
type System struct {
	program Program
	model   *model
	start   int32 // the set of the initial state, after what was observed before it
	first   *difference
	set     int32
	last    *difference // of the step just taken
	marks   []mark
	seen    []lts.Observation
	trail   []following // what the model has followed of it
	begun   []following // before the initial state
	steps   []lts.Step
	atStart bool
	quiet   bool // a program that stops may differ
}

// A Still program knows whether nothing happens any more because nothing can. It is
// asked where no step is enabled.
type Still interface{ Still() bool }

// A mark is a mark of the program with the set.
type mark struct {
	program lts.Mark
	set     int32
}

// A difference is an observation that the model does not allow.
type difference struct {
	what lts.Observation
	from int32 // set
}

// New puts a program and a model together. Both are the system's from now on.
func New(p Program, m Model, o Options) (*System, error) {
	if o.Action == nil {
		o.Action = m.LabelText
	}
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	s := &System{program: p, model: newModel(m, o), quiet: o.Quiescence}
	p.Reset()
	s.set = s.model.first()
	s.observe()
	s.start, s.first, s.last = s.set, s.last, nil
	s.begun = slices.Clone(s.trail)
	s.atStart = true
	return s, nil
}

// observe has the model follow what was observed.
func (s *System) observe() {
	s.last, s.trail = nil, s.trail[:0]
	s.seen = s.program.Observed(s.seen[:0])
	for i, x := range s.seen {
		next := s.model.after(s.set, x.Action)
		if next == none && s.model.err == nil {
			s.last = &difference{x, s.set}
		} else if next != none {
			s.trail = append(s.trail, following{s.set, plain(x.Action)})
		}
		s.set = next
		if next == none {
			s.seen = s.seen[:i+1] // what follows nobody asks for
			return
		}
	}
}

// Reset goes to the initial state.
func (s *System) Reset() {
	s.program.Reset()
	s.set, s.last, s.marks, s.atStart = s.start, nil, s.marks[:0], true
}

// Enabled appends the steps of the program.
func (s *System) Enabled(dst []lts.Step) []lts.Step {
	if s.ended() {
		return dst
	}
	return s.program.Enabled(dst)
}

// ended reports whether nothing follows.
func (s *System) ended() bool { return s.set == none || s.model.err != nil }

// Reduced appends the steps of the program that are enough.
func (s *System) Reduced(dst []lts.Step) []lts.Step {
	if s.ended() {
		return dst
	}
	return lts.Steps(s.program, dst, true)
}

// Take takes a step of the program.
func (s *System) Take(step lts.Step) lts.Label {
	l := s.program.Take(step)
	s.atStart = false
	s.observe()
	return l
}

// Save marks the current state.
func (s *System) Save() lts.Mark {
	s.marks = append(s.marks, mark{s.program.Save(), s.set})
	return lts.Mark(len(s.marks) - 1)
}

// Restore goes back to a mark.
func (s *System) Restore(m lts.Mark) {
	to := s.marks[m]
	s.program.Restore(to.program)
	s.marks = s.marks[:m+1]
	s.set, s.last, s.atStart = to.set, nil, false
}

// AppendKey appends the key of the program's state, and the digest of the model's.
func (s *System) AppendKey(dst []byte) []byte {
	return append(s.program.AppendKey(dst), s.model.list[s.set].digest...)
}

// CheckState appends what is wrong with the state of the program.
func (s *System) CheckState(dst []diag.Finding) []diag.Finding {
	if s.atStart && s.first != nil {
		dst = append(dst, s.finding(s.first))
	}
	if s.stopped() {
		dst = append(dst, s.stopFinding())
	}
	if c, ok := s.program.(lts.Checker); ok {
		dst = c.CheckState(dst)
	}
	return dst
}

// CheckStep appends what was wrong with the step just taken: also that the model
// does not allow it.
func (s *System) CheckStep(dst []diag.Finding) []diag.Finding {
	if s.last != nil {
		dst = append(dst, s.finding(s.last))
	}
	if c, ok := s.program.(lts.Checker); ok {
		dst = c.CheckStep(dst)
	}
	return dst
}

// finding tells of a difference.
func (s *System) finding(d *difference) diag.Finding {
	return diag.Finding{Kind: Kind, Pos: d.what.Pos,
		Message: fmt.Sprintf("the program does %s, the model allows %s", spaced(plain(d.what.Action)), s.model.allowed(d.from, false))}
}

// stopped reports whether the program does nothing more where the model must go on.
func (s *System) stopped() bool {
	if !s.quiet || s.ended() || s.model.stops(s.set) || s.model.err != nil {
		return false
	}
	if s.steps = s.program.Enabled(s.steps[:0]); len(s.steps) > 0 {
		return false
	}
	if b, ok := s.program.(lts.Bounded); ok && b.Beyond() != nil {
		return false
	}
	still, ok := s.program.(Still)
	return !ok || still.Still()
}

// Stops is how the message about a program begins that does nothing more.
const Stops = "the program stops"

// stopFinding tells that the program does nothing more.
func (s *System) stopFinding() diag.Finding {
	f := diag.Finding{Kind: Kind, Message: fmt.Sprintf("%s, the model goes on with %s", Stops, s.model.allowed(s.set, true))}
	for _, w := range s.Waiting() {
		f.Pos = w.Pos
		f.Message = fmt.Sprintf("%s, the model goes on with %s; %s waits: %s", Stops, s.model.allowed(s.set, true), w.Actor, w.For)
		break
	}
	return f
}

// Final reports whether nothing more is expected of the program.
func (s *System) Final() bool {
	if f, ok := s.program.(lts.Finisher); ok && !s.ended() {
		return f.Final()
	}
	return s.ended()
}

// Beyond returns why the program, or the model, cannot be followed.
func (s *System) Beyond() error {
	if s.model.err != nil {
		return s.model.err
	}
	if b, ok := s.program.(lts.Bounded); ok && s.set != none {
		return b.Beyond()
	}
	return nil
}

// Actor returns whose step a step is, 0 if the program does not tell.
func (s *System) Actor(step lts.Step) int {
	if a, ok := s.program.(lts.Actors); ok {
		return a.Actor(step)
	}
	return 0
}

// Mover returns who took the last step.
func (s *System) Mover() int {
	if a, ok := s.program.(lts.Actors); ok {
		return a.Mover()
	}
	return 0
}

// Individual returns who takes a step of the program.
func (s *System) Individual(step lts.Step) (who uint64, outside bool) {
	if p, ok := s.program.(lts.Individuals); ok {
		return p.Individual(step)
	}
	return uint64(s.Actor(step)), false
}

// NoteActs makes steps of the program note what they act on, or ends that.
func (s *System) NoteActs(on bool) {
	if p, ok := s.program.(lts.Causal); ok {
		p.NoteActs(on)
	}
}

// Acts tells what the step just taken acted on.
func (s *System) Acts(a *lts.Acts) {
	*a = lts.Acts{}
	if p, ok := s.program.(lts.Causal); ok {
		p.Acts(a)
	}
}

// InLibrary reports whether an actor of the program stands in code that is not its user's.
func (s *System) InLibrary(actor int) bool {
	l, ok := s.program.(lts.Libraries)
	return ok && l.InLibrary(actor)
}

// Work returns how much the program has executed.
func (s *System) Work() int64 {
	if w, ok := s.program.(lts.Work); ok {
		return w.Work()
	}
	return 0
}

// LabelText returns the text of a label of the program.
func (s *System) LabelText(l lts.Label) string {
	if n, ok := s.program.(lts.Namer); ok {
		return n.LabelText(l)
	}
	return fmt.Sprint(l)
}

// Describe takes a step and tells it, with what was observed.
func (s *System) Describe(step lts.Step) lts.Event {
	var e lts.Event
	if d, ok := s.program.(lts.Describer); ok {
		e = d.Describe(step)
	} else {
		e.Action = s.LabelText(s.program.Take(step))
	}
	s.atStart = false
	s.observe()
	for _, x := range s.seen {
		e.Action += " ⇒ " + spaced(plain(x.Action))
	}
	return e
}

// Before tells what went before the initial state.
func (s *System) Before() []lts.Event {
	if p, ok := s.program.(lts.Preface); ok {
		return p.Before()
	}
	return nil
}

// Waiting tells of the actors that have no step.
func (s *System) Waiting() []lts.Waiting {
	if w, ok := s.program.(lts.Waiters); ok {
		return w.Waiting()
	}
	return nil
}

// Stacks tells where the sides of a finding of the program came from.
func (s *System) Stacks(f diag.Finding) []lts.Stack {
	if w, ok := s.program.(lts.Witness); ok {
		return w.Stacks(f)
	}
	return nil
}

// ModelStates returns how many states of the model were looked at, and Sets how many
// sets of them there are.
func (s *System) ModelStates() int { return len(s.model.states) }

// Sets returns how many sets of states the model was in.
func (s *System) Sets() int { return len(s.model.list) - 1 }

// Program returns the program.
func (s *System) Program() lts.System { return s.program }

// Close closes the program.
func (s *System) Close() error {
	if c, ok := s.program.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
