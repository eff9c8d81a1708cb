package mucalc

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/randformula"
	"github.com/heddle-mc/heddle/internal/mcrl2/record"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// verified reports whether evidence shows that a formula holds.
func verified(t testing.TB, g *record.Graph, sys *state.System, text string, evidence []byte) error {
	t.Helper()
	f, err := types.LoadFormula(sys.Process().Data, sys.Process().Actions, "formula", []byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return Verify(f, g, sys, evidence)
}

// choices returns evidence that is drawn: choices among a few.
func choices(r *rand.Rand, n int) (out []byte) {
	for range n {
		out = binary.AppendUvarint(out, uint64(r.IntN(3)))
	}
	return out
}

// TestEvidence: what holds has evidence. What does not hold has none: neither that of its negation, nor any that is drawn.
func TestEvidence(t *testing.T) {
	count := testlong.Or(600, 3000)
	held, long, changed := 0, 0, 0
	for seed := range count {
		m := randformula.New(uint64(seed), 2)
		g, sys := explored(t, m.Model())
		text := m.Formula()
		out, err := solved(t, g, sys, text)
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		if !out.Holds {
			negated, err := solved(t, g, sys, "!("+text+")")
			if err != nil || !negated.Holds {
				t.Fatalf("seed %d: %s: neither it nor its negation holds, %v", seed, text, err)
			}
			other, err := negated.Evidence()
			if err != nil {
				t.Fatal(err)
			}
			for i, forged := range [][]byte{nil, other, choices(m.Rand, len(other)), choices(m.Rand, 1), choices(m.Rand, 2), choices(m.Rand, 4), choices(m.Rand, 9)} {
				if verified(t, g, sys, text, forged) == nil {
					t.Fatalf("seed %d: %s does not hold, but forged evidence %d says so", seed, text, i)
				}
			}
			continue
		}
		held++
		evidence, err := out.Evidence()
		if err != nil {
			t.Fatalf("seed %d: %s: %v", seed, text, err)
		}
		if err := verified(t, g, sys, text, evidence); err != nil {
			t.Fatalf("seed %d: %s: got %v for its evidence", seed, text, err)
		}
		if verified(t, g, sys, text, append(evidence[:len(evidence):len(evidence)], 0)) == nil {
			t.Errorf("seed %d: a choice too many is taken", seed)
		}
		if len(evidence) == 0 {
			continue
		}
		long++
		if verified(t, g, sys, text, evidence[:len(evidence)-1]) == nil {
			t.Errorf("seed %d: a choice is missing, and is not missed", seed)
		}
		// Other choices may be right, too, but not all of them.
		forged := append([]byte(nil), evidence...)
		forged[m.IntN(len(forged))]++
		if verified(t, g, sys, text, forged) != nil {
			changed++
		}
	}
	if held < count/4 || long < count/20 || changed < long/4 {
		t.Errorf("got %d of %d that hold, %d with choices and %d in which others are refused: they are too easy", held, count, long, changed)
	}
}

// TestEvidenceOfBuffer: evidence has as many choices as there are.
func TestEvidenceOfBuffer(t *testing.T) {
	g, sys := explored(t, buffer)
	for _, test := range []struct {
		formula string
		want    int // choices
	}{
		{"[(!break)*]<true>true", 7},                   // in each of seven states, one of its steps
		{"<true* . get(1) . break>true", 3},            // a way of three steps
		{"nu X. <idle>X", 0},                           // there is no choice
		{"[true* . get(0) . get(0) . get(0)]false", 0}, // all choices are those of the other one
		{"mu X. <break>true || <idle>X", 1},
	} {
		out, err := solved(t, g, sys, test.formula)
		if err != nil || !out.Holds {
			t.Fatalf("%s: got %+v, %v", test.formula, out, err)
		}
		evidence, err := out.Evidence()
		if err != nil || verified(t, g, sys, test.formula, evidence) != nil {
			t.Errorf("%s: got evidence %v, %v", test.formula, evidence, err)
		}
		if len(evidence) != test.want {
			t.Errorf("%s: got choices %v, want %d", test.formula, evidence, test.want)
		}
	}
	// Around for ever is not there once.
	for _, evidence := range [][]byte{{1}, {0, 0}, nil} {
		if err := verified(t, g, sys, "mu X. <break>true || <idle>X", evidence); err == nil {
			t.Errorf("got no error for %v", evidence)
		}
	}
}
