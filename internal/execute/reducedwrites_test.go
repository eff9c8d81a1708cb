package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
)

// TestWrites writes a variable in one of many ways while another goroutine reads
// it, which is a race: neither is it taken for one that is never written, nor is
// it assumed for good.
func TestWrites(t *testing.T) {
	for _, p := range []struct{ name, vars, write, read string }{
		{"assignment", "var x = 1", "x = 2", "out = x"},
		{"increment", "var x = 1", "x++", "out = x"},
		{"field", "var x struct{ a, b int }", "x.b = 2", "out = x.b"},
		{"element", "var x [3]int", "x[out&1+1] = 2", "out2 = x[1]"},
		{"slice", "var x = []int{1, 2}", "x[1] = 2", "out2 = x[1]"},
		{"slice of an array", "var x [3]int", "y := x[:2]; y[1] = 2", "out2 = x[1]"},
		{"nested", "var x [2]struct{ a [2]int }", "x[1].a[1] = 2", "out2 = x[1].a[1]"},
		{"struct", "type pair struct{ a, b int }\nvar x pair", "x = pair{1, 2}", "out2 = x.a"},
		{"array", "var x [9]int", "x = [9]int{8: 1}", "out2 = x[8]"},
		{"pointer", "var x = 1", "p := &x; *p = 2", "out2 = x"},
		{"pointer of the initialisation", "var x = 1\nvar p = &x", "*p = 2", "out2 = x"},
		{"pointer of an init function", "var x = 1\nvar p *int\nfunc init() { p = &x }", "*p = 2", "out2 = x"},
		{"method", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number", "x.set()", "out2 = int(x)"},
		{"method value", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number\nvar f = x.set", "f()", "out2 = int(x)"},
		{"method expression", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number", "(*number).set(&x)", "out2 = int(x)"},
		{"embedded method", "type number struct{ n int }\nfunc (n *number) set() { n.n = 2 }\nvar x struct{ number }", "x.set()", "out2 = x.n"},
		{"embedded method value", "type number struct{ n int }\nfunc (n *number) set() { n.n = 2 }\nvar x struct{ a int; number }\nvar f = x.set", "f()", "out2 = x.n"},
		{"interface", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number\nvar i interface{ set() } = &x", "i.set()", "out2 = int(x)"},
		{"closure", "var x int\nvar f = func() { x = 2 }", "f()", "out2 = x"},
		{"deferred", "var x int", "defer func() { x = 2 }()", "out2 = x"},
		{"generic", "var x int\nfunc set[T any](p *T, v T) { *p = v }", "set(&x, 2)", "out2 = x"},
		{"map", "var x = map[int]int{1: 1}", "x[1] = 2", "out2 = x[1]"},
		{"deletion", "var x = map[int]int{1: 1}", "delete(x, 1)", "out2 = x[1]"},
		{"clear", "var x = []int{1, 2}", "clear(x)", "out2 = x[1]"},
		{"copy", "var x = []int{1, 2}", "copy(x, []int{3, 4})", "out2 = x[1]"},
		{"append", "var x = make([]int, 2, 4)", "_ = append(x[:1], 2)", "out2 = x[1]"},
		{"sort", "var x = []int{3, 1, 2}", "sort.Ints(x)", "out2 = x[1]"},
		{"slices", "var x = []int{3, 1, 2}", "slices.Reverse(x)", "out2 = x[0]"},
		{"range", "var x int", "for x = range 2 { }", "out2 = x"},
		{"receive", "var x int", "c := make(chan int, 1); c <- 1; x = <-c", "out2 = x"},
		{"select", "var x int", "c := make(chan int, 1); c <- 1; select { case x = <-c: }", "out2 = x"},
		{"comma ok", "var x bool\nvar y any = 1", "_, x = y.(int)", "if x { out2 = 1 }"},
		{"scan", "var x int", `fmt.Sscan("2", &x)`, "out2 = x"},
		{"atomic", "var x int32", "atomic.StoreInt32(&x, 2)", "out2 = int(x)"},
		{"reflect", "var x int", "reflect.ValueOf(&x).Elem().SetInt(2)", "out2 = x"},
		{"reflect by name", "var x struct{ A int }\nvar v = reflect.ValueOf(&x)", `v.Elem().FieldByName("A").SetInt(2)`, "out2 = x.A"},
		{"reflect copy", "var x = []int{1, 2}", "reflect.Copy(reflect.ValueOf(x), reflect.ValueOf([]int{3, 4}))", "out2 = x[1]"},
		{"reflect method", "type number int\nfunc (n *number) Set() { *n = 2 }\nvar x number", `reflect.ValueOf(&x).MethodByName("Set").Call(nil)`, "out2 = int(x)"},
		{"unsafe", "var x [2]int", "*(*int)(unsafe.Add(unsafe.Pointer(&x), 8)) = 2", "out2 = x[1]"},
		{"read", "var x [2]byte", `strings.NewReader("ab").Read(x[:])`, "out2 = int(x[1])"},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			body := p.vars + `

var out2 int

func writer(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	` + p.write + `
}

func reader(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	` + p.read + `
}

func main() {
	go writer(new(sync.Mutex))
	go reader(new(sync.Mutex))
}`
			bodies := []string{body}
			if !strings.Contains(p.vars, "\n") { // it can be a local variable, too, which is made when there is somebody else
				bodies = append(bodies, `
var out2 int

func main() {
	var out int
	later := make(chan bool)
	go close(later)
	<-later
	`+p.vars+`
	mu, nu := new(sync.Mutex), new(sync.Mutex)
	go func() {
		mu.Lock()
		mu.Unlock()
		`+p.write+`
	}()
	go func() {
		nu.Lock()
		nu.Unlock()
		`+p.read+`
	}()
	_ = out
}`)
			}
			for _, body := range bodies {
				a, complaint := agree(compileText(t, program(body)), 20000, execute.Settings{})
				if complaint != "" {
					t.Error(complaint)
				}
				want := "race"
				if strings.HasPrefix(p.vars, "var x = map") {
					want = "fatal" // concurrent map read and map write
				}
				if got := a.reduced.kinds(); !slices.Contains(got, want) || !a.whole() {
					t.Errorf("got %v, want %s: %s\n%s", got, want, a.reduced.Result, body)
				}
			}
		})
	}
}
