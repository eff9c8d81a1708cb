package state

import (
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Process returns the linear process.
func (s *System) Process() *spec.LPS { return s.lps }

// Engine returns the engine of the values.
func (s *System) Engine() *data.Engine { return s.engine }

// State returns the values of the parameters. The next step changes them.
func (s *System) State() []data.Value { return s.state }

// Values returns the values of the parameters as text.
func (s *System) Values() []string {
	list := make([]string, len(s.state))
	for i, v := range s.state {
		list[i] = s.engine.Format(v, s.lps.Params[i].Of)
	}
	return list
}

// Predicate compiles a condition over the parameters. The function that it
// returns tells whether the condition holds in the current state.
func (s *System) Predicate(cond spec.Expr) (func() (bool, error), error) {
	code, err := s.engine.Compile(cond, s.scope)
	if err != nil {
		return nil, err
	}
	if n := s.scope.Size(); n > len(s.frame) {
		s.frame = append(s.frame, make([]data.Value, n-len(s.frame))...)
		s.state = s.frame[:len(s.state)]
	}
	return func() (bool, error) {
		v, err := code.Eval(s.frame)
		if err != nil {
			return false, err
		}
		return code.Truth(v, "the condition")
	}, nil
}

// Value evaluates an expression over the parameters in the current state.
func (s *System) Value(x spec.Expr) (data.Value, error) {
	env := data.Env{}
	for i, p := range s.lps.Params {
		env[p] = s.state[i]
	}
	return s.engine.Eval(x, env)
}

// A Performed is an action that was done, with the values of its arguments.
type Performed struct {
	Action *spec.Action
	Args   []data.Value
}

// Performed returns the actions of a label; none is tau.
func (s *System) Performed(n lts.Label) []Performed {
	var list []Performed
	for _, p := range s.labels.list[n].parts {
		list = append(list, Performed{s.labels.actions[p.action], p.args})
	}
	return list
}
