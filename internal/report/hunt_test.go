package report

import "testing"

// TestHuntWords: what a hunt knows, in words. A probability is told if it is worth telling, and never rounded up.
func TestHuntWords(t *testing.T) {
	for _, test := range []struct {
		hunt *Hunt
		want string
	}{
		{nil, ""},
		{&Hunt{Own: -1, Preemptions: -1}, ""},
		{&Hunt{Own: -1, Preemptions: 0}, ", nor in any schedule without preemptions"},
		{&Hunt{Own: -1, Preemptions: 1}, ", nor in any schedule with up to 1 preemption"},
		{&Hunt{Own: 1, Preemptions: 2, Walks: 1}, ", nor in any schedule with up to 2 preemptions, nor in 1 walk"},
		{&Hunt{Own: -1, Preemptions: -1, Walks: 9, Chances: []float64{0.4}}, ", nor in 9 walks"},
		{&Hunt{Own: -1, Preemptions: -1, Walks: 900, Chances: []float64{1, 0.978, 0.49}}, ", nor in 900 walks (a bug of 2 ordered steps would have been found with probability 0.97)"},
		{&Hunt{Own: 0, Preemptions: -1}, ", nor in any schedule that preempts only code outside the standard library"},
		{&Hunt{Own: 0, Preemptions: 0}, ", nor in any schedule that preempts only code outside the standard library"},
		{&Hunt{Own: 2, Preemptions: 1}, ", nor in any schedule that preempts only code outside the standard library, or inside it up to 2 times"},
	} {
		if got := test.hunt.words(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.hunt, got, test.want)
		}
	}
}
