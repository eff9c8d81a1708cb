package randspec

import "testing"

func TestSameSeedSameText(t *testing.T) {
	for seed := range uint64(50) {
		if got, want := Text(seed), Text(seed); got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
	if Text(1) == Text(2) {
		t.Error("seeds 1 and 2 have the same text")
	}
}
