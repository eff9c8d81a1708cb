package load

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

// addSource adds a program given as text to the session.
func addSource(t *testing.T, s *Session, src string) (*Program, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "prog.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	return s.AddMain(file)
}

func TestSession(t *testing.T) {
	s, err := NewSession(Config{Patterns: []string{"fmt"}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := addSource(t, s, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(1) }\n")
	if err != nil {
		t.Fatal(err)
	}
	// A further standard package is loaded on demand.
	two, err := addSource(t, s, "package main\n\nimport (\n\"fmt\"\n\"container/ring\"\n)\n\nfunc main() { fmt.Println(ring.New(2)) }\n")
	if err != nil {
		t.Fatal(err)
	}
	if one.SSA != two.SSA {
		t.Error("two programs of a session have different ssa.Programs")
	}
	if one.Main == two.Main || one.Main.Func("main") == two.Main.Func("main") {
		t.Error("two programs of a session share their main package")
	}
	if one.Package("fmt") != two.Package("fmt") {
		t.Error("two programs of a session do not share package fmt")
	}
	if one.Package("container/ring") != nil || two.Package("container/ring") == nil {
		t.Error("package container/ring is not in the second program alone")
	}
	if fn := two.Links.Lookup("container/ring.New"); fn == nil || len(fn.Blocks) == 0 {
		t.Error("container/ring.New has no body")
	}
	if last := two.Packages[len(two.Packages)-1]; last.SSA != two.Main {
		t.Errorf("got %s as the last package to initialise, want main", last.Path)
	}
}

// TestSessionErrors checks that a bad program leaves the session usable.
func TestSessionErrors(t *testing.T) {
	s, err := NewSession(Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ src, want string }{
		{"package main\nfunc main() { x }\n", "prog.go:2:15: undefined: x"},
		{"package main\nfunc main() {\n", "prog.go:2:15: expected '}', found 'EOF'"},
		{"package other\nfunc main() {}\n", "prog.go:1:1: package other; expected package main"},
		{"package main\nimport \"C\"\nfunc main() {}\n", `prog.go:2:8: cgo (import "C"): not supported (see docs/LIMITS.md)`},
		{"package main\nimport _ \"no/such\"\nfunc main() {}\n", "prog.go:2:8: package no/such is not in the standard library"},
		{"package main\nimport _ \"plugin\"\nfunc main() {}\n", `prog.go:2:8: import "plugin": not supported (see docs/LIMITS.md)`},
		{"package main\nfunc f()\nfunc main() {}\n", "prog.go:2:1: missing function body"},
	} {
		_, err := addSource(t, s, test.src)
		if err == nil || !strings.HasSuffix(err.Error(), test.want) || diag.ExitCode(err) != 2 {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	if _, err := s.AddMain("no-such-file.go"); err == nil || diag.ExitCode(err) != 2 {
		t.Errorf("missing file: got %v, want a usage error", err)
	}
	if _, err := addSource(t, s, "package main\nimport \"errors\"\nfunc main() { _ = errors.New(\"x\") }\n"); err != nil {
		t.Errorf("good program after bad ones: %v", err)
	}
}

func TestLoadTests(t *testing.T) {
	source(t, `
-- go.mod --
module m

go 1.26
-- a/a.go --
package a

func One() int { return 1 }
-- a/a_test.go --
package a

import "testing"

func TestOne(t *testing.T) {}
-- a/x_test.go --
package a_test

import (
	"testing"
	"m/a"
)

func TestOneOutside(t *testing.T) { _ = a.One() }
-- b/b.go --
package b
-- c/main.go --
package main

func main() {}
-- c/main_test.go --
package main

import "testing"

func TestMainPackage(t *testing.T) { main() }
`)
	progs, err := LoadTests(Config{Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range progs {
		got = append(got, p.UnderTest())
		if p.Main == nil || p.Main.Func("main") == nil {
			t.Fatalf("%s: no main function", p.UnderTest())
		}
	}
	if want := []string{"m/a", "m/c"}; !slices.Equal(got, want) {
		t.Fatalf("got tests of %v, want %v", got, want)
	}
	for _, name := range []string{"m/a.TestOne", "m/a_test.TestOneOutside", "m/a.One"} {
		if progs[0].Links.Lookup(name) == nil {
			t.Errorf("%s is missing", name)
		}
	}
	// A main package that is under test keeps its import path.
	if progs[1].Links.Lookup("m/c.TestMainPackage") == nil {
		t.Error("m/c.TestMainPackage is missing")
	}
	list, err := ListTests(Config{Patterns: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, p := range list {
		text += fmt.Sprintf("%s %s %t\n", p.Path, shorten(p.Dir), p.Tests)
	}
	if want := "m/a a true\nm/b b false\nm/c c true\n"; text != want {
		t.Errorf("got packages\n%swant\n%s", text, want)
	}
	if _, err := ListTests(Config{Patterns: []string{"./none"}}); err == nil || diag.ExitCode(err) != 2 {
		t.Errorf("missing package: got %v, want a usage error", err)
	}
	if _, err := LoadTests(Config{Patterns: []string{"./b"}}); err == nil || err.Error() != "no test files in ./b" {
		t.Errorf("got %v, want an error about missing test files", err)
	}
}

// TestVariants checks that a test binary of a package that the machine needs
// holds that package once: the variant under test.
func TestVariants(t *testing.T) {
	prog := mustLoad(t, Config{Patterns: []string{"strings"}, Tests: true, Also: []string{"strings", "fmt"}})
	seen := make(map[string]string)
	for _, p := range prog.Packages {
		if other := seen[p.Path]; other != "" {
			t.Errorf("the program holds both %s and %s", other, p.ID)
		}
		seen[p.Path] = p.ID
	}
	if got, want := prog.Package("strings").ID, "strings [strings.test]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
