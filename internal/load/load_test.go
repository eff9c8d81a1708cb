package load

import (
	"errors"
	"flag"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/txtar"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var update = flag.Bool("update", false, "rewrite the want sections of testdata")

// unpack writes the files of an archive to a new directory, which becomes the
// current one, and returns it.
func unpack(t *testing.T, ar *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		if f.Name == "want" {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return dir
}

// source unpacks an archive given as text.
func source(t *testing.T, text string) string {
	t.Helper()
	return unpack(t, txtar.Parse([]byte(text)))
}

// loadSmall loads with the machine's intrinsics, as the command does, so that the library is small. It is loaded once, if it is the same one for
// all programs; make test-long loads each program alone.
func loadSmall(cfg Config) (*Program, error) {
	if cfg.Intrinsic != nil {
		return Load(cfg)
	}
	cfg.Intrinsic, cfg.Needs, cfg.OwnRuntime = native.Has, native.Needs, true
	if testlong.On() || len(cfg.Overlay) > 0 || len(cfg.BuildTags) > 0 || cfg.Env != nil {
		return Load(cfg)
	}
	s, err := library()
	if err != nil {
		return nil, err
	}
	return s.Load(cfg)
}

// library is the session of loadSmall.
var library = sync.OnceValues(func() (*Session, error) {
	return NewSession(Config{Patterns: []string{"fmt"}, Intrinsic: native.Has, OwnRuntime: true})
})

func mustLoad(t *testing.T, cfg Config) *Program {
	t.Helper()
	prog, err := loadSmall(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// TestErrors compares the errors of bad programs with the want section of
// their archive.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no archives: ", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		file, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := unpack(t, ar)
			want := &ar.Files[len(ar.Files)-1]
			if want.Name != "want" {
				t.Fatal("the last file of the archive is not called want")
			}
			_, err = loadSmall(Config{Patterns: []string{"."}})
			if err == nil {
				t.Fatal("got no error")
			}
			if got := diag.ExitCode(err); got != 2 {
				t.Errorf("got exit code %d, want 2", got)
			}
			got := strings.ReplaceAll(err.Error(), dir, "$DIR") + "\n"
			got = strings.ReplaceAll(got, goroot.Dir(), "$GOROOT")
			if *update {
				want.Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want.Data) {
				t.Errorf("got\n%swant\n%s", got, want.Data)
			}
		})
	}
}

// TestReplacedFiles checks that tests which look into a file that is replaced are refused in one line.
func TestReplacedFiles(t *testing.T) {
	_, err := LoadTests(Config{Patterns: []string{"unique"}})
	const want = ": needs what is in unique/canonmap.go, which is replaced " +
		"(the shape of the trie under package unique depends on hashes and collections; a map of the machine is canonical): " +
		"not supported (see docs/LIMITS.md)"
	if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "\n") || diag.ExitCode(err) != 2 {
		t.Errorf("got %v, want one line that ends with %s", err, want)
	}
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		patterns []string
		want     string
	}{
		{nil, "no packages or files given"},
		{[]string{"-x"}, `malformed package pattern "-x"`},
		{[]string{"a.go", "fmt"}, "package patterns mixed with .go files: give the one or the other"},
	} {
		_, err := loadSmall(Config{Patterns: test.patterns})
		if err == nil || err.Error() != test.want || diag.ExitCode(err) != 2 {
			t.Errorf("%q: got %v, want %s", test.patterns, err, test.want)
		}
	}
	t.Chdir(t.TempDir())
	_, err := loadSmall(Config{Patterns: []string{"none.go"}})
	if err == nil || diag.ExitCode(err) != 2 || strings.Contains(err.Error(), "\n") {
		t.Errorf("missing file: got %v, want a usage error of one line", err)
	}
}

func TestHello(t *testing.T) {
	dir := source(t, `
-- hello.go --
package main

import "fmt"

func main() { fmt.Println("hello, world") }
`)
	prog := mustLoad(t, Config{Patterns: []string{"hello.go"}})
	if prog.Main == nil || prog.Main.Pkg.Path() != "main" {
		t.Errorf("got main package %v, want path main", prog.Main)
	}
	for _, name := range []string{"fmt.Println", "runtime.mallocgc", "os.(*File).Write", "main.main"} {
		fn := prog.Links.Lookup(name)
		if fn == nil || len(fn.Blocks) == 0 {
			t.Errorf("%s: got no body", name)
		}
	}
	if !slices.Contains(prog.Inputs.Files, filepath.Join(dir, "hello.go")) {
		t.Errorf("inputs %q lack hello.go", prog.Inputs.Files)
	}
	for _, f := range prog.Inputs.Files {
		if strings.HasPrefix(f, filepath.Join(prog.GOROOT, "src")) {
			t.Errorf("inputs hold %s of the standard library", f)
		}
	}
	// The overlay of internal/abi.
	regs := prog.Package("internal/abi").Types.Scope().Lookup("IntArgRegs").(*types.Const)
	if got, _ := constant.Int64Val(regs.Val()); got != 0 {
		t.Errorf("internal/abi.IntArgRegs: got %d, want 0", got)
	}
}

