package verify

import (
	"sync"
	"testing"
)

// panicOf returns what f panics with, or "" if it returns.
func panicOf(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = r.(string)
		}
	}()
	f()
	return ""
}

func TestFailures(t *testing.T) {
	tests := []struct {
		name string
		f    func()
		want string
	}{
		{"Assert holds", func() { Assert(true, "one is ", 1) }, ""},
		{"Assert", func() { Assert(false, "one is ", 2) }, "verify: assert failed: one is 2"},
		{"Assert without words", func() { Assert(false) }, "verify: assert failed"},
		{"Assertf holds", func() { Assertf(true, "%d", 1) }, ""},
		{"Assertf", func() { Assertf(false, "%d of %d", 3, 2) }, "verify: assert failed: 3 of 2"},
		{"Always holds", func() { Always(func() bool { return true }) }, ""},
		{"Always", func() { Always(func() bool { return false }) }, "verify: invariant failed: does not hold at the start"},
		{"Step holds", func() { Step(func() int { return 7 }, func(a, b int) bool { return a == 7 && b == 7 }) }, ""},
		{"Step", func() { Step(func() int { return 7 }, func(a, b int) bool { return a < b }) }, "verify: invariant failed: does not hold at the start"},
		{"Assume holds", func() { Assume(true) }, ""},
		{"Assume", func() { Assume(false) }, "verify: assumption does not hold, so this run shows nothing"},
		{"Choose", func() { Choose(0) }, "verify: Choose of nothing: n is less than 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := panicOf(test.f); got != test.want {
				t.Errorf("got panic %q, want %q", got, test.want)
			}
		})
	}
}

// TestStepComparesNeighbours calls what Step has watched as the checker does:
// once after each step.
func TestStepComparesNeighbours(t *testing.T) {
	version := 1
	var seen [][2]int
	watched := step(func() int { return version }, func(before, after int) bool {
		seen = append(seen, [2]int{before, after})
		return before <= after
	})
	var held []bool
	for _, next := range []int{1, 3, 2, 2} {
		version = next
		held = append(held, watched())
	}
	wantSeen := [][2]int{{1, 1}, {1, 3}, {3, 2}, {2, 2}}
	wantHeld := []bool{true, true, false, true}
	for i := range wantSeen {
		if seen[i] != wantSeen[i] || held[i] != wantHeld[i] {
			t.Errorf("step %d: got %v of %v, want %v of %v", i, held[i], seen[i], wantHeld[i], wantSeen[i])
		}
	}
}

// TestPromises calls what Eventually and Leads have watched as the checker does.
func TestPromises(t *testing.T) {
	p, q := false, false
	once := eventually(func() bool { return q })
	answer := leads(func() bool { return p }, func() bool { return q })
	for i, now := range []struct{ p, q, once, answer bool }{
		{false, false, false, true},
		{true, false, false, false},  // asked
		{false, false, false, false}, // still owed
		{false, true, true, true},    // answered
		{true, true, true, true},     // at once
		{true, false, true, false},   // asked again; what has happened once has happened
	} {
		p, q = now.p, now.q
		if a, b := once(), answer(); a != now.once || b != now.answer {
			t.Errorf("state %d: got %v and %v, want %v and %v", i, a, b, now.once, now.answer)
		}
	}
	Eventually(func() bool { t.Error("got a call natively, want none"); return false })
	Leads(func() bool { return true }, func() bool { return false })
}

func TestChoicesTakeEveryValue(t *testing.T) {
	var drawn [3]bool
	var no, yes bool
	for range 1000 {
		drawn[Choose(3)] = true
		if Bool() {
			yes = true
		} else {
			no = true
		}
	}
	if drawn != [3]bool{true, true, true} || !no || !yes {
		t.Errorf("got values %v, false %v, true %v of 1000 draws, want all", drawn, no, yes)
	}
	if got := Choose(1); got != 0 {
		t.Errorf("got %d from Choose(1), want 0", got)
	}
}

func TestAtomicCallsDoNotOverlap(t *testing.T) {
	var wg sync.WaitGroup
	inside, overlaps, calls := 0, 0, 0
	for range 8 {
		wg.Go(func() {
			for range 100 {
				Atomic(func() {
					inside++
					if inside != 1 {
						overlaps++
					}
					calls++
					inside--
				})
			}
		})
	}
	wg.Wait()
	if calls != 800 || overlaps != 0 {
		t.Errorf("got %d calls, %d overlaps, want 800 and 0", calls, overlaps)
	}
}

func TestAtomicUnlocksAfterPanic(t *testing.T) {
	if got := panicOf(func() { Atomic(func() { panic("inside") }) }); got != "inside" {
		t.Fatalf("got panic %q, want %q", got, "inside")
	}
	called := false
	Atomic(func() { called = true })
	if !called {
		t.Error("got no call after a panic, want one")
	}
}

func TestNotChecking(t *testing.T) {
	if Checking() {
		t.Error("got Checking natively, want false")
	}
}
