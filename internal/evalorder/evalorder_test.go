package evalorder

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestApply shows what becomes of statements. (That programs do what they do natively is tested by random ones, in package randgo.)
func TestApply(t *testing.T) {
	for _, test := range []struct{ name, stmt, want string }{
		{"nothing to read", "a = f() + f()", ""},
		{"read after the call", "a = f() + x", ""},
		{"a variable of one's own", "n := 1; a = n + f()", ""},
		{"sum", "a = x + f()", "var t1 = f(); a = x + t1"},
		{"return", "return x, f()", "var t1 = f(); return x, t1"},
		{"place", "p.n = f()", "var t1 = f(); p.n = t1"},
		{"places", "p.n, a = two()", "var t1, t2 = two(); p.n, a = t1, t2"},
		{"send", "p.c <- f()", "var t1 = f(); p.c <- t1"},
		{"argument", "g(x, f())", "var t1 = f(); g(x, t1)"},
		{"arguments", "h(x)(two())", ""},
		{"arguments of a variable", "v(two())", "var t1, t2 = two(); v(t1, t2)"},
		{"go", "go g(x, f())", "var t1 = f(); go g(x, t1)"},
		{"and", "a = x + b2i(x > 0 && x > f())", "var t1 = x > 0; if t1 { var t2 = f(); t1 = x > t2 }; var t3 = b2i(t1); a = x + t3"},
		{"if", "if x > f() { a = 1 }", "if { var t1 = f() }; x > t1 { a = 1 }"},
		{"loop", "for x > f() { a = 1 }", "for { var t1 = f(); if x > t1 { } else { break }; a = 1 }"},
		{"switch", "switch x { case a + f(): a = 1 }", "switch { var t1 = x; var t2 = 0; var t3 = f(); if t1 == a+t3 { t2 = 1 } else { } }; t2 { case 1: a = 1 }"},
		{"select", "select { case p.c <- x + f(): a = 1 }", "var t1 = p.c; var t2 = f(); var t3 = x + t2; select { case t1 <- t3: a = 1 }"},
		{"map", "a = x + map[int]int{x: f(), 1: 2}[x]", "var t1 = map[int]int{1: 2}; var t2 = f(); t1[x] = t2; a = x + t1[x]"},
		{"bounds", "l = l[p.n:f()]", "var t1 = p.n; var t2 = f(); l = l[t1:t2]"},
		{"map behind a pointer", "m = &map[int]int{x: f()}", "var t1 = map[int]int{}; var t2 = f(); t1[x] = t2; m = &t1"},
		{"condition as a value", "show(x, x == 0, f())", "var t1 = x == 0; var t2 = f(); show(x, t1, t2)"},
		{"range of an array", "for i := range q.arr { a = i }", "for i := range 3 { a = i }"},
		{"range of an array, no variable", "for range *q.arrs[x] { a = 1 }", "for range 3 { a = 1 }"},
		{"range of an array, blank", "for i, _ := range &q.arr { a = i }", "for i := range 3 { a = i }"},
		{"range of an array, values", "for i, e := range q.arr { a = i + e }", ""},
		{"range of an array with a call", "for i := range *q.arrs[f()] { a = i }", "var t1 = f(); for i := range *q.arrs[t1] { a = i }"},
		{"range of an array with a receive", "for i := range *<-q.c { a = i }", ""},
		{"range of an array with a conversion", "for i := range *q.arrs[int(x)] { a = i }", "for i := range 3 { a = i }"},
		{"range of a slice", "for i := range q.arrs { a = i }", ""},
		{"index", "a = int(name()[f()])", "var t1 = name(); var t2 = f(); a = int(t1[t2])"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := apply(t, test.stmt)
			want := test.want
			if want == "" {
				want = test.stmt
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// apply rewrites a statement, and returns it in one line.
func apply(t *testing.T, stmt string) string {
	t.Helper()
	const head = `package p
type node struct { n int; c chan int }
var q struct { arr [3]int; arrs []*[3]int; c chan *[3]int }
var x, a int
func f() int { x++; return x }
func two() (int, int) { return 1, 2 }
func g(...int) {}
func name() string { return "" }
func h(int) func(int, int) { return nil }
var v func(int, int)
var l []int
var m *map[int]int
func show(...any) {}
func b2i(bool) int { return 0 }
func test(p *node) (r, s int) {
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", head+stmt+"\nreturn\n}", 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Implicits: make(map[ast.Node]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection)}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	Apply([]*ast.File{file}, pkg, info)
	body := file.Decls[len(file.Decls)-1].(*ast.FuncDecl).Body
	var parts []string
	for _, s := range body.List[:len(body.List)-1] {
		parts = append(parts, oneLine(t, s))
	}
	return strings.Join(parts, "; ")
}

// oneLine prints a statement in one line.
func oneLine(t *testing.T, n ast.Node) string {
	t.Helper()
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), n); err != nil {
		t.Fatal(err)
	}
	var line strings.Builder
	for _, part := range strings.Split(b.String(), "\n") {
		part = strings.TrimSpace(part)
		if last := line.String(); last != "" && part != "" {
			if !strings.HasSuffix(last, "{") && !strings.HasSuffix(last, ":") && !strings.HasPrefix(part, "}") {
				line.WriteByte(';')
			}
			line.WriteByte(' ')
		}
		line.WriteString(part)
	}
	return line.String()
}
