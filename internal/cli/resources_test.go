package cli

import "testing"

func TestPeak(t *testing.T) {
	for text, want := range map[string]int64{
		"Name:\theddle\nVmHWM:\t   13280 kB\nVmRSS:\t      10 kB\n": 13280 << 10,
		"Name:\theddle\n": 0,
	} {
		if got := peakIn(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
	if got := peakBytes(); got < 1<<20 {
		t.Errorf("got %d bytes of this test", got)
	}
}
