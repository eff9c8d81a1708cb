package native

import (
	"math/rand"
	randv2 "math/rand/v2"
	"testing"
)

// A sourceOfOne is a source that always returns one number, and counts how often it is asked.
type sourceOfOne struct {
	x     uint64
	asked int
}

func (f *sourceOfOne) Uint64() uint64 { f.asked++; return f.x }
func (f *sourceOfOne) Int63() int64   { return int64(f.Uint64() & (1<<63 - 1)) }
func (f *sourceOfOne) Seed(int64)     {}

// TestDrawers holds what is drawn for each number against the functions of the library that is installed here.
func TestDrawers(t *testing.T) {
	calls := map[string]func(f *sourceOfOne, n int) int{
		randV2 + "uint64n": func(f *sourceOfOne, n int) int { return randv2.New(f).IntN(n) },
		randV1 + "Int63n":  func(f *sourceOfOne, n int) int { return int(rand.New(f).Int63n(int64(n))) },
		randV1 + "Int31n":  func(f *sourceOfOne, n int) int { return rand.New(f).Intn(n) },
		randV1 + "int31n": func(f *sourceOfOne, n int) int { // the first number that Shuffle draws
			drawn, asked := 0, 0
			rand.New(f).Shuffle(n, func(_, j int) {
				if asked == 0 {
					drawn, asked = j, f.asked
				}
			})
			f.asked = asked
			return drawn
		},
	}
	for _, d := range drawers {
		call := calls[d.name]
		if call == nil {
			t.Errorf("%s: not tested", d.name)
			continue
		}
		for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 100, 255, 256, 257, 65535} {
			if n > 300 && d.name == randV1+"int31n" {
				continue // Shuffle takes long
			}
			for k := range n {
				f := &sourceOfOne{x: d.from(uint64(k), uint64(n))}
				if got := call(f, n); got != k || f.asked > 1 {
					t.Fatalf("%s: %d of %d: got %d after %d draws", d.name, k, n, got, f.asked)
				}
			}
		}
	}
}
