package randspec

import "testing"

func TestWellTyped(t *testing.T) {
	for seed := range uint64(500) {
		if _, err := Spec(seed); err != nil {
			t.Fatalf("%v\n%s", err, Text(seed))
		}
	}
}
