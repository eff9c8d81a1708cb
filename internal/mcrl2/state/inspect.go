package state

import (
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