// loopAllocs counts the variables called i that main.f allocates: one if the
// loop has one variable, two if each iteration has its own.
func loopAllocs(fn *ssa.Function) int {
	n := 0
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if alloc, ok := instr.(*ssa.Alloc); ok && alloc.Comment == "i" {
				n++
			}
		}
	}
	return n
}

// TestLoopVariables checks that the language version of the module, and of the
// file, decides how loop variables are scoped. make test has one case of each kind.
func TestLoopVariables(t *testing.T) {
	const body = `
package main

func f(n int) (fs []func() int) {
	for i := 0; i < n; i++ {
		fs = append(fs, func() int { return i })
	}
	return fs
}

func main() { f(3) }
`
	tests := []struct {
		name, pattern, mod, build string
		want                      int
	}{
		{"go1.21 module", ".", "module m\n\ngo 1.21\n", "", 1},
		{"go1.22 module", ".", "module m\n\ngo 1.22\n", "", 2},
		{"go1.21 file", ".", "module m\n\ngo 1.26\n", "//go:build go1.21\n", 1},
		{"no module", "a.go", "", "", 2},
		{"no go line", ".", "module m\n", "", 1},
		{"go1.22 file in go1.21 module", ".", "module m\n\ngo 1.21\n", "//go:build go1.22\n", 2},
		{"no module, go1.21 file", "a.go", "", "//go:build go1.21\n", 1},
		// The go command gives files named one by one the newest language.
		{"file of a go1.21 module", "a.go", "module m\n\ngo 1.21\n", "", 2},
	}
	for _, test := range tests[:testlong.Or(4, len(tests))] {
		t.Run(test.name, func(t *testing.T) {
			ar := &txtar.Archive{Files: []txtar.File{{Name: "a.go", Data: []byte(test.build + body)}}}
			if test.mod != "" {
				ar.Files = append(ar.Files, txtar.File{Name: "go.mod", Data: []byte(test.mod)})
			}
			unpack(t, ar)
			prog := mustLoad(t, Config{Patterns: []string{test.pattern}})
			if got := loopAllocs(prog.Main.Func("f")); got != test.want {
				t.Errorf("got %d loop variables, want %d", got, test.want)
			}
		})
	}
}

