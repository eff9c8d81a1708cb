package load

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestTestdeps: test binaries have what fuzzes if one of them has a fuzz target, and only then.
func TestTestdeps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module m\n\ngo 1.26\n",
		"plain/p_test.go": "package plain\n\nimport \"testing\"\n\nfunc TestP(t *testing.T) {}\n",
		"fuzz/f_test.go":  "package fuzz_test\n\nimport \"testing\"\n\nfunc FuzzF(f *testing.F) { f.Fuzz(func(*testing.T, int) {}) }\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		pattern string
		fuzzes  bool
	}{{"./plain", false}, {"./fuzz", true}, {"./...", true}} {
		u := newUniverse(Config{Dir: dir, Patterns: []string{test.pattern}, Tests: true})
		roots, err := u.list(u.cfg.Patterns, true)
		if err != nil {
			t.Fatal(err)
		}
		needed := map[string]bool{}
		for _, p := range initOrder(roots, nil) {
			needed[p.ID] = true
		}
		if !needed[testdeps] || !needed["regexp"] {
			t.Errorf("%s: testdeps or what it needs is missing", test.pattern)
		}
		for _, name := range []string{"internal/fuzz", "runtime/pprof", "os/exec", "encoding/json"} {
			if needed[name] != test.fuzzes {
				t.Errorf("%s: %s is part of it: %t, want %t", test.pattern, name, needed[name], test.fuzzes)
			}
		}
	}
}

// TestWithoutFuzzing: a source of testdeps that is not as expected is left alone, and lines are
// where they were.
func TestWithoutFuzzing(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		src, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	src, fuzz := read(testdeps+"/deps.go"), read("internal/fuzz/fuzz.go")
	got := withoutFuzzing(src, fuzz)
	line := func(src []byte) int {
		return bytes.Count(src[:bytes.Index(src, []byte("func (TestDeps) InitRuntimeCoverage"))], []byte("\n"))
	}
	if line(got) != line(src) {
		t.Errorf("got line %d, want %d", line(got), line(src))
	}
	if withoutFuzzing(src, nil) != nil {
		t.Error("an entry of a corpus is not known, and the source is changed")
	}
	if withoutFuzzing(append(src, "\nvar x fuzz.CorpusEntry\n"...), fuzz) != nil {
		t.Error("a variable has a type that is not known, and the source is changed")
	}
}
