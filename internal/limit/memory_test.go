package limit

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestFull fills memory until the limit is said to be reached.
func TestFull(t *testing.T) {
	start := Resident()
	if start == 0 {
		t.Fatal("the process holds nothing")
	}
	m := Watch(start + 64<<20)
	defer m.End()
	var kept [][]byte
	for !m.Full() && len(kept) < 1024 {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
		kept = append(kept, b)
		time.Sleep(time.Millisecond)
	}
	if n := len(kept); n < 16 || n > 256 {
		t.Errorf("full after %d MiB, want about 64", n)
	}
	runtime.KeepAlive(kept)
	kept = nil
	if m.Again(); m.Full() {
		t.Errorf("still full when all is garbage: %d bytes, %d at the start", Resident(), start)
	}
}

// TestGarbage looks whether garbage alone reaches a limit.
func TestGarbage(t *testing.T) {
	m := Watch(Resident() + 128<<20)
	defer m.End()
	for range 2000 {
		b := make([]byte, 1<<20)
		for i := range b {
			b[i] = 1
		}
	}
	if m.Full() {
		t.Error("full of garbage")
	}
}

// TestSeveral has two watch at once: the heap keeps to what the one with less wants, and in the end to what it kept to before.
func TestSeveral(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	before := limit()
	a, b := new(Memory), new(Memory)
	for _, step := range []struct {
		m           *Memory
		bytes, want int64
	}{{a, 8 << 30, 8 << 30}, {b, 9 << 30, 8 << 30}, {b, 7 << 30, 7 << 30}, {a, 0, 7 << 30}, {b, 0, before}} {
		if step.m.keep(step.bytes); limit() != step.want {
			t.Errorf("after %d bytes: got a limit of %d, want %d", step.bytes, limit(), step.want)
		}
	}
}

func TestMachine(t *testing.T) {
	if all, own := Machine(), Resident(); all < own {
		t.Errorf("there are %d bytes, and the process holds %d", all, own)
	}
}

func TestNone(t *testing.T) {
	var m *Memory = Watch(0)
	m.Again()
	m.End()
	if m.Full() {
		t.Error("full without a limit")
	}
}
