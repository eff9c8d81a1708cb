package compile

import (
	"bytes"
	"go/types"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestStd compiles every function and method of some packages of the standard
// library, or of all, whether anything reaches it or not.
func TestStd(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the whole standard library")
	}
	paths, functions := "encoding/json go/parser math/big net os/exec sync/atomic text/template unicode", 5000
	if testlong.On() {
		out, err := exec.Command("go", "list", "std").Output()
		if err != nil {
			t.Fatal(err)
		}
		paths, functions = string(out), 20000
	}
	var src strings.Builder
	src.WriteString("package main\n")
	for path := range strings.FieldsSeq(paths) {
		if !strings.Contains("/"+path+"/", "/internal/") && !strings.Contains(path, "vendor/") && path != "runtime/cgo" && path != "plugin" {
			src.WriteString("import _ \"" + path + "\"\n")
		}
	}
	src.WriteString("func main() {}\n")
	lp := loadWith(t, src.String(), false)
	c := newCompiler(lp, Options{})
	c.roots()
	c.everything()
	c.work()
	p, err := c.finish()
	if err != nil {
		t.Fatal(err)
	}
	if err := bytecode.Check(p); err != nil {
		t.Error(err)
	}
	if got, want := len(p.Funcs), functions; got < want {
		t.Errorf("got %d functions, want at least %d", got, want)
	}
	code := 0
	for i := range p.Funcs {
		code += len(p.Funcs[i].Code)
	}
	t.Logf("%d functions, %d instructions, %d types", len(p.Funcs), code, len(p.Types))
}

// everything enqueues all functions that are not generic.
func (c *compiler) everything() {
	for _, p := range c.lp.Packages {
		if p.SSA == nil {
			continue
		}
		var names []string
		for name := range p.SSA.Members {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			switch m := p.SSA.Members[name].(type) {
			case *ssa.Function:
				if m.TypeParams().Len() == 0 {
					c.funcIndex(m)
				}
			case *ssa.Type:
				named, ok := m.Type().(*types.Named)
				if !ok || named.TypeParams().Len() > 0 || types.IsInterface(named) {
					continue
				}
				for sel := range c.lp.SSA.MethodSets.MethodSet(types.NewPointer(named)).Methods() {
					if fn := c.lp.SSA.MethodValue(sel); fn != nil {
						c.funcIndex(fn)
					}
				}
			}
		}
	}
}

const someFeatures = `package main

import (
	"encoding/json"
	"fmt"
	"net"
	"sort"
)

func main() {
	m := map[string]any{"a": 1, "b": []int{1, 2}}
	keys := []string{}
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	json.Marshal(m)
	fmt.Println(net.Dial(keys[0], keys[1]))
}
`

// manyFeatures is much more, because of what net/http imports.
const manyFeatures = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
)

func main() {
	m := map[string]any{"a": 1, "b": []int{1, 2}}
	keys := []string{}
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	json.Marshal(m)
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, r.URL) })
}
`

// TestDeterminism compiles a program twice, from two loads, and compares bytes.
func TestDeterminism(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net twice")
	}
	var last []byte
	var lp *load.Program
	for range 2 {
		lp = loadSource(t, testlong.Or(someFeatures, manyFeatures))
		p, err := Program(lp, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range p.Files { // the two loads have different directories
			if strings.HasSuffix(f, "/main.go") {
				p.Files[i] = "main.go"
			}
		}
		p.Missing = nil
		got := bytecode.Encode(p)
		if last != nil && !bytes.Equal(got, last) {
			t.Errorf("two compilations differ: %d and %d bytes", len(last), len(got))
		}
		last = got
	}
}

// BenchmarkHello compiles a program that prints.
func BenchmarkHello(b *testing.B) {
	benchmark(b, "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }\n")
}

// BenchmarkServer compiles a program that serves.
func BenchmarkServer(b *testing.B) { benchmark(b, manyFeatures) }

func benchmark(b *testing.B, src string) {
	lp := loadSource(b, src)
	for b.Loop() {
		p, err := Program(lp, Options{SkipInit: isRuntime})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(p.Funcs)), "funcs")
	}
}
