package trace

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

func frame(name, file string, line int, library bool) lts.Frame {
	return lts.Frame{Func: name, Pos: diag.Pos{File: file, Line: line, Col: 3}, Library: library}
}

// twoStacks is a race in which one side is deep in the library.
func twoStacks() *Trace {
	return &Trace{
		Path: lts.Path{}, Finding: diag.Finding{Kind: "race", Message: "write in log.Print races with write"},
		Stacks: []lts.Stack{
			{Actor: "m/p.work#2", Action: "write",
				Frames: []lts.Frame{
					frame("bytes.(*Buffer).grow", "/go/src/bytes/buffer.go", 150, true), frame("bytes.(*Buffer).Write", "/go/src/bytes/buffer.go", 180, true),
					frame("log.output", "/go/src/log/log.go", 9, true), frame("log.Print", "/go/src/log/log.go", 10, true),
					frame("m/p.work", "p/p.go", 5, false), frame("sync.Go.func1", "/go/src/sync/waitgroup.go", 239, true),
				},
				Started: []lts.Frame{frame("sync.Go", "/go/src/sync/waitgroup.go", 238, true), frame("m/p.TestA", "p/p_test.go", 12, false), frame("testing.tRunner", "/go/src/testing/testing.go", 99, true)}},
			{Actor: "m/p.TestA", Action: "write", Frames: []lts.Frame{frame("m/p.TestA", "p/p_test.go", 14, false)},
				Started: []lts.Frame{frame("testing.(*T).Run", "/go/src/testing/testing.go", 98, true)}},
		},
	}
}

func TestStacksText(t *testing.T) {
	want := `write by m/p.work#2:
  bytes.(*Buffer).grow         bytes/buffer.go:150
  ... 2 frames of the library
  log.Print                    log/log.go:10
  m/p.work                     p/p.go:5
  started by sync.Go           sync/waitgroup.go:238
  m/p.TestA                    p/p_test.go:12
write by m/p.TestA:
  m/p.TestA  p/p_test.go:14
`
	if got := twoStacks().StacksText(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestStacksKept: trace.json keeps stacks, and other names of actors are those of functions.
func TestStacksKept(t *testing.T) {
	var b bytes.Buffer
	if err := twoStacks().Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	if want := twoStacks().Stacks; !reflect.DeepEqual(got.Stacks, want) {
		t.Errorf("got %+v, want %+v", got.Stacks, want)
	}
	short := got.Renamed(func(string) string { return "x" })
	if short.Stacks[0].Actor != "x" || short.Stacks[0].Frames[4].Func != "x" || short.Stacks[0].Started[1].Func != "x" {
		t.Errorf("got %+v, want other names", short.Stacks[0])
	}
	if got.Stacks[0].Frames[4].Func != "m/p.work" {
		t.Errorf("the trace itself has other names: %+v", got.Stacks[0])
	}
}
