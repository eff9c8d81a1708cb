//go:build linux && amd64

package linux

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The constants are those that packages syscall and unix have on linux/amd64. A few have another value in each of them.
func TestConstants(t *testing.T) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	from := importer.ForCompiler(fset, "source", nil)
	own, err := (&types.Config{Importer: from}).Check("linux", fset, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	var scopes []*types.Scope
	for _, path := range []string{"syscall", "golang.org/x/sys/unix"} {
		p, err := from.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		scopes = append(scopes, p.Scope())
	}
	checked := 0
	for _, name := range own.Scope().Names() {
		c, ok := own.Scope().Lookup(name).(*types.Const)
		if !ok || strings.ToUpper(name) != name {
			continue
		}
		var values []string
		same := false
		for _, s := range scopes {
			if is, ok := s.Lookup(name).(*types.Const); ok {
				values = append(values, is.Val().String())
				same = same || constant.Compare(is.Val(), token.EQL, c.Val())
			}
		}
		if !same {
			t.Errorf("%s: got %v, want one of %v", name, c.Val(), values)
		}
		checked++
	}
	if checked < 400 {
		t.Errorf("%d constants looked at: want more than 400", checked)
	}
}

// Words and layouts are those of package syscall.
func TestWords(t *testing.T) {
	for n := range 200 {
		if got, want := Errno(n).Error(), syscall.Errno(n).Error(); got != want {
			t.Errorf("errno %d: got %q, want %q", n, got, want)
		}
		if got, want := Errno(n).Name(), unix.ErrnoName(syscall.Errno(n)); got != want {
			t.Errorf("errno %d: got %q, want %q", n, got, want)
		}
		if got, want := Signal(n).String(), syscall.Signal(n).String(); got != want {
			t.Errorf("signal %d: got %q, want %q", n, got, want)
		}
	}
	for _, n := range []int64{0, 1, 999_999_999, 1_000_000_000, -1, -1_000_000_001} {
		if got, want := NsecToTimespec(n), syscall.NsecToTimespec(n); got != Timespec(want) || got.Nano() != n {
			t.Errorf("%d ns: got %v, want %v", n, got, want)
		}
	}
	own, want := reflect.TypeFor[Stat](), reflect.TypeFor[syscall.Stat_t]()
	if own.Size() != want.Size() {
		t.Errorf("a Stat has %d bytes, want %d", own.Size(), want.Size())
	}
	for i := range own.NumField() {
		if f := own.Field(i); f.Name != "_" {
			if w, _ := want.FieldByName(f.Name); w.Offset != f.Offset || w.Type.Size() != f.Type.Size() {
				t.Errorf("%s: at %d with %d bytes, want %d and %d", f.Name, f.Offset, f.Type.Size(), w.Offset, w.Type.Size())
			}
		}
	}
}
