package model

import (
	"crypto/sha256"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
)

// A Proof is why a formula holds, for somebody who sees the same graph.
type Proof struct {
	Formula  string            // its file
	Hash     [sha256.Size]byte // of its text
	Evidence func() ([]byte, error)
}

// A Witness sees a graph in the order in which a depth-first search has seen it, and holds proofs of formulas
// against it.
type Witness struct {
	p    *Systems
	seen record.Graph
}

// Witness returns one for the formulas of the systems. The graph is that of the first of them.
func (p *Systems) Witness() *Witness { return &Witness{p: p} }

// Observe notes a transition. States have numbers from 1 in the order in which they are found.
func (w *Witness) Observe(from, to uint32, s lts.Step, l lts.Label) {
	w.seen.Note(int32(from-1), int32(to-1), s, l)
}

// Verify looks whether all formulas hold in the initial state, by the evidence of each, which is asked for by the hash of its text.
// An error of no kind says why one is not shown to hold.
func (w *Witness) Verify(states uint32, evidence func(hash [sha256.Size]byte) ([]byte, bool, error)) error {
	w.seen.Grow(int(states))
	for _, f := range w.p.formulas {
		data, ok, err := evidence(f.hash)
		if err != nil {
			return diag.Usagef("%v", err)
		}
		if !ok {
			return diag.Usagef("it has no evidence that %s holds: check -cert -formula writes it, of the same text", f.name)
		}
		switch err := mucalc.Verify(f.Formula, &w.seen, w.p.systems[0], data); {
		case diag.ExitCode(err) == diag.ExitBug:
			return diag.Usagef("its evidence that %s holds is wrong: %v", f.name, err)
		case err != nil:
			return err
		}
	}
	return nil
}
