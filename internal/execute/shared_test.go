package execute

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
)

// The programs of all tests here share one loaded standard library: to load it
// takes longer than most of the tests.
var shared struct {
	sync.Mutex // go/ssa does not lock what a session and the compiler share
	*load.Session
	err error
}

// SharedPackages are loaded right away; others of the standard library are when a
// program imports them.
var SharedPackages = []string{
	"bufio", "cmp", "context", "errors", "fmt", "iter", "maps", "math/rand", "math/rand/v2", "net", "os", "reflect", "runtime", "slices", "sort", "strings",
	"sync", "sync/atomic", "syscall", "time", "unicode", "unsafe",
	"github.com/heddle-mc/heddle/verify",
}

// CompileShared compiles the files of a main package that imports nothing but the
// standard library and package verify.
func CompileShared(t testing.TB, files ...string) *bytecode.Program {
	t.Helper()
	if filepath.IsAbs(files[0]) { // the test has written it
		return compileShared(t, Compile, files...)
	}
	compiled, _ := sharedFiles.LoadOrStore(strings.Join(files, " "), &sharedFile{})
	one := compiled.(*sharedFile)
	one.Lock()
	defer one.Unlock()
	if one.prog == nil {
		one.prog = compileShared(t, Compile, files...)
	}
	return one.prog
}

// The files of examples and testdata are compiled once: many tests are about the same ones.
var sharedFiles sync.Map // of *sharedFile

type sharedFile struct {
	sync.Mutex
	prog *bytecode.Program
}

// compileShared is CompileShared with a compiler.
func compileShared(t testing.TB, compile func(*load.Program) (*bytecode.Program, error), files ...string) *bytecode.Program {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	lp, err := sharedSession(t).AddMain(files...)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := compile(lp)
	if err != nil {
		t.Fatal(err)
	}
	return prog
}

// sharedSession returns the session, which is locked.
func sharedSession(t testing.TB) *load.Session {
	t.Helper()
	if shared.Session == nil && shared.err == nil {
		shared.Session, shared.err = load.NewSession(load.Config{Patterns: SharedPackages, Intrinsic: native.Has, OwnRuntime: true})
	}
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.Session
}

// writeMain writes a program of one file.
func writeMain(t testing.TB, src string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}
