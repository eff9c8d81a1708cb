package kernel

import (
	"slices"
	"syscall"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// TestSignalsArrive: those that the process has asked for come from outside, as often as is allowed, and what
// it has sent to itself comes besides.
func TestSignalsArrive(t *testing.T) {
	k := New(&host.Real{}, Options{Identity: process.Identity{Pid: 7}})
	k.LetArrive(2)
	arriving := func(want ...syscall.Signal) {
		t.Helper()
		var got []syscall.Signal
		for _, sig := range k.Arriving() {
			got = append(got, syscall.Signal(sig))
		}
		if !slices.Equal(got, want) {
			t.Errorf("arriving: %v, want %v", got, want)
		}
	}
	arriving()
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGUSR1, 64} {
		k.SignalEnable(int(sig))
	}
	arriving(syscall.SIGINT, syscall.SIGUSR1, syscall.SIGTERM, 64)
	k.SignalIgnore(64)
	k.SignalDisable(int(syscall.SIGUSR1))
	arriving(syscall.SIGINT, syscall.SIGTERM)

	k.Kill(k.Pid, int(syscall.SIGTERM))
	if n := k.SignalWays(); n != 3 {
		t.Errorf("%d ways, want 3", n)
	}
	mark, key := k.Mark(), string(k.AppendKey(nil))
	if sig := k.SignalReceive(1); sig != int(syscall.SIGINT) {
		t.Errorf("received %v", syscall.Signal(sig))
	}
	if string(k.AppendKey(nil)) == key {
		t.Error("how many are left is not in the key")
	}
	k.Restore(mark)
	if string(k.AppendKey(nil)) != key {
		t.Error("the way back leads elsewhere")
	}
	if sig := k.SignalReceive(0); sig != int(syscall.SIGTERM) || k.SignalsPending() {
		t.Errorf("received %v", syscall.Signal(sig))
	}
	arriving(syscall.SIGINT, syscall.SIGTERM) // its own does not count
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
	arriving(syscall.SIGHUP, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTERM)
	if some, all := k.Met().Asked(); !some || !all {
		t.Errorf("asked for some: %v, for all: %v", some, all)
	}
}
