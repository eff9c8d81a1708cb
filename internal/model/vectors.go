package model

import (
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A vectorObserver notes the values of the parameters in each state. It numbers
// states as graph.Builder does: in the order in which they are mentioned.
type vectorObserver struct {
	graph.Vectors
	ids    map[string]bool
	values []map[string]int32
}

// State notes a state; the system stands at it.
func (v *vectorObserver) State(sys lts.System, digest []byte, _ int) { v.note(sys, digest) }

// Step notes the state behind a step; the system stands at it.
func (v *vectorObserver) Step(sys lts.System, _, to []byte, _ lts.Step, _ lts.Label) { v.note(sys, to) }

func (v *vectorObserver) note(sys lts.System, digest []byte) {
	if v.ids[string(digest)] {
		return
	}
	s := inside(sys)
	if v.ids == nil {
		v.ids = map[string]bool{}
		for _, p := range s.Process().Params {
			v.Params = append(v.Params, graph.Param{Name: p.Name, Sort: p.Of.String()})
			v.values = append(v.values, map[string]int32{})
		}
	}
	v.ids[string(digest)] = true
	row := make([]int32, len(v.Params))
	for i, text := range s.Values() {
		n, ok := v.values[i][text]
		if !ok {
			n = int32(len(v.Params[i].Values))
			v.values[i][text] = n
			v.Params[i].Values = append(v.Params[i].Values, text)
		}
		row[i] = n
	}
	v.States = append(v.States, row)
}
