package gosuite

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
	"github.com/heddle-mc/heddle/internal/trace"
)

// TestStories pins the stories of planted bugs: the kind, the fewest context
// switches with which it can be shown, and that another machine that goes the
// same way tells the same story, byte for byte.
func TestStories(t *testing.T) {
	s, err := load.NewSession(load.Config{Patterns: []string{"fmt", "sync", "github.com/heddle-mc/heddle/verify"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		example  string
		kind     string
		switches int
	}{
		{"philosophers", "deadlock", 7},
		{"readerswriters", "race", 1},
		{"stagepipeline", "leak", 15},
		{"elevator", "panic", 1},
		{"boundedbuffer", "assert", 5},
		{"sleepingbarber", "deadlock", 10},
	}
	for _, test := range tests[:testlong.Or(3, len(tests))] {
		t.Run(test.example, func(t *testing.T) {
			lp, err := s.AddMain(filepath.Join("..", "..", "examples", test.example, "buggy", "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			prog, err := execute.Compile(lp)
			if err != nil {
				t.Fatal(err)
			}
			var systems []*execute.System
			defer func() {
				for _, sys := range systems {
					sys.Close()
				}
			}()
			open := func() (lts.System, error) {
				sys, err := execute.NewSystem(prog, execute.Process{}, execute.Settings{})
				systems = append(systems, sys)
				return sys, err
			}
			res, err := explore.Run(open, explore.Options{Strategy: explore.BreadthFirst, Reduce: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(res.Findings) == 0 {
				t.Fatalf("got %s, want a finding", res)
			}
			found := res.Findings[0]
			if found.Kind != test.kind {
				t.Errorf("got %s, want %s", found.Kind, test.kind)
			}
			story, err := trace.Best(systems[0], found.Path, found.Finding, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !story.Fewest {
				t.Error("not proven to have the fewest switches")
			}
			if story.Switches != test.switches {
				t.Errorf("got %d switches, want %d:\n%s", story.Switches, test.switches, story.Text())
			}
			other, err := open()
			if err != nil {
				t.Fatal(err)
			}
			again, err := trace.Record(other, story.Path, story.Finding)
			if err != nil {
				t.Fatal(err)
			}
			again.Fewest = story.Fewest
			if got, want := told(t, again), told(t, story); !bytes.Equal(got, want) {
				t.Errorf("told again:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// told is a story in all its forms.
func told(t *testing.T, story *trace.Trace) []byte {
	var b bytes.Buffer
	if err := story.Write(&b); err != nil {
		t.Fatal(err)
	}
	b.WriteString(story.Text())
	b.WriteString(story.Columns(120))
	b.WriteString(story.Mermaid())
	return b.Bytes()
}
