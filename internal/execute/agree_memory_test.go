package execute_test

import (
	"flag"
	"testing"

	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var (
	firstMemory = flag.Uint64("firstmemory", 1, "first seed of generated programs with collections and bubbles")
	memorySeeds = flag.Uint64("memoryseeds", testlong.Or[uint64](2, 200), "number of generated programs with collections and bubbles, of each kind")
)

// memoryKinds are the kinds of programs that TestAgreeMemory generates.
var memoryKinds = []struct {
	name string
	with func(*randconc.Options)
}{
	{"collections", func(o *randconc.Options) { o.Memory = true }},
	{"collections and pools", func(o *randconc.Options) { o.Memory, o.Pools = true, true }},
	{"bubbles", func(o *randconc.Options) { o.Bubble = true }},
	{"bubbles and collections", func(o *randconc.Options) { o.Bubble, o.Memory = true, true }},
}

// TestAgreeMemory holds searches of generated programs against each other in which memory is collected, with finalizers,
// cleanups and weak pointers, or which are bubbles of testing/synctest, or both.
func TestAgreeMemory(t *testing.T) {
	limit := int64(1500)
	if *agreementFile != "" {
		limit = 3000
	}
	results.Memory = make(map[string]*tally)
	for _, kind := range memoryKinds {
		t.Run(kind.name, func(t *testing.T) {
			var sum tally
			for seed := *firstMemory; seed < *firstMemory+*memorySeeds; seed++ {
				o, s := optionsOf(seed)
				o.Budget, o.Routines, s.Pool = 200, 2, int(seed%3)+1
				if seed%4 == 0 {
					o.Budget, o.Routines = 400, 3
				}
				kind.with(&o)
				src := randconc.Program(seed, o)
				a, complaint := agree(compileText(t, src), limit, s)
				if complaint != "" {
					t.Errorf("seed %d: %s\n%s", seed, complaint, src)
				}
				sum.add(a, complaint)
			}
			t.Logf("%d programs, %d complete, %d disagree, %d plain states, %d reduced, %v", sum.Programs, sum.Whole, sum.Disagree, sum.Plain, sum.Reduced, sum.Kinds)
			results.Memory[kind.name] = &sum
			if sum.Whole < sum.Programs/2 {
				t.Errorf("got %d of %d programs that are small enough, want half of them", sum.Whole, sum.Programs)
			}
		})
	}
}
