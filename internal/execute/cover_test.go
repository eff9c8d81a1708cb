package execute

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestCovered: a search executes what any schedule executes, and what none does
// is not said to be executed.
func TestCovered(t *testing.T) {
	t.Parallel()
	src := `package main

import "sync/atomic"

var first atomic.Int32

func main() {
	go func() {
		if first.CompareAndSwap(0, 1) {
			println("a")
		}
	}()
	if first.CompareAndSwap(0, 2) {
		println("b")
	}
	if first.Load() == 3 {
		println("never")
	}
}
`
	file := writeMain(t, src)
	prog := CompileShared(t, file)
	var sys *System
	_, err := explore.Run(func() (_ lts.System, err error) {
		sys, err = NewSystem(prog, Process{}, Settings{Cover: true})
		return sys, err
	}, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	var lines []int
	sys.Covered(func(name string, line, col int, count int64) {
		if name == file && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	})
	for line, want := range map[int]bool{9: true, 10: true, 13: true, 14: true, 16: true, 17: false} {
		if got := slices.Contains(lines, line); got != want {
			t.Errorf("line %d: executed %v, want %v", line, got, want)
		}
	}
}
