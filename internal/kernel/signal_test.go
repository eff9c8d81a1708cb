package kernel

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// TestSignalsArrive: those that the process has asked for come from outside, as often as is allowed, and what
// it has sent to itself comes besides.
func TestSignalsArrive(t *testing.T) {
	k := New(&host.Real{}, Options{Identity: process.Identity{Pid: 7}})
	k.LetArrive(2)
	arriving := func(want ...linux.Signal) {
		t.Helper()
		var got []linux.Signal
		for _, sig := range k.Arriving() {
			got = append(got, linux.Signal(sig))
		}
		if !slices.Equal(got, want) {
			t.Errorf("arriving: %v, want %v", got, want)
		}
	}
	arriving()
	for _, sig := range []linux.Signal{linux.SIGKILL, linux.SIGSTOP, linux.SIGTERM, linux.SIGINT, linux.SIGUSR1, 64} {
		k.SignalEnable(int(sig))
	}
	arriving(linux.SIGINT, linux.SIGUSR1, linux.SIGTERM, 64)
	k.SignalIgnore(64)
	k.SignalDisable(int(linux.SIGUSR1))
	arriving(linux.SIGINT, linux.SIGTERM)

	k.Kill(k.Pid, int(linux.SIGTERM))
	if n := k.SignalWays(); n != 3 {
		t.Errorf("%d ways, want 3", n)
	}
	mark, key := k.Mark(), string(k.AppendKey(nil))
	if sig := k.SignalReceive(1); sig != int(linux.SIGINT) {
		t.Errorf("received %v", linux.Signal(sig))
	}
	if string(k.AppendKey(nil)) == key {
		t.Error("how many are left is not in the key")
	}
	k.Restore(mark)
	if string(k.AppendKey(nil)) != key {
		t.Error("the way back leads elsewhere")
	}
	if sig := k.SignalReceive(0); sig != int(linux.SIGTERM) || k.SignalsPending() {
		t.Errorf("received %v", linux.Signal(sig))
	}
	arriving(linux.SIGINT, linux.SIGTERM) // its own does not count
	k.SignalReceive(0)
	k.SignalReceive(1)
	arriving()
	if !k.SignalsWanted() {
		t.Error("the process still waits for signals")
	}

	k.LetArrive(1)
	for sig := range 65 {
		k.SignalEnable(sig)
	}
	arriving(linux.SIGHUP, linux.SIGINT, linux.SIGQUIT, linux.SIGUSR1, linux.SIGUSR2, linux.SIGTERM)
	if some, all := k.Met().Asked(); !some || !all {
		t.Errorf("asked for some: %v, for all: %v", some, all)
	}
}
