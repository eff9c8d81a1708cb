package native

import (
	"math/bits"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Random numbers come from the generator that is part of the state and begins
// with the run's seed.

// draws notes that a random number is drawn that is not a choice.
func draws(c *vm.NativeCall) {
	m := drive.Of(c.M)
	m.Reseed(m.Choice())
	m.Meet(drive.MetRandom)
}

func rand64(c *vm.NativeCall) vm.Outcome {
	draws(c)
	c.Set(0, c.M.Random())
	return vm.Done
}

func rand32(c *vm.NativeCall) vm.Outcome {
	draws(c)
	c.Set(0, c.M.Random()>>32)
	return vm.Done
}

// randn is a number below the uint32 in word 0.
func randn(c *vm.NativeCall) vm.Outcome {
	drive.Of(c.M).Meet(drive.MetRandom)
	hi, _ := bits.Mul64(c.M.Random(), uint64(uint32(c.Word(0))))
	c.Set(0, hi)
	return vm.Done
}

// tableSeed is the seed of all hash tables of the standard library that need one.
const tableSeed = 0x9e3779b97f4a7c15

func init() {
	register(NoBody, "from the run's seed", map[string]vm.Native{
		"internal/runtime/maps.rand": rand64,
		"math/rand.runtime_rand":     draw,
		"math/rand/v2.runtime_rand":  draw,
		"net.runtime_rand":           rand64,
		"os.runtime_rand":            rand64,
		"sync.runtime_randn":         randn,
	})
	register(NoBody, "a constant: any seed of a table will do, and to draw one would be seen by others who draw", map[string]vm.Native{
		"internal/sync.runtime_rand": always(tableSeed),
		"unique.runtime_rand":        always(tableSeed),
	})
	register(Runtime, "from the run's seed", map[string]vm.Native{
		"runtime.rand":        rand64,
		"runtime.rand32":      rand32,
		"runtime.randn":       randn,
		"runtime.cheaprand":   rand32,
		"runtime.cheaprand64": rand64,
		"runtime.cheaprandn":  randn,
		"runtime.fastrand":    rand32,
		"runtime.fastrand64":  rand64,
		"runtime.fastrandn":   randn,
	})
}
