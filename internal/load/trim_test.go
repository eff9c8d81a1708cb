package load

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/native"
)

// TestTrim: of package runtime the bodies of few functions are left, those that a
// program selects and those of errors among them; with its names imported, all are.
func TestTrim(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		src      string
		min, max int
		want     []string // functions with body
	}{
		{"import \"runtime\"\n\nfunc main() { _ = runtime.CallersFrames(nil) }\n", 1, 100, []string{"CallersFrames"}},
		{"import rt \"runtime\"\n\nfunc main() { _ = rt.CallersFrames(nil) }\n", 1, 100, []string{"CallersFrames"}},
		{"func main() {}\n", 1, 100, nil},
		{"import . \"runtime\"\n\nfunc main() { _ = CallersFrames(nil) }\n", 1000, 10000, []string{"CallersFrames", "main", "schedule"}},
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte("package main\n\n"+test.src), 0o666); err != nil {
			t.Fatal(err)
		}
		lp, err := Load(Config{Patterns: []string{file}, Intrinsic: native.Has, OwnRuntime: true})
		if err != nil {
			t.Fatal(err)
		}
		pkg := lp.SSA.ImportedPackage("runtime")
		bodies := 0
		for _, m := range pkg.Members {
			if fn, ok := m.(*ssa.Function); ok && len(fn.Blocks) > 0 {
				bodies++
			}
		}
		if bodies < test.min || bodies > test.max {
			t.Errorf("%sgot %d functions with body, want %d to %d", test.src, bodies, test.min, test.max)
		}
		for _, name := range test.want {
			if len(pkg.Func(name).Blocks) == 0 {
				t.Errorf("%sgot no body of %s", test.src, name)
			}
		}
		e := lp.SSA.LookupMethod(pkg.Type("boundsError").Type(), pkg.Pkg, "Error")
		if e == nil || len(e.Blocks) == 0 {
			t.Errorf("%sgot no body of %v", test.src, e)
		}
		for _, name := range []string{"main", "gopanic"} {
			if !lp.Calls[name].IsValid() {
				t.Errorf("%sgot no call in %s", test.src, name)
			}
		}
	}
}

// TestTables: of package unicode the tables are left that a program mentions, with those that they mention.
func TestTables(t *testing.T) {
	t.Parallel()
	for src, want := range map[string][3]bool{ // of Lu, Categories and Digit
		"import u \"unicode\"\n\nvar x = u.Lu\n\nfunc main() {}\n":                 {true, false, false},
		"import \"unicode\"\n\nfunc main() { println(unicode.IsDigit('x')) }\n":    {false, false, true},
		"import \"unicode\"\n\nfunc main() { println(len(unicode.Categories)) }\n": {true, true, true},
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		if err := os.WriteFile(file, []byte("package main\n\n"+src), 0o666); err != nil {
			t.Fatal(err)
		}
		lp, err := Load(Config{Patterns: []string{file}, Intrinsic: native.Has, Needs: native.Needs, OwnRuntime: true})
		if err != nil {
			t.Fatal(err)
		}
		stored := map[string]bool{}
		pkg := lp.SSA.ImportedPackage("unicode")
		for _, b := range pkg.Func("init").Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok {
					stored[store.Addr.Name()] = true
				}
			}
		}
		var got [3]bool
		for i, name := range []string{"_Lu", "Categories", "_Nd"} {
			got[i] = stored[name]
		}
		if got != want {
			t.Errorf("%sgot values %v, want %v", src, got, want)
		}
	}
}
