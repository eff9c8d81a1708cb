package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// TestRelaxGC: the target follows the size of the heap, and is as before in the end.
func TestRelaxGC(t *testing.T) {
	old := debug.SetGCPercent(100)
	defer debug.SetGCPercent(old)
	undo := relaxGC()
	runtime.GC()
	if got := debug.SetGCPercent(100); got <= 100 {
		t.Errorf("got a target of %d%% with a small heap, want more than 100%%", got)
	}
	undo()
	if got := debug.SetGCPercent(100); got != 100 {
		t.Errorf("got a target of %d%% in the end, want 100%%", got)
	}
	for live, want := range map[uint64]int{0: 25600, 1 << 20: 25600, 64 << 20: 400, 1 << 30: 100} {
		if got := gcPercent(live); got != want {
			t.Errorf("got %d%% for %d bytes, want %d%%", got, live, want)
		}
	}
}
