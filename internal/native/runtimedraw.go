package native

import (
	"math/bits"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The functions of math/rand and math/rand/v2 that return a number below n, and those that shuffle, all end in
// a few methods of Rand that draw a number from its source and make one below n of it. If the
// source is that of the runtime, which nobody can foresee, and n is small, then a search
// tries each of these numbers: the runtime returns what the method makes it of. So the methods are run as they are, and
// a source with a seed of its own never comes here.

// A drawer is a method that makes a number below n of one that it draws.
type drawer struct {
	path []string // who calls the source, and whom the drawer calls
	name string   // of the method; n is its first parameter
	// from returns what has to be drawn so that the method takes it and returns k.
	from func(k, n uint64) uint64
}

const (
	randV1 = "math/rand.(*Rand)."
	randV2 = "math/rand/v2.(*Rand)."
)

var drawers = []drawer{
	{[]string{randV2 + "Uint64"}, randV2 + "uint64n", func(k, n uint64) uint64 {
		if n&(n-1) == 0 {
			return k
		}
		q, _ := bits.Div64(k, 0, n)
		return q + 2 // times n, that is k and a fraction that is not refused
	}},
	{[]string{randV1 + "Int63"}, randV1 + "Int63n", func(k, _ uint64) uint64 { return k }},
	{[]string{randV1 + "Int63", randV1 + "Int31"}, randV1 + "Int31n", func(k, _ uint64) uint64 { return k << 32 }},
	{[]string{randV1 + "Int63", randV1 + "Uint32"}, randV1 + "int31n", func(k, n uint64) uint64 { return (k<<32/n + 2) << 31 }},
}

// sourceMethods are the methods of the runtime's source.
var sourceMethods = map[string]bool{
	"math/rand.(*runtimeSource).Int63":     true,
	"math/rand/v2.runtimeSource.Uint64":    true,
	"math/rand/v2.(*runtimeSource).Uint64": true, // in front of the one above
}

// drawn returns what is drawn, nil if it is not a number that a search chooses, and the number of its values.
func drawn(c *vm.NativeCall) (*drawer, uint64) {
	limit := drive.Of(c.M).Choose(c.G)
	if limit == 0 {
		return nil, 0
	}
	first := 0
	for sourceMethods[c.CallerAt(first)] {
		first++
	}
	for i := range drawers {
		d := &drawers[i]
		at := first
		for at-first < len(d.path) && c.CallerAt(at) == d.path[at-first] {
			at++
		}
		if at-first < len(d.path) || c.CallerAt(at) != d.name {
			continue
		}
		if n := c.CallerWord(at, 1); n >= 1 && n <= uint64(limit) { // word 0 is the receiver
			return d, n
		}
		return nil, 0
	}
	return nil, 0
}

// drawChoices is in how many ways a number is drawn. The first one that is not chosen itself chooses the seed of all
// those, if there are several to try.
func drawChoices(c *vm.NativeCall) int {
	if d, n := drawn(c); d != nil {
		return int(n)
	}
	return drive.Of(c.M).Seeds()
}

func draw(c *vm.NativeCall) vm.Outcome {
	if d, n := drawn(c); d != nil {
		c.Set(0, d.from(uint64(drive.Of(c.M).Choice()), n))
		return vm.Done
	}
	return rand64(c)
}

// Drawn reports whether a native before which a goroutine stands draws a random number that is chosen, and
// how many values that has.
func Drawn(c *vm.NativeCall, name string) (n int, ok bool) {
	if name != "math/rand.runtime_rand" && name != "math/rand/v2.runtime_rand" {
		return 0, false
	}
	d, values := drawn(c)
	return int(values), d != nil
}
