package execute

import (
	"flag"
	"fmt"
	"testing"

	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var (
	oracleFirst  = flag.Uint64("oraclefirst", 1, "first seed of the programs that races are looked for in")
	oracleCount  = flag.Uint64("oraclecount", testlong.Or[uint64](26, 520), "how many of them there are")
	oracleStates = flag.Int("oraclestates", 3000, "how many states of one are visited at most")
	oracleBudget = flag.Int("oraclebudget", 150, "see randconc.Options")
)

// TestRaceOracle holds the detection of races against brute force on generated
// programs: there is a race if and only if a search that stops at each access
// comes to a state in which two goroutines stand before conflicting ones. Of a
// program without races both searches must find the same otherwise, too.
func TestRaceOracle(t *testing.T) {
	t.Parallel()
	var racy, clean, open int
	for seed := *oracleFirst; seed < *oracleFirst+*oracleCount; seed++ {
		o := randconc.Options{Routines: 2, Budget: *oracleBudget, Without: randconc.Contexts | randconc.Timers}
		switch seed % 4 {
		case 0: // little but plain accesses
			o.Without = ^(randconc.Races | randconc.Mutexes | randconc.Maps)
		case 1:
			o.Without = ^(randconc.Races | randconc.Atomics | randconc.Channels | randconc.Pointers | randconc.Panics)
		case 2:
			o.Without |= randconc.Faults
			o.Routines = 3
		}
		src := randconc.Program(seed, o)
		v, complaint := judge(t, src, *oracleStates)
		if complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, src)
		}
		switch v {
		case isRacy:
			racy++
		case isClean:
			clean++
		default:
			open++
		}
	}
	t.Logf("%d with a race, %d without, %d too large", racy, clean, open)
	if n := int(*oracleCount); racy < n/8 || clean < n/8 || open > n/4 {
		t.Errorf("got %d with a race, %d without and %d too large to say of %d: want more of each of the first two", racy, clean, open, n)
	}
}

// A verdict is what is known of a program.
type verdict int

const (
	isOpen verdict = iota
	isRacy
	isClean
)

// judge compares the two searches of a program.
func judge(t testing.TB, src string, limit int) (verdict, string) {
	t.Helper()
	prog := compileAccess(t, src)
	coarse := sweepOf(t, prog, bySync, limit, true)
	fine := sweepOf(t, prog, bruteForce, limit, true)
	if !coarse.cut {
		if less := sweepOf(t, prog, reduced, limit, true); len(less.races) > 0 != (len(coarse.races) > 0) {
			return isOpen, fmt.Sprintf("reduction changes whether there is a race: got %t, want %t", len(less.races) > 0, len(coarse.races) > 0)
		}
	}
	switch {
	case len(coarse.races) > 0 && fine.meet != "":
		return isRacy, ""
	case len(coarse.races) > 0 && !fine.cut:
		return isOpen, "the machine tells of a race, but no two goroutines stand before accesses that conflict"
	case fine.meet != "" && !coarse.cut:
		return isOpen, "the machine tells of no race, but there is one: " + fine.meet
	case coarse.cut || fine.cut:
		return isOpen, ""
	}
	if coarse.kinds[string(Deadlock)] || coarse.kinds[string(Panic)] {
		// Whoever waits for ever in a deadlock is a leak as long as another one has
		// not ended, and one who waits for a goroutine that panics is a leak until
		// the program ends. Both can be a matter of one plain access.
		delete(coarse.kinds, string(Leak))
		delete(fine.kinds, string(Leak))
	}
	for _, d := range []struct {
		what string
		list []string
	}{
		{"kinds of findings only of the search that stops at synchronisation", without(coarse.kinds, fine.kinds)},
		{"kinds of findings only of the search that stops at each access", without(fine.kinds, coarse.kinds)},
	} {
		if len(d.list) > 0 {
			return isClean, fmt.Sprintf("%s: %v", d.what, d.list)
		}
	}
	if a, b := without(coarse.ends, fine.ends), without(fine.ends, coarse.ends); len(a)+len(b) > 0 {
		return isClean, fmt.Sprintf("final states only of the search that stops at synchronisation: %q; only of the one that stops at each access: %q", a, b)
	}
	return isClean, ""
}
