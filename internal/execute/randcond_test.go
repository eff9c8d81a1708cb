package execute_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var conditionSeeds = flag.Uint64("conditionseeds", testlong.Or[uint64](4, 120), "how many programs with conditions")

// randomConditions makes a program of a seed with conditions that read one variable
// only as long as another has some value. Each variable is assigned by one goroutine.
func randomConditions(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 9))
	vars := []string{"a", "b", "c", "d", "e"}
	owner := make([]int, len(vars))
	routines := 2 + r.IntN(2)
	for i := range owner {
		owner[i] = r.IntN(routines)
	}
	plain := func(i int) bool { return i < 3 }
	is := func(i, n int) string {
		if plain(i) {
			return fmt.Sprintf("*%s == %d", vars[i], n)
		}
		return fmt.Sprintf("%s.Load() == %d", vars[i], n)
	}
	var b strings.Builder
	b.WriteString("func main() {\na, b, c, d, e := new(int), new(int), new(int), new(atomic.Int32), new(atomic.Int32)\n" +
		"mu := []*sync.Mutex{new(sync.Mutex), new(sync.Mutex), new(sync.Mutex)}\n_, _, _, _, _, _ = a, b, c, d, e, mu\n")
	for range 1 + r.IntN(2) {
		one, two := r.IntN(len(vars)), r.IntN(len(vars))
		cond := is(one, 0) + " || " + is(two, r.IntN(2))
		if r.IntN(2) == 0 {
			cond = is(one, 0) + " || " + is(two, 0) + " && " + is(r.IntN(len(vars)), r.IntN(2))
		}
		fmt.Fprintf(&b, "verify.Always(func() bool { return %s })\n", cond)
	}
	b.WriteString("var wg sync.WaitGroup\n")
	for g := range routines {
		b.WriteString("wg.Go(func() {\n")
		for range 1 + r.IntN(3) {
			lock := r.IntN(3)
			body := ""
			for i := range vars {
				if owner[i] != g || r.IntN(2) == 0 {
					continue
				}
				if plain(i) {
					body += fmt.Sprintf("*%s = %d\n", vars[i], r.IntN(2))
				} else {
					body += fmt.Sprintf("%s.Store(%d)\n", vars[i], r.IntN(2))
				}
			}
			if r.IntN(4) == 0 {
				b.WriteString(body)
			} else {
				fmt.Fprintf(&b, "mu[%d].Lock()\n%smu[%d].Unlock()\n", lock, body, lock)
			}
		}
		b.WriteString("})\n")
	}
	b.WriteString("wg.Wait()\n}\n")
	return b.String()
}

// TestAgreeConditions: reduced and plain search find the same conditions violated, also
// of those that do not read all they may read.
func TestAgreeConditions(t *testing.T) {
	t.Parallel()
	n, violated := *conditionSeeds, 0
	if testing.Short() {
		n = 20
	}
	for seed := range n {
		body := randomConditions(seed)
		a, complaint := agree(compileText(t, program(body)), 20000, execute.Settings{})
		if complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, body)
		}
		if len(a.plain.kinds()) > 0 {
			violated++
		}
	}
	t.Logf("%d programs, %d with a violation", n, violated)
	if violated < int(n)/5 || violated == int(n) {
		t.Errorf("got %d of %d programs with a violation, want some with and some without", violated, n)
	}
}
