package execute_test

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestAgreeDraws holds searches of generated programs that draw random numbers against each other. Each
// draw is a choice.
func TestAgreeDraws(t *testing.T) {
	var sum tally
	drawing := 0
	for seed := uint64(1); seed <= testlong.Or[uint64](4, 300); seed++ {
		o, s := optionsOf(seed)
		o.Draws, o.Budget, o.Routines, s.Choose = true, 200, 2, 16
		src := randconc.Program(seed, o)
		if strings.Contains(src, "rand.") {
			drawing++
		}
		a, complaint := agree(compileText(t, src), 1500, s)
		if complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, src)
		}
		sum.add(a, complaint)
	}
	t.Logf("%d programs, %d draw, %d complete, %d disagree, %d plain states, %d reduced, %v", sum.Programs, drawing, sum.Whole, sum.Disagree, sum.Plain, sum.Reduced, sum.Kinds)
	if sum.Whole < sum.Programs/2 || drawing < sum.Programs/2 {
		t.Errorf("of %d programs %d are small enough and %d draw, want half of them", sum.Programs, sum.Whole, drawing)
	}
}
