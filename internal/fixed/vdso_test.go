//go:build linux

package fixed

import (
	"errors"
	"testing"
)

// TestPatches: the vDSO of this kernel is understood, and what is none is an error.
func TestPatches(t *testing.T) {
	list, err := patches()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 3 { // getrandom is there since Linux 6.11
		t.Errorf("got %d patches, want at least those of clock_gettime, gettimeofday and time", len(list))
	}
	for _, x := range list {
		if x.at == 0 || len(x.code) == 0 {
			t.Errorf("got a patch of %d bytes at %d", len(x.code), x.at)
		}
	}
	for _, image := range [][]byte{nil, make([]byte, 10), make([]byte, 4096)} {
		if list, err := patchesOf(image); err == nil {
			t.Errorf("%d bytes that are no vDSO: got %d patches, want an error", len(image), len(list))
		}
	}
}

// TestFailed: what could not be done for one peer is not told of another, and is told once.
func TestFailed(t *testing.T) {
	f := New(nil)
	for range 2 {
		f.fail("a", errors.New("no memory"))
	}
	if !f.Failed("a") || f.Failed("b") || len(f.Failures()) != 1 {
		t.Errorf("got %q, a %v, b %v, want one failure, of a", f.Failures(), f.Failed("a"), f.Failed("b"))
	}
}

// TestClock: the calendar moves at each look, and by more for who seems to wait for some time to come.
func TestClock(t *testing.T) {
	var k clock
	start := k.now()
	k.looks = patience
	if got := k.now() - start; got != patience*int64(step) {
		t.Errorf("after %d looks: got %d ns, want %d", patience, got, patience*int64(step))
	}
	k.looks += 1000
	if got := k.now() - start; got < int64(1000*largeStep) {
		t.Errorf("after 1000 looks more: got %d ns, want a second at least", got)
	}
	if start != Date*1e9 {
		t.Errorf("got %d at the beginning, want %d", start, Date*int64(1e9))
	}
}
