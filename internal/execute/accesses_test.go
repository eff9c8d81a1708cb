package execute

import "testing"

// TestAccesses checks what an access is: all that go build -race instruments, and
// nothing else.
func TestAccesses(t *testing.T) { findRaces(t, accesses) }

// accesses are programs in which nothing orders the two goroutines. Most of the reads are of
// values that nobody needs.
var accesses = []racy{
	{"field", true, `
type T struct{ a, b int }
func main() { x := &T{}; go func() { x.a = 1 }(); _ = x.a }`},
	{"otherField", false, `
type T struct{ a, b int }
func main() { x := &T{}; go func() { x.a = 1 }(); _ = x.b }`},
	{"nestedField", true, `
var x struct { in struct{ a, b int } }
func main() { go func() { x.in.a = 1 }(); _ = x.in.a }`},
	{"otherNestedField", false, `
var x struct { in struct{ a, b int } }
func main() { go func() { x.in.a = 1 }(); _ = x.in.b }`},
	{"structCopy", true, `
type T struct{ a, b int }
var x T
func main() { go func() { x.a = 1 }(); y := x; _ = y.b }`},
	{"structThroughPointer", true, `
type T struct{ a [40]int; b int }
func main() { p := new(T); go func() { p.b = 1 }(); _ = *p }`},
	{"copyOfFinal", false, `
type T struct{ a, b int }
func main() { x := T{1, 2}; go func() { y := x; _ = y }(); _ = x }`},
	{"valueReceiver", true, `
type T struct{ a, b int }
func (T) m() {}
var x T
func main() { go func() { x.a = 1 }(); x.m() }`},
	{"pointerReceiver", false, `
type T struct{ a, b int }
func (*T) m() {}
var x T
func main() { go func() { x.a = 1 }(); x.m() }`},
	{"global", true, `
var x int
func main() { go func() { x = 1 }(); _ = x }`},
	{"globalString", true, `
var s string
func main() { go func() { s = "a" }(); _ = s }`},
	{"unusedSum", true, `
var x int
func main() { go func() { x = 1 }(); y := x + 1; _ = y }`},
	{"foldedComparison", true, `
var x uint
func main() { go func() { x = 1 }(); if x < 0 { println(1) } }`},
	{"shortCircuit", false, `
var x bool
func main() { go func() { x = true }(); const no = false; if no && x { println(1) } }`},
	{"pointer", true, `
func main() { p := new(int); go func() { *p = 1 }(); _ = *p }`},
	{"element", true, `
func main() { s := make([]int, 2); i := 1; go func() { s[1] = 1 }(); x := s[i]; _ = x }`},
	{"otherElement", false, `
func main() { s := make([]int, 2); i := 0; go func() { s[1] = 1 }(); x := s[i]; _ = x }`},
	{"arrayElement", true, `
var a [3]int
func main() { i := 1; go func() { a[1] = 1 }(); _ = a[i] }`},
	{"array", true, `
var a [3]int
func main() { go func() { a[1] = 1 }(); _ = a }`},
	{"rangeByValue", true, `
var a [3]int
func main() { go func() { a[2] = 1 }(); for _, v := range a { _ = v; break } }`},
	{"rangeByIndex", false, `
var a [3]int
func main() { go func() { a[2] = 1 }(); for i := range a { _ = i } }`},
	{"rangeByPointer", false, `
var a [3]int
func main() { go func() { a[2] = 1 }(); for _, v := range &a { _ = v; break } }`},
	{"lenOfArray", false, `
var a [3]int
func main() { go func() { a[2] = 1 }(); _ = len(a) }`},
	{"lenOfSlice", true, `
var s []int
func main() { go func() { s = nil }(); _ = len(s) }`},
	{"sizeof", false, `
var a [3]int
func main() { go func() { a[2] = 1 }(); _ = unsafe.Sizeof(a) }`},
	{"address", false, `
var x int
func main() { go func() { x = 1 }(); _ = &x }`},
	{"mapLen", true, `
func main() { m := map[int]int{}; go func() { m[1] = 1 }(); _ = len(m) }`},
	{"mapGet", true, `
func main() { m := map[int]int{}; go func() { m[1] = 1 }(); _ = m[2] }`},
	{"interface", true, `
var x any
func main() { go func() { x = 1 }(); _, ok := x.(int); _ = ok }`},
	{"function", true, `
var f = func() {}
func main() { go func() { f = nil }(); _ = f }`},
	{"channel", true, `
var c = make(chan int, 1)
func main() { go func() { c = nil }(); _ = cap(c) }`},
	{"bytesToString", true, `
func main() { b := []byte("ab"); go func() { b[0] = 1 }(); _ = string(b) }`},
	{"result", true, `
func f() (x int) { go func() { x = 1 }(); return x }
func main() { f() }`},
	{"resultOfDeferredWait", false, `
func f() (n int, err error) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { n, err = 1, nil; wg.Done() }()
	defer wg.Wait()
	return n, err
}
func main() { f() }`},
	{"toItself", false, `
func main() { x := 1; go func() { _ = x }(); x = x }`},
	{"toItselfByAnother", true, `
func main() { x := 1; go func() { _ = x }(); y := x; x = y }`},
	{"swap", true, `
var x, y int
func main() { go func() { _ = x }(); x, y = y, x }`},
	{"comparison", true, `
var a = [2]int{1, 1}
func main() { go func() { a[1] = 2 }(); _ = a == [2]int{} }`}, // Go stops at a[0]
	{"loopVariableOutside", true, `
func main() {
	var v int
	for _, v = range [2]int{} {
		go func() { _ = v }()
	}
}`},
	{"loopVariableAssigned", true, `
func main() {
	var v int
	for i := range 2 {
		v = i
		go func() { _ = v }()
	}
}`},
	{"loopVariableInside", false, `
func main() {
	for i := range 2 {
		v := i
		go func() { _ = v }()
	}
}`},
}
