package load

import (
	"fmt"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ssa"
)

func TestLinks(t *testing.T) {
	source(t, `
-- go.mod --
module m

go 1.26
-- main.go --
package main

import (
	"reflect"
	"sync"
	"time"
	_ "unsafe"
)

//go:linkname procPin runtime.procPin
func procPin() int

type T struct{}

func (*T) Ptr() {}
func (T) Val() {}

func main() {
	time.Sleep(1)
	var mu sync.Mutex
	mu.Lock()
	procPin()
	_ = reflect.TypeOf(mu)
}
-- empty.s --
`)
	prog := mustLoad(t, Config{Patterns: []string{"."}, Intrinsic: noFunction})
	l := prog.Links
	for _, test := range []struct{ fn, impl string }{
		{"time.Sleep", "runtime.timeSleep"}, // pushed by package runtime
		{"main.procPin", "runtime.procPin"}, // pulled by package main
		{"time.runtimeNano", "runtime.time_runtimeNano"},
		{"main.(*T).Ptr", "main.(*T).Ptr"},
		{"main.T.Val", "main.T.Val"},
		{"runtime.memmove", ""}, // assembly
	} {
		fn := l.Lookup(test.fn)
		if fn == nil {
			t.Errorf("%s: not found", test.fn)
			continue
		}
		got := ""
		if impl := l.Func(fn); impl != nil {
			got = ownSymbol(impl)
		}
		if got != test.impl {
			t.Errorf("%s: got implementation %q, want %q", test.fn, got, test.impl)
		}
	}
	zero := prog.Package("reflect").SSA.Var("zeroVal")
	if got := l.Var(zero); got.Pkg.Pkg.Path() != "runtime" {
		t.Errorf("reflect.zeroVal: got %v, want the variable of package runtime", got)
	}
	if got := l.Symbol(l.Lookup("main.procPin")); got != "runtime.procPin" {
		t.Errorf("got symbol %q, want runtime.procPin", got)
	}
}

// noFunction is for a load of everything.
func noFunction(string) bool { return false }

// TestBareFunctions counts the functions without Go body that stay without an
// implementation: the machine has to provide those that are reached.
func TestBareFunctions(t *testing.T) {
	source(t, "-- main.go --\npackage main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println() }\n")
	prog := mustLoad(t, Config{Patterns: []string{"main.go"}, Intrinsic: noFunction})
	n := 0
	for fn := range prog.Links.bare {
		if prog.Links.Func(fn) == nil {
			n++
			if err := prog.Links.External(fn); !err.Pos.IsValid() {
				t.Errorf("%v: got no position", fn)
			}
		}
	}
	if n < 50 || n > 400 {
		t.Errorf("got %d functions without implementation, want 50 to 400", n)
	}
}

func TestEmbed(t *testing.T) {
	dir := source(t, `
-- go.mod --
module m

go 1.26
-- main.go --
package main

import "embed"

//go:embed hello.txt
var hello string

//go:embed static "with space.txt"
var files embed.FS

var (
	//go:embed all:static
	all embed.FS
)

func main() { _, _, _ = hello, files, all }
-- hello.txt --
hello
-- with space.txt --
x
-- static/a.txt --
a
-- static/_b.txt --
b
-- static/sub/c.txt --
c
`)
	prog := mustLoad(t, Config{Patterns: []string{"."}})
	var got string
	for _, e := range prog.Package("main").Embeds {
		got += e.Var.Name() + ":"
		for _, f := range e.Files {
			got += fmt.Sprintf(" %q", f.Name)
		}
		got += "\n"
	}
	want := `hello: "hello.txt"
files: "static/a.txt" "static/sub/c.txt" "with space.txt"
all: "static/_b.txt" "static/a.txt" "static/sub/c.txt"
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got, want := fmt.Sprint(prog.Inputs.Trees), "["+dir+"/static]"; got != want {
		t.Errorf("got trees %s, want %s", got, want)
	}
}

// TestGenericsInstantiated checks that calls of generic functions lead to
// functions without type parameters.
func TestGenericsInstantiated(t *testing.T) {
	source(t, `
-- main.go --
package main

import "slices"

func main() { slices.Sort([]int{3, 1, 2}) }
`)
	prog := mustLoad(t, Config{Patterns: []string{"main.go"}})
	for _, b := range prog.Main.Func("main").Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				fn := call.Call.StaticCallee()
				if fn == nil || fn.TypeParams().Len() != len(fn.TypeArgs()) || len(fn.Blocks) == 0 {
					t.Errorf("%v calls %v, want an instance with a body", call, fn)
				}
				for v := range fn.Signature.Params().Variables() {
					if _, generic := v.Type().(*types.TypeParam); generic {
						t.Errorf("parameter %v has a type parameter as type", v)
					}
				}
			}
		}
	}
}
