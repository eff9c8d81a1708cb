package execute_test

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestAgreePools holds searches of generated programs that get things from pools against each other. What
// Get returns is a choice.
func TestAgreePools(t *testing.T) {
	var sum tally
	pooling := 0
	for seed := uint64(1); seed <= testlong.Or[uint64](5, 300); seed++ {
		o, s := optionsOf(seed)
		o.Pools, o.Budget, o.Routines, s.Pool = true, 200, 2, int(seed%3)+1
		src := randconc.Program(seed, o)
		if strings.Contains(src, ".Get()") {
			pooling++
		}
		a, complaint := agree(compileText(t, src), 1500, s)
		if complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, src)
		}
		sum.add(a, complaint)
	}
	t.Logf("%d programs, %d have pools, %d complete, %d disagree, %d plain states, %d reduced, %v", sum.Programs, pooling, sum.Whole, sum.Disagree, sum.Plain, sum.Reduced, sum.Kinds)
	if sum.Whole < sum.Programs/2 || pooling < sum.Programs/2 {
		t.Errorf("of %d programs %d are small enough and %d have pools, want half of them", sum.Programs, sum.Whole, pooling)
	}
}
