package confluence

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// A System is a process of which some states are left out. Its steps are those of the
// process, followed by confluent ones.
type System struct {
	base      *state.System
	confluent []bool // by summand
	label     lts.Label
	steps     []lts.Step
	err       error // why the way behind the last step is not known
}

// New returns the system of a process with the summands that Find returns. Nobody else may
// use the process.
func New(base *state.System, confluent []bool) *System {
	s := &System{base: base, confluent: confluent}
	s.Reset()
	return s
}

// Base returns the system of the process. It stands where this one does.
func (s *System) Base() *state.System { return s.base }

// Reset goes to the initial state.
func (s *System) Reset() {
	s.base.Reset()
	s.settle()
}

// Save marks the current state.
func (s *System) Save() lts.Mark { return s.base.Save() }

// Restore goes back to a mark.
func (s *System) Restore(m lts.Mark) {
	s.base.Restore(m)
	s.err = nil
}

// Enabled appends the steps. Of those that are confluent there is at most one, which goes
// round.
func (s *System) Enabled(dst []lts.Step) []lts.Step {
	if s.err != nil {
		return dst
	}
	from := len(dst)
	dst = s.base.Enabled(dst)
	kept, round := dst[:from], false
	for _, x := range dst[from:] {
		if s.confluent[s.base.Summand(x)] {
			if round {
				continue
			}
			round = true
		}
		kept = append(kept, x)
	}
	return kept
}

// Take goes to the state that a step leads to, and on by confluent ones.
func (s *System) Take(x lts.Step) lts.Label {
	s.label = s.base.Take(x)
	s.settle()
	return s.label
}

// AppendKey appends the key of the state.
func (s *System) AppendKey(dst []byte) []byte { return s.base.AppendKey(dst) }

// LabelText returns a multi-action.
func (s *System) LabelText(l lts.Label) string { return s.base.LabelText(l) }

// AppendLabelKey appends what tells a label from others.
func (s *System) AppendLabelKey(dst []byte, l lts.Label) []byte {
	return s.base.AppendLabelKey(dst, l)
}

// CheckState appends nothing: conditions on states are not for graphs that have not all.
func (s *System) CheckState(dst []diag.Finding) []diag.Finding { return dst }

// CheckStep appends the action of the last step if it must not happen.
func (s *System) CheckStep(dst []diag.Finding) []diag.Finding {
	return s.base.CheckLabel(dst, s.label)
}

// Beyond returns why the steps of the current state are not known, or nil.
func (s *System) Beyond() error {
	if s.err != nil {
		return s.err
	}
	return s.base.Beyond()
}

// Describe takes a step and tells which parameters it, and the confluent ones behind it,
// changed.
func (s *System) Describe(x lts.Step) lts.Event {
	before := s.base.Values()
	m := s.base.Save()
	event := s.base.Describe(x)
	s.base.Restore(m)
	s.Take(x)
	event.Changed = nil
	for i, v := range s.base.Values() {
		if v != before[i] {
			event.Changed = append(event.Changed, lts.Change{Name: s.base.Process().Params[i].Name, Old: before[i], New: v})
		}
	}
	return event
}

// next returns the confluent steps of the state.
func (s *System) next(dst []lts.Step) []lts.Step {
	s.steps = s.base.Enabled(s.steps[:0])
	if len(s.steps) == 0 {
		s.err = s.base.Beyond()
	}
	for _, x := range s.steps {
		if s.confluent[s.base.Summand(x)] {
			dst = append(dst, x)
		}
	}
	return dst
}

// settle goes on by confluent steps. All ways that end have the same end: of two steps
// each can be done behind the other. A way that goes round may still be left for it.
func (s *System) settle() {
	s.err = nil
	var seen map[string]bool
	var steps []lts.Step
	for n := 0; ; n++ {
		if steps = s.next(steps[:0]); len(steps) == 0 {
			return
		}
		if n >= few { // it may go round
			if seen == nil {
				seen = map[string]bool{}
			}
			key := string(s.base.AppendKey(nil))
			if seen[key] {
				s.around()
				return
			}
			seen[key] = true
		}
		s.base.Take(steps[0])
	}
}

// few is how many confluent steps are taken before it is looked whether they go round.
const few = 8

// around goes to the state with the least key of the loops that confluent steps end in, or
// to where they end, which is a loop without steps here. All ways end in the same one: it is
// the first strongly connected component that is complete (Tarjan's algorithm).
func (s *System) around() {
	type visit struct {
		key    string
		mark   lts.Mark
		steps  []lts.Step
		number int
		low    int
	}
	number := map[string]int{} // by key: when it was found; 0 for never
	arrive := func() *visit {
		key := string(s.base.AppendKey(nil))
		number[key] = len(number) + 1
		v := &visit{key: key, mark: s.base.Save(), number: number[key], low: number[key]}
		v.steps = s.next(nil)
		return v
	}
	stack := []*visit{arrive()}
	var open []string // keys in the order in which they were found
	open = append(open, stack[0].key)
	for {
		v := stack[len(stack)-1]
		if len(v.steps) > 0 {
			s.base.Restore(v.mark)
			s.base.Take(v.steps[0])
			v.steps = v.steps[1:]
			if n := number[string(s.base.AppendKey(nil))]; n > 0 {
				v.low = min(v.low, n)
				continue
			}
			stack = append(stack, arrive())
			open = append(open, stack[len(stack)-1].key)
			continue
		}
		if v.low == v.number { // all from here on is the component
			break
		}
		stack = stack[:len(stack)-1]
		up := stack[len(stack)-1]
		up.low = min(up.low, v.low)
	}
	least := open[stack[len(stack)-1].number-1]
	for _, key := range open[stack[len(stack)-1].number-1:] {
		least = min(least, key)
	}
	s.base.Restore(stack[len(stack)-1].mark)
	s.reach(least)
}

// reach goes to a state by confluent steps, breadth first.
func (s *System) reach(key string) {
	type way struct {
		from int
		step lts.Step
	}
	m := s.base.Save()
	list := []way{{from: -1}}
	seen := map[string]bool{}
	back := func(i int) {
		var path []lts.Step
		for ; list[i].from >= 0; i = list[i].from {
			path = append(path, list[i].step)
		}
		s.base.Restore(m)
		for k := len(path) - 1; k >= 0; k-- {
			s.base.Take(path[k])
		}
	}
	for i := 0; i < len(list); i++ {
		back(i)
		at := string(s.base.AppendKey(nil))
		if at == key {
			return
		}
		if seen[at] {
			continue
		}
		seen[at] = true
		for _, x := range s.next(nil) {
			list = append(list, way{i, x})
		}
	}
	panic(diag.Bugf("a loop of confluent steps has a state that they do not lead to"))
}
