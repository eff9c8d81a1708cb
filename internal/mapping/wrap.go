package mapping

import (
	"slices"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/conform"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/model"
)

// Both is a program that is followed in a model.
type Both struct {
	Code    *check.Code // whose systems are the program and the model side by side
	Mapping *Mapping
}

// Options say how a program is held against a model.
type Options struct {
	Limit      int  // states of the model that are kept at most
	Quiescence bool // a program that stops where the model must go on differs
}

// Wrap puts a program and a model together, by a mapping; both are files.
func Wrap(prog *check.Code, mapFile, modelFile string, o Options) (*Both, error) {
	m, err := Read(mapFile)
	if err != nil {
		return nil, err
	}
	mod, err := model.Load(modelFile, model.UsualPasses)
	if err != nil {
		return nil, err
	}
	if err := mod.Certain(); err != nil {
		return nil, err
	}
	if err := m.fits(mod); err != nil {
		return nil, err
	}
	m.typed(mod)
	own := *prog
	own.Identity += " " + mod.Identity() + " " + m.identity
	var mu sync.Mutex // systems of a model are made one after the other
	own.NewSystem = func(p execute.Process, s execute.Settings) (lts.System, error) {
		s.Observe = &m.Observe
		sys, err := prog.NewSystem(p, s)
		if err != nil {
			return nil, err
		}
		program, ok := sys.(observed)
		if !ok {
			return nil, diag.Usagef("several programs side by side cannot be held against a model: name one")
		}
		mu.Lock()
		defer mu.Unlock()
		st, err := state.New(mod.LPS, state.Options{})
		if err != nil {
			return nil, err
		}
		both, err := conform.New(program, st, conform.Options{
			Action: m.action(st), Input: m.input(st), Quiescence: o.Quiescence, Limit: o.Limit})
		if err != nil {
			return nil, err
		}
		return &System{both, program}, nil
	}
	return &Both{&own, m}, nil
}

// A System is a program and its model, with what searches ask of programs
// alone.
type System struct {
	*conform.System
	program observed
}

// An observed is a program whose operations can be observed.
type observed interface {
	lts.System
	lts.Observed
	lts.Clocked
	MetThings() drive.Met
	Differences() []execute.Varying
	Found() *execute.Found
	Covered(yield func(file string, line, col int, count int64))
	Halted() bool
	Still() bool
}

// Differences returns which variables of the program make states differ.
func (s *System) Differences() []execute.Varying { return s.program.Differences() }

// Found returns what the program has found out about the guesses of its reduction.
func (s *System) Found() *execute.Found { return s.program.Found() }

// Held reports whether the clock of the program is held back.
func (s *System) Held() bool { return s.program.Held() }

// Runners returns who can run in the program.
func (s *System) Runners() uint64 { return s.program.Runners() }

// Moved returns who has moved in the last step.
func (s *System) Moved() uint64 { return s.program.Moved() }

// Circles is told that time can stand still forever.
func (s *System) Circles() { s.program.Circles() }

// MetThings returns what the program has met.
func (s *System) MetThings() drive.Met { return s.program.MetThings() }

// Halted reports whether the program was told to stop.
func (s *System) Halted() bool { return s.program.Halted() }

// Covered yields what of the program was executed.
func (s *System) Covered(yield func(file string, line, col int, count int64)) {
	s.program.Covered(yield)
}

// fits refuses actions that the model does not have.
func (m *Mapping) fits(mod *model.Model) error {
	for _, a := range slices.Concat(m.actions, m.hidden, m.inputs) {
		if !mod.HasAction(a.name) {
			return diag.Sourcef(a.pos, "%s has no action %s", mod.Name, a.name)
		}
	}
	for _, h := range m.hidden {
		if slices.ContainsFunc(m.actions, func(a named) bool { return a.name == h.name }) {
			return diag.Sourcef(h.pos, "%s is hidden, and an operation is that action", h.name)
		}
	}
	return nil
}

// action returns what is left of a label of a model without hidden actions: "" of
// tau, of one that is made of hidden actions alone, and of the end of the model.
func (m *Mapping) action(sys *state.System) func(lts.Label) string {
	return func(l lts.Label) string {
		if len(sys.Performed(l)) == 0 {
			return ""
		}
		text := sys.LabelText(l)
		var left []string
		for from := 0; from < len(text); {
			end := partEnd(text, from)
			name, _, _ := strings.Cut(text[from:end], "(")
			if name != linear.Terminate && !slices.ContainsFunc(m.hidden, func(h named) bool { return h.name == name }) {
				left = append(left, text[from:end])
			}
			from = end + 1
		}
		return strings.Join(left, "|")
	}
}

// input reports whether a label of a model is something that comes from outside, or the
// end of the model.
func (m *Mapping) input(sys *state.System) func(lts.Label) bool {
	return func(l lts.Label) bool {
		return slices.ContainsFunc(sys.Performed(l), func(p state.Performed) bool {
			return p.Action.Name == linear.Terminate || slices.ContainsFunc(m.inputs, func(i named) bool { return i.name == p.Action.Name })
		})
	}
}

// partEnd returns where an action of a multi-action ends.
func partEnd(text string, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '|':
			if depth == 0 {
				return i
			}
		}
	}
	return i
}
