package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// tricky has what looks like the begin or the end of a body and is none.
const tricky = `package p

/* func comment() { */
// func comment() {
var s = ` + "`" + `
func raw() {
}
` + "`" + `

var f = func() string { return "}" }

type t struct{ x interface{} }

func assembly(x struct{ y int }) interface{} // {

func linked()

func (*t) one() interface{} { return '}' }
func two[T interface{ ~int | ~string }](x T) struct {
	a int
} {
	/* } */
	return struct{ a int }{len("\"}") + '\'' + len(` + "`}\\`" + `)} // }
}

func three() (interface{ M() }, [1]struct{}) { panic("{") }
func four() map[string]func(interface{}) (x struct{}) { return nil }

func last() {
	go func() { select {} }()
}`

// TestHollow: a file that is parsed without bodies, which are parsed later, has the tree and the lines that it has
// if it is parsed at once.
func TestHollow(t *testing.T) {
	t.Parallel()
	bodies := 0
	compare := func(name string, src []byte) {
		blank := hollow(src)
		if blank == nil {
			t.Errorf("%s: got no bodies", name)
			return
		}
		want, wantSet := parseAs(t, name, src)
		got, set := parseAs(t, name, blank)
		u := &universe{fset: set, hollow: map[*token.File][]byte{set.File(got.FileStart): src}}
		for _, decl := range got.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			if len(fn.Body.List) > 0 {
				t.Errorf("%s: %s was parsed with its body", name, fn.Name.Name)
			}
			body, err := u.fill(fn)
			if err != nil {
				t.Errorf("%s: %s: %v", name, fn.Name.Name, err)
			}
			fn.Body = body
			bodies++
		}
		if !reflect.DeepEqual(got.Decls, want.Decls) {
			t.Errorf("%s: got another tree", name)
		}
		if !reflect.DeepEqual(set.File(got.FileStart).Lines(), wantSet.File(want.FileStart).Lines()) {
			t.Errorf("%s: got other lines", name)
		}
	}
	compare("tricky", []byte(tricky))
	if bodies != 5 {
		t.Errorf("got %d bodies of the tricky source, want 5", bodies)
	}
	names, err := filepath.Glob(filepath.Join(goroot.Dir(), "src", "*", "*.go"))
	if err != nil || len(names) < 1000 {
		t.Fatal(len(names), err)
	}
	for i, name := range names {
		if i%testlong.Or(50, 1) != 0 {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		compare(name, src)
	}
	if hollow([]byte("package p\n\n//line x.go:1\nfunc f() {}\n")) != nil || hollow([]byte("package p\n\nfunc f() {\n")) != nil {
		t.Error("a source with other positions, or without end, was taken")
	}
}

func parseAs(t *testing.T, name string, src []byte) (*ast.File, *token.FileSet) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f, set
}
