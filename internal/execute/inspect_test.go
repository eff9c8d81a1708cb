package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/compile"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestLocals: what is told of variables is what the program prints itself. Of most variables something is told.
func TestLocals(t *testing.T) {
	src := Source{Dir: "testdata/locals", Patterns: []string{"."}, NoCache: true}
	file, err := filepath.Abs("testdata/locals/main.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Split(string(text), "\n")
	prog, err := Build(src)
	if err != nil {
		t.Fatal(err)
	}
	locals, err := Locals(src, prog)
	if err != nil {
		t.Fatal(err)
	}
	for i := range prog.Funcs {
		if f := &prog.Funcs[i]; f.Pkg == "main" && len(f.ParamT) > 0 && len(locals.Funcs[i]) == 0 && !f.Wrapper {
			t.Errorf("nothing is known of %s: is it compiled to the same code?", f.Name)
		}
	}
	var out bytes.Buffer
	sys, err := NewSystem(prog, Process{Args: []string{"locals"}, Stdout: &out}, Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	in := NewInspector(sys, func(*bytecode.Program) *compile.Locals { return locals })
	type seen struct {
		line  int
		known map[string]string
	}
	var all []seen
	last := Line{}
	in.Watch(func(l Line) {
		if l.File != file || l == last || !strings.HasPrefix(strings.TrimSpace(source[l.Line-1]), `see(`) {
			if l.Depth <= last.Depth {
				last = Line{}
			}
			return
		}
		last = l
		s := seen{l.Line, make(map[string]string)}
		frame := in.Stack(l.Thread)[0]
		for _, params := range []bool{true, false} {
			for _, v := range in.Vars(l.Thread, frame.Index, params) {
				if v.Known() {
					s.known[v.Name] = v.Text()
				}
			}
		}
		all = append(all, s)
	})
	var steps []lts.Step
	for steps = sys.Enabled(steps[:0]); len(steps) > 0; steps = sys.Enabled(steps[:0]) {
		in.Begin()
		sys.Take(steps[0])
	}
	lines := slices.DeleteFunc(strings.Split(out.String(), "\n"), func(s string) bool { return s == "" })
	if len(lines) != len(all) || len(all) < 50 {
		t.Fatalf("got %d lines at which something is printed, want %d as printed, and 50 at least", len(all), len(lines))
	}
	told, untold := 0, 0
	for i, line := range lines {
		for _, field := range strings.Fields(line) {
			name, want, _ := strings.Cut(field, "=")
			got, ok := all[i].known[name]
			if !ok {
				untold++
				t.Logf("line %d: %s is not known", all[i].line, name)
				continue
			}
			told++
			if s, err := strconv.Unquote(got); err == nil {
				got = s
			}
			if got != want {
				t.Errorf("line %d: got %s = %s, want %s", all[i].line, name, got, want)
			}
		}
	}
	if told < 9*untold {
		t.Errorf("%d values are known and %d are not, want nine of ten", told, untold)
	}
	t.Logf("%d values, %d not known", told, untold)
}

// TestGroupMessages: what a goroutine of one of several processes sends is told under the name that the goroutine has.
func TestGroupMessages(t *testing.T) {
	g := &Group{names: []string{"a", "b"}}
	e := g.told(1, lts.Event{Actor: "main", Messages: []lts.Message{{From: "main", To: "x:1", Text: "out"}, {From: "x:1", To: "main", Text: "in"}}})
	if want := []lts.Message{{From: "b/main", To: "x:1", Text: "out"}, {From: "x:1", To: "b/main", Text: "in"}}; e.Actor != "b/main" || !slices.Equal(e.Messages, want) {
		t.Errorf("got %+v, want messages %v of b/main", e, want)
	}
}
