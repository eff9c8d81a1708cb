package execute

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// TestLibrary: programs of several modules with the same names, on one loaded library, are compiled to the same bytes
// as alone.
func TestLibrary(t *testing.T) {
	t.Parallel()
	var sources []Source
	for _, text := range []string{"1", "2"} {
		dir := t.TempDir()
		for name, content := range map[string]string{
			"go.mod":      "module m\ngo 1.26\n",
			"main.go":     "package main\nimport \"m/p\"\nfunc main() { println(p.F()) }\n",
			"p/p.go":      "package p\nfunc F() int { return " + text + " }\n",
			"p/p_test.go": "package p\nimport \"testing\"\nfunc TestF(t *testing.T) { t.Log(F()) }\n",
		} {
			file := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		sources = append(sources, Source{Dir: dir, Patterns: []string{"."}, NoCache: true}, Source{Dir: dir, Patterns: []string{"./p"}, Test: true, NoCache: true})
	}
	var library Library
	shared.Lock()
	defer shared.Unlock()
	library.session = sharedSession(t)
	code := map[string]bool{}
	for _, src := range sources {
		got, in, err := library.Compile(src)
		if err != nil {
			t.Fatal(err)
		}
		code[string(got)] = true
		if want := filepath.Join(src.Dir, "p", "p.go"); !slices.Contains(in.Files, want) {
			t.Errorf("%s: got inputs %q, want %s among them", src.Dir, in.Files, want)
		}
		if src.Test {
			continue // see Library
		}
		want, err := Build(src)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, bytecode.Encode(want)) {
			t.Errorf("%s: got other code than alone", src.Dir)
		}
	}
	if len(code) != len(sources) {
		t.Errorf("got %d different programs, want %d", len(code), len(sources))
	}
}
