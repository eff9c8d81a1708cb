package model

import (
	"os"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// LoadSystem reads a parameterised boolean equation system.
func LoadSystem(name string) (*formula.System, error) {
	text, err := readText(name)
	if err != nil {
		return nil, err
	}
	return types.LoadPbes(name, text)
}

// System returns the equation system that says whether a formula, in a file, holds for
// the model.
func (m *Model) System(name string) (*formula.System, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if err := m.certain("there are equation systems"); err != nil {
		return nil, err
	}
	f, err := types.LoadFormula(m.LPS.Data, m.LPS.Actions, name, text)
	if err != nil {
		return nil, err
	}
	return mucalc.Translate(f, m.LPS)
}

// Solve returns the value of the initial variable of an equation system, and how many
// vertices its game has: at most so many, if that is not 0.
func Solve(s *formula.System, most int) (value bool, vertices int, err error) {
	engine, err := data.New(s.Data, data.Options{})
	if err != nil {
		return false, 0, err
	}
	out, err := mucalc.SolveSystem(s, engine, most)
	if err != nil {
		return false, 0, err
	}
	return out.Holds, out.Vertices, nil
}
