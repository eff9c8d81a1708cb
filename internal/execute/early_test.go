package execute_test

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestPathEndsEarly: a path may be longer than the program goes, if a peer fails
// that did not when the path was found. What is left of it does nothing.
func TestPathEndsEarly(t *testing.T) {
	prog := compileText(t, `package main

import "os"

func main() {
	done := make(chan bool)
	go func() { done <- true }()
	<-done
	os.Exit(3)
}
`)
	sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, execute.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	var steps []lts.Step
	for steps = sys.Enabled(nil); len(steps) > 0; steps = sys.Enabled(steps[:0]) {
		sys.Take(steps[0])
	}
	key := string(sys.AppendKey(nil))
	const nobody = lts.Step(7 << 16)
	if got := sys.Take(nobody); got != 0 {
		t.Errorf("got label %d, want 0", got)
	}
	if got := sys.Describe(nobody).Action; got != "has ended" {
		t.Errorf("got %q, want that it has ended", got)
	}
	if got := string(sys.AppendKey(nil)); got != key {
		t.Error("got another state")
	}
}

// TestFoundation: where a goroutine has no function of the program on its stack, its
// place is where the library does something that has a name.
func TestFoundation(t *testing.T) {
	prog := compileText(t, `package main

import (
	"context"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	<-ctx.Done()
}
`)
	sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, execute.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	var places []string
	for steps := sys.Enabled(nil); len(steps) > 0; steps = sys.Enabled(steps[:0]) {
		e := sys.Describe(steps[0])
		places = append(places, e.Pos.String())
		if strings.Contains(e.Pos.File, "/sync/") || strings.Contains(e.Pos.File, "/internal/sync/") {
			t.Errorf("%s: %s: got a place in a package that others are built on", e.Pos, e.Action)
		}
	}
	if all := strings.Join(places, " "); !strings.Contains(all, "/context/context.go:") {
		t.Errorf("got places %s, want one in package context", all)
	}
}
