package certcheck

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestElsewhere: a script that has all transitions, but some of them in another block, is
// refused by one worker and by several, also if all the sums that it is written with are
// those of the right one.
func TestElsewhere(t *testing.T) {
	m := ltstest.Philosophers(6, true)
	original := take(t, victim{m, false})
	s := original.clone()
	// The last transition to a known state before an event Back, early, is done in a late state.
	early := slices.IndexFunc(s.events, func(e told) bool { return e.op == back })
	for s.events[early-1].op != seen {
		early += 1 + slices.IndexFunc(s.events[early+1:], func(e told) bool { return e.op == back })
	}
	moved := s.events[early-1]
	s.events = slices.Delete(s.events, early-1, early)
	s.events = append(s.events, moved)
	data, ok := s.bytes()
	if !ok {
		t.Fatal("there is no such script")
	}
	const sums, after = 3 * 4, 32 + 4 // the digest and the sum of the last section
	end, from := len(data)-after, len(original.cert)-after
	copy(data[end-sums:end], original.cert[from-sums:from])
	data = cert.Mend(data)
	if got, want := open(t, data), open(t, original.cert); got.Counts != want.Counts || got.Sums != want.Sums {
		t.Fatalf("got %v, %v, want %v, %v as in the original", got.Counts, got.Sums, want.Counts, want.Sums)
	}
	for _, test := range []struct {
		o    Options
		want string
	}{{Options{}, "transitions up to here"}, {Options{Workers: 3, Slice: 30}, "elsewhere"}} {
		_, err := Check(open(t, data), maker(m), false, test.o)
		var d *Deviation
		if !errors.As(err, &d) || d.Reason != Omitted || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%d workers: got %v, want it refused since transitions are elsewhere", test.o.Workers, err)
		}
	}
}
