package semantics

import (
	"math/big"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// maxCalls bounds how many calls may follow each other without an action.
const maxCalls = 1000

// A System is a specification as a transition system.
type System struct {
	spec      *spec.Spec
	engine    *data.Engine
	terminate *spec.Action
	ids       map[spec.Proc]int
	free      map[spec.Proc][]*spec.Var
	sorts     map[*spec.Sort][]data.Value
	depth     int

	now    state
	saved  []state
	labels map[string]lts.Label
	texts  []string
	beyond error
}

// A state is a term and the time of the last action that had one, with the
// moves, once they are known.
type state struct {
	term  term
	time  *big.Rat
	known bool
	moves []move
}

// New returns a system that stands at the initial state.
func New(sp *spec.Spec, e *data.Engine) *System {
	s := &System{spec: sp, engine: e, terminate: &spec.Action{Name: "Terminate"}, ids: map[spec.Proc]int{},
		free: map[spec.Proc][]*spec.Var{}, sorts: map[*spec.Sort][]data.Value{}, labels: map[string]lts.Label{}}
	s.number(sp.Init)
	for _, p := range sp.Procs {
		s.number(p.Body)
	}
	s.Reset()
	return s
}

// Reset goes to the initial state.
func (s *System) Reset() {
	s.now, s.saved = state{term: s.closure(s.spec.Init, nil), time: new(big.Rat)}, nil
}

// Enabled appends the steps: 0, 1, 2 and so on. If the rules refuse to go on
// there are none, and Beyond says why.
func (s *System) Enabled(dst []lts.Step) []lts.Step {
	ms, err := s.all()
	s.beyond = err
	for i := range ms {
		dst = append(dst, lts.Step(i))
	}
	return dst
}

// all returns the moves of the current state.
func (s *System) all() (ms []move, err error) {
	if s.now.known {
		return s.now.moves, nil
	}
	defer func() {
		if r := recover(); r != nil {
			ref, ok := r.(refusal)
			if !ok {
				panic(r)
			}
			s.depth = 0
			ms, err = nil, ref.err
		}
	}()
	ms = slices.DeleteFunc(s.moves(s.now.term), func(m move) bool { return m.time != nil && m.time.Cmp(s.now.time) <= 0 })
	s.now.known, s.now.moves = true, ms
	return ms, nil
}

// Take takes a step.
func (s *System) Take(st lts.Step) lts.Label {
	ms, _ := s.all()
	if int(st) >= len(ms) {
		panic(diag.Bugf("step %d of %d", st, len(ms)))
	}
	s.now = state{term: ms[st].next, time: s.now.time}
	text := s.text(ms[st].multi)
	if t := ms[st].time; t != nil {
		s.now.time = t
		text += " @ " + t.RatString()
	}
	l, ok := s.labels[text]
	if !ok {
		l = lts.Label(len(s.texts))
		s.labels[text] = l
		s.texts = append(s.texts, text)
	}
	return l
}

// text returns a multi-action as text.
func (s *System) text(multi []action) string {
	var parts []string
	for _, a := range multi {
		t := a.action.Name
		for i, v := range a.args {
			if i == 0 {
				t += "("
			} else {
				t += ", "
			}
			t += s.engine.Format(v, a.action.Args[i])
		}
		if len(a.args) > 0 {
			t += ")"
		}
		parts = append(parts, t)
	}
	if parts == nil {
		return "tau"
	}
	slices.Sort(parts)
	return strings.Join(parts, "|")
}

// Save marks the current state.
func (s *System) Save() lts.Mark {
	s.saved = append(s.saved, s.now)
	return lts.Mark(len(s.saved) - 1)
}

// Restore goes back to a mark.
func (s *System) Restore(m lts.Mark) {
	s.now = s.saved[m]
	s.saved = s.saved[:m+1]
}

// AppendKey appends the encoding of the current state.
func (s *System) AppendKey(dst []byte) []byte {
	return s.appendKey(append(dst, s.now.time.RatString()+";"...), s.now.term)
}

// LabelText returns the text of a label.
func (s *System) LabelText(l lts.Label) string { return s.texts[l] }

// Beyond returns why there are no steps, if they were refused.
func (s *System) Beyond() error { return s.beyond }

func (s *System) eval(x spec.Expr, env data.Env) data.Value {
	v, err := s.engine.Eval(x, env)
	if err != nil {
		panic(refusal{err})
	}
	return v
}

// globals returns the values of the global variables.
func (s *System) globals() data.Env {
	env := data.Env{}
	for _, g := range s.spec.Globals {
		env[g] = s.engine.Default(g.Of)
	}
	return env
}
