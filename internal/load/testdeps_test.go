package load

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/goroot"
)

// TestTestdeps: test binaries have what fuzzes if one of them has a fuzz target, and only then. They have
// package regexp unless the machine matches patterns.
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
		matches bool
	}{{"./plain", false, false}, {"./plain", false, true}, {"./fuzz", true, true}, {"./...", true, false}} {
		u := newUniverse(Config{Dir: dir, Patterns: []string{test.pattern}, Tests: true,
			Intrinsic: func(symbol string) bool { return test.matches && symbol == "testing/internal/testdeps.match" }})
		roots, err := u.list(u.cfg.Patterns, true)
		if err != nil {
			t.Fatal(err)
		}
		needed := map[string]bool{}
		for _, p := range initOrder(roots, nil) {
			needed[p.ID] = true
		}
		if !needed[testdeps] {
			t.Errorf("%s: testdeps is missing", test.pattern)
		}
		if got, want := needed["regexp"], test.fuzzes || !test.matches; got != want {
			t.Errorf("%s: regexp is part of it: %t, want %t", test.pattern, got, want)
		}
		for _, name := range []string{"internal/fuzz", "runtime/pprof", "os/exec", "encoding/json"} {
			if needed[name] != test.fuzzes {
				t.Errorf("%s: %s is part of it: %t, want %t", test.pattern, name, needed[name], test.fuzzes)
			}
		}
	}
}

// TestWithoutImports: a source of testdeps that is not as expected is left alone, and lines are
// where they were.
func TestWithoutImports(t *testing.T) {
	t.Parallel()
	read := func(name string) []byte {
		src, err := os.ReadFile(filepath.Join(goroot.Dir(), "src", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	src, fuzz := read(testdeps+"/deps.go"), read("internal/fuzz/fuzz.go")
	got := withoutImports(src, fuzz, append(rarelyImported, "regexp"))
	line := func(src []byte) int {
		return bytes.Count(src[:bytes.Index(src, []byte("func (TestDeps) InitRuntimeCoverage"))], []byte("\n"))
	}
	if line(got) != line(src) {
		t.Errorf("got line %d, want %d", line(got), line(src))
	}
	if withoutImports(append(src, "\nfunc f() { regexp.MustCompile(``) }\n"...), fuzz, []string{"regexp"}) != nil {
		t.Error("another function uses package regexp, and the source is changed")
	}
	if withoutImports(src, nil, rarelyImported) != nil {
		t.Error("an entry of a corpus is not known, and the source is changed")
	}
	if withoutImports(append(src, "\nvar x fuzz.CorpusEntry\n"...), fuzz, rarelyImported) != nil {
		t.Error("a variable has a type that is not known, and the source is changed")
	}
}
