package types_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/randspec"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestRandomSpecs prints random specifications and their linear processes, and
// reads them back: printed once more they have the same text.
func TestRandomSpecs(t *testing.T) {
	for seed := range testlong.Or[uint64](40, 200) {
		s, err := types.Load("t", []byte(randspec.Text(seed)))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, randspec.Text(seed))
		}
		text := s.String()
		back, err := types.Load("printed", []byte(text))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if got := back.String(); got != text {
			t.Errorf("seed %d: got\n%s\nwant\n%s", seed, got, text)
		}
		if seed >= testlong.Or[uint64](8, 20) {
			continue // large ones would take long
		}
		l, err := linear.Linearise(s)
		if err != nil {
			continue
		}
		lps := l.String()
		read, err := types.Load("lps", []byte(lps))
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, lps)
			continue
		}
		if again, err := spec.Linear(read); err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, lps)
		} else if got := again.String(); got != lps {
			t.Errorf("seed %d: got\n%s\nwant\n%s", seed, got, lps)
		}
	}
}
