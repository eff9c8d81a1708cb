package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// To load and compile a program allocates little that is garbage, and a search little that lives long: tables
// of visited states are not in the Go heap. With a heap of a few megabytes the garbage collector would run all the
// time, so it is to wait until there is something to collect.

// roomy is how large the heap may become before it is looked at.
const roomy = 256 << 20

// relaxGC lets the heap grow up to roomy, and to twice its size if that is more. The
// returned function undoes it.
func relaxGC() func() {
	old := debug.SetGCPercent(gcPercent(liveBytes()))
	if old < 0 { // the user has switched it off
		debug.SetGCPercent(old)
		return func() {}
	}
	var over atomic.Bool
	watchGC(&over)
	return func() {
		over.Store(true)
		debug.SetGCPercent(old)
	}
}

// watchGC sets the target anew after each collection, until it is over.
func watchGC(over *atomic.Bool) {
	runtime.SetFinalizer(&collected{over: over}, func(c *collected) {
		if !c.over.Load() {
			debug.SetGCPercent(gcPercent(liveBytes()))
			watchGC(c.over)
		}
	})
}

// A collected is not reachable, so that a collection finds it.
type collected struct {
	over *atomic.Bool
	_    [16]byte // objects without pointers that are small share a block
}

// gcPercent is the target for a heap of which so much is alive.
func gcPercent(live uint64) int {
	return int(max(100, roomy*100/max(live, 1<<20)))
}

// liveBytes returns how much of the heap the last collection has found alive.
func liveBytes() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return s[0].Value.Uint64()
}