// TestInitOrder checks Go's rule: sorted by path as far as imports allow.
func TestInitOrder(t *testing.T) {
	source(t, `
-- go.mod --
module m

go 1.26
-- main.go --
package main

import (
	_ "m/z"
	_ "m/a"
	_ "m/b"
)

func main() {}
-- a/a.go --
package a

import _ "m/y"
-- b/b.go --
package b
-- y/y.go --
package y
-- z/z.go --
package z
`)
	prog := mustLoad(t, Config{Patterns: []string{"."}})
	var got []string
	started := false // package runtime has been seen
	for _, p := range prog.Packages {
		started = started || p.Path == "runtime"
		if !p.Standard {
			if !started {
				t.Errorf("%s comes before package runtime", p.Path)
			}
			got = append(got, p.Path)
		}
	}
	if want := []string{"m/b", "m/y", "m/a", "m/z", "main"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBuildTags(t *testing.T) {
	source(t, `
-- go.mod --
module m

go 1.26
-- main.go --
package main

func main() { println(x, y, z) }
-- x.go --
//go:build custom
package main

const x = 1
-- y.go --
//go:build purego && noasm && netgo && !cgo
package main

const y = 1
-- z.go --
//go:build fromgoflags
package main

const z = 1
`)
	env := append(os.Environ(), "GOFLAGS=-tags=fromgoflags")
	mustLoad(t, Config{Patterns: []string{"."}, BuildTags: []string{"custom"}, Env: env})
	if _, err := loadSmall(Config{Patterns: []string{"."}, Env: env}); err == nil {
		t.Error("got no error without the tag, want undefined: x")
	}
}

func TestGODEBUG(t *testing.T) {
	const text = `
-- go.mod --
module m

go VERSION
-- main.go --
//go:debug panicnil=1
package main

func main() {}
`
	for version, old := range map[string]bool{"1.21": true, "1.26": false} {
		source(t, strings.ReplaceAll(text, "VERSION", version))
		settings := strings.Split(mustLoad(t, Config{Patterns: []string{"."}}).GODEBUG, ",")
		if !slices.Contains(settings, "panicnil=1") {
			t.Errorf("go %s: %q lacks the //go:debug line", version, settings)
		}
		if got := slices.Contains(settings, "asynctimerchan=1"); got != old {
			t.Errorf("go %s: got asynctimerchan=1: %t, want %t", version, got, old)
		}
	}
}

func TestIncluded(t *testing.T) {
	for line, want := range map[string]bool{
		"":                               true,
		"//go:build linux && amd64":      true,
		"//go:build !linux":              false,
		"//go:build cgo":                 false,
		"//go:build purego || cgo":       true,
		"//go:build go1.20 && !go1.9999": true,
		"//go:build extra":               true,
		"//go:build ignore":              false,
		"//go:build wasm || unix":        true,
	} {
		if got := Included([]byte("// run\n\n"+line+"\n\npackage main\n"), "extra"); got != want {
			t.Errorf("%q: got %t, want %t", line, got, want)
		}
	}
}

func TestNewerLibrary(t *testing.T) {
	goroot := t.TempDir()
	if err := os.WriteFile(filepath.Join(goroot, "VERSION"), []byte("go1.9999.1\ntime x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	err := (&universe{goroot: goroot}).checkVersion()
	if err == nil || diag.ExitCode(err) != 2 || !strings.Contains(err.Error(), "has go1.9999.1 but heddle was built with") {
		t.Errorf("got %v, want a refusal", err)
	}
}

func TestTarget(t *testing.T) {
	source(t, `
-- main.go --
package main

func main() { println(x) }
-- x_linux_amd64.go --
package main

const x = 1
-- go.mod --
module m

go 1.26
`)
	env := append(os.Environ(), "GOOS=windows", "GOARCH=386", "CGO_ENABLED=1")
	mustLoad(t, Config{Patterns: []string{"."}, Env: env})
}

func TestRequireMain(t *testing.T) {
	prog := mustLoad(t, Config{Patterns: []string{"errors"}})
	_, err := prog.RequireMain()
	if want := "package errors is not a main package"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if prog.Package("runtime") == nil {
		t.Error("package runtime was not loaded")
	}
}

// TestNoGoCommand looks for packages where the go command does not work.
func TestNoGoCommand(t *testing.T) {
	source(t, `
-- go.mod --
module m

go 1.26
-- a.go --
package main

func main() {}
`)
	work := filepath.Join(t.TempDir(), "go.work")
	_, err := loadSmall(Config{Patterns: []string{"."}, Env: append(os.Environ(), "GOWORK="+work)})
	if err == nil || !strings.Contains(err.Error(), "go.work") || strings.Contains(err.Error(), "\n") || diag.ExitCode(err) != 2 {
		t.Errorf("no go.work: got %v, want one line about it", err)
	}
	t.Setenv("PATH", t.TempDir())
	_, err = loadSmall(Config{Patterns: []string{"."}})
	if want := "the go command is not in PATH: it is needed to find packages"; err == nil || err.Error() != want {
		t.Errorf("no go command: got %v, want %s", err, want)
	}
}

// TestNoMain loads main packages that lack the function main.
func TestNoMain(t *testing.T) {
	dir := unpack(t, txtar.Parse([]byte(`
-- go.mod --
module m

go 1.26
-- none/a.go --
package main

func Main() {}
-- tests/a_test.go --
package main
`)))
	for pattern, want := range map[string]string{
		"./none":  filepath.Join("none", "a.go") + ": function main is undeclared in the main package",
		"./tests": "no non-test Go files in " + filepath.Join(dir, "tests"),
	} {
		_, err := mustLoad(t, Config{Patterns: []string{pattern}}).RequireMain()
		if err == nil || err.Error() != want || diag.ExitCode(err) != 2 {
			t.Errorf("%s: got %v, want %s", pattern, err, want)
		}
	}
}

func TestPanicBecomesBug(t *testing.T) {
	err := guard(&Package{ID: "p"}, func(*Package) error { panic("boom") })
	var bug *diag.Error
	if !errors.As(err, &bug) || bug.Kind != diag.Bug || bug.Msg != "loading p: boom" {
		t.Errorf("got %v, want an internal error", err)
	}
}

func BenchmarkLoadHello(b *testing.B) {
	benchmarkLoad(b, "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println() }\n")
}

func BenchmarkLoadHTTP(b *testing.B) {
	benchmarkLoad(b, "package main\n\nimport \"net/http\"\n\nfunc main() { http.ListenAndServe(\"\", nil) }\n")
}

func benchmarkLoad(b *testing.B, src string) {
	file := filepath.Join(b.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := loadSmall(Config{Patterns: []string{file}}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestCgoFile names a file that uses cgo, which the go command does not even
// list.
func TestCgoFile(t *testing.T) {
	source(t, "-- a.go --\npackage main\n\nimport \"C\"\n\nfunc main() {}\n")
	_, err := loadSmall(Config{Patterns: []string{"a.go"}})
	want := `a.go:3:8: cgo (import "C"): not supported (see docs/LIMITS.md)`
	if err == nil || err.Error() != want || diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("got %v, want %s", err, want)
	}
}
