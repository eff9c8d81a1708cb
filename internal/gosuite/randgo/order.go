package randgo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Orders returns a program of n functions whose statements read what calls in them change. The language leaves open what they
// read, and so the program shows in which order the compiler goes about it. Each function keeps what it works with in variables
// that its func literals share, runs a few statements, and tells what has become of the variables, or which calls were made before it panicked. (Which of
// two operands without a call panics first may differ, and what a statement that panics has assigned before.)
func Orders(seed uint64, n int) string {
	g := &orders{rnd: rand.New(rand.NewPCG(seed, 0x6f72646572))}
	g.out.WriteString(ordersPrelude)
	for i := range n {
		g.function(i)
	}
	g.out.WriteString("func main() {\n")
	for i := range n {
		fmt.Fprintf(&g.out, "\trun(\"o%d\", o%d)\n", i, i)
	}
	g.out.WriteString("}\n")
	return g.out.String()
}

const ordersPrelude = `package main

import "fmt"

type pair struct {
	a, b int
	in   [3]int
}

func (p pair) sum(k int) int   { return p.a + 2*p.b + k }
func (p *pair) add(k int) int  { p.a += k; return p.b + k }
func (p *pair) at(k int) *pair { p.b += k; return p }

type teller interface{ sum(int) int }

type env struct {
	pair
	next *env
	list []int
	many map[int]int
}

var g, h = 1, 2

func two(a, b int) int             { return a*10 + b }
func three(a, b, c int) int        { return a*100 + b*10 + c }
func both(a, b int) (int, int)     { return b, a }
func all(list ...any) int          { return len(fmt.Sprint(list...)) + last(list) }
func last(list []any) int          { n, _ := list[0].(int); return n }
func bit(b bool) int               { if b { return 1 }; return 0 }
func filled(v int) chan int        { c := make(chan int, 2); c <- v; return c }
func same[T any](a, b T) (T, T)    { return b, a }

func take[T teller](t T, f func(int) int) T { f(9); return t }

func run(name string, f func() string) {
	g, h = 1, 2
	fmt.Println(name, f())
}

`

type orders struct {
	rnd   *rand.Rand
	out   strings.Builder
	loops int
}

func (g *orders) put(format string, args ...any) { fmt.Fprintf(&g.out, "\t"+format+"\n", args...) }

// function writes function number i.
func (g *orders) function(i int) {
	fmt.Fprintf(&g.out, "func o%d() (out string) {\n", i)
	g.put("x, y, z, free := 1, 2, 3, 4")
	g.put("e := &env{next: &env{list: []int{7, 8}}, list: []int{4, 5, 6}, many: map[int]int{1: 2}}")
	g.put("st, ptr, list, many := pair{a: 1, b: 2}, &pair{a: 3}, []int{1, 2, 3}, map[int]int{1: 1}")
	g.put("var some any = 3")
	g.put("var it teller = pair{a: 5}")
	g.put("if g > 99 { it = ptr } // the compiler must not know its type")
	g.put("c, d := make(chan int, 99), make(chan int, 99)")
	g.put("ops, log := 0, \"\"")
	// What it changes depends on its argument. It comes to an end, also in loops.
	g.put("f := func(k int) int {")
	g.put("\tif ops++; ops > 60 { panic(\"enough\") }")
	g.put("\tlog += fmt.Sprint(k, \" \")")
	g.put("\tswitch k %% 13 {")
	for k, change := range []string{"x++", "y += 2", "z--", "e = e.next; if e == nil { e = &env{} }", "e.list = append(e.list, k)", "st.a += 3", "ptr = &pair{a: k, b: 1}",
		"list[0]++", "many[k%4] += k", "some, it = k, pair{b: k}", "g += 3", "h--; st.in[1]++", "list = list[:len(list)-1]; ptr.b++"} {
		g.put("\tcase %d: %s", k, change)
	}
	g.put("\t}")
	g.put("\treturn k %% 3")
	g.put("}")
	g.put("more := func() bool { ops++; return ops < 40 }")
	g.put("yes := func(k int) bool { return f(k) > 0 }")
	g.put("fun := func(k int) int { return f(k + 1) }")
	g.put("defer func() { if r := recover(); r != nil { out = fmt.Sprint(\"panic \", log) } }()")
	for range 1 + g.rnd.IntN(3) {
		g.statement()
	}
	g.put("_, _, _, _, _, _, _ = free, c, d, fun, yes, it, more")
	g.put("return fmt.Sprint(x, y, z, free, e.pair, e.list, e.many, st, *ptr, list, many, some, len(c), len(d), g, h, log)")
	g.out.WriteString("}\n\n")
}

// pick chooses one of some forms, in which I stands for an integer, B for a condition, P for a place and K for a small number.
func (g *orders) pick(depth int, forms ...string) string {
	form := forms[g.rnd.IntN(len(forms))]
	var b strings.Builder
	for _, r := range form {
		switch r {
		case 'I':
			b.WriteString(g.integer(depth - 1))
		case 'B':
			b.WriteString(g.condition(depth - 1))
		case 'P':
			b.WriteString(g.place(depth - 1))
		case 'K':
			fmt.Fprint(&b, g.rnd.IntN(26))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (g *orders) integer(depth int) string {
	simple := []string{"x", "y", "z", "free", "g", "h", "K", "e.a", "e.list[0]", "st.a", "st.in[1]", "ptr.a", "list[0]", "many[1]", "some.(int)", "f(K)", "f(K)", "f(K)",
		"len(list)", "st.sum(1)", "e.next.b"}
	if depth <= 0 {
		return g.pick(depth, simple...)
	}
	if g.rnd.IntN(4) == 0 {
		return g.pick(depth, simple...)
	}
	return g.pick(depth, "(I + I)", "(I * I)", "(I - I)", "(-I)", "(I + I)", "two(I, I)", "three(I, I, I)", "f(I & 15)", "fun(I & 7)", "bit(B)", "<-filled(I)",
		"list[I & 3]", "int(fmt.Sprint(\"a\", I)[I & 1])", "e.list[I & 3]", "st.in[I & 1]", "many[I]", "(pair{a: I, b: I}.b)", "([2]int{I, I}[I & 1])", "([]int{I, I}[1])", "(map[int]int{bit(B): I, f(K): I}[1])", "st.sum(I)",
		"ptr.add(I)", "ptr.sum(I)", "it.sum(I)", "e.sum(I)", "e.at(I).a", "st.at(I).b", "min(I, I)", "max(I, I, 2)", "int(int8(y + I))", "len(append(list, I))", "append(list, I)[0]",
		"all(I, I)", "all(I, pair{a: I}, I)", "two(both(I, I))", "(*ptr).b", "any(I).(int)", "list[I & 1 : 2][0]", "(I / (f(K) + I))", "(I << (I & 3))",
		"func() int { return I }()", "len(string([]byte{byte(x + I), 65}))", "copy(list, []int{I, I})", "func(a, b int) int { x += a; return b }(I, I)", "*(&st.b)", "int([]byte(\"abc\")[I & 1])",
		"len(list[e.a & 1 : f(K) & 1 + 1])", "len(e.list[ptr.b & 1 : I & 1 + 1 : 2])", "all(I, B, f(K))", "all(int8(y + I), st, I)", "len(*&map[int]int{I + x: f(K)})",
		"take(it, f).sum(I)", "bit(st == pair{a: I})", "bit(some == any(I))")
}

func (g *orders) condition(depth int) string {
	if depth <= 0 {
		return g.pick(depth, "yes(K)", "(x > 1)", "(e.a == 0)", "(list[0] < g)", "(st.a < 3)")
	}
	return g.pick(depth, "(I < I)", "(I == I)", "(I >= I)", "(B && B)", "(B || B)", "!B", "yes(I & 15)", "(I == I && B)")
}

func (g *orders) place(depth int) string {
	return g.pick(depth, "x", "y", "g", "e.a", "e.list[I & 1]", "st.a", "st.in[I & 1]", "ptr.b", "list[I & 1]", "many[I]", "e.next.b", "e.at(I).b", "*(&z)", "ptr.in[I & 1]", "free")
}

func (g *orders) statement() {
	const deep = 3
	switch g.rnd.IntN(22) {
	case 0, 1:
		g.put(g.pick(deep, "P = I", "P += I", "P -= I", "P++", "P |= I"))
	case 2, 3:
		g.put(g.pick(deep, "P, P = I, I", "x, P = I, I", "P, P = both(I, I)", "P, _ = same(I, I)", "P, P, P = I, I, I"))
	case 4:
		g.put(g.pick(deep, "if B { z += 5 } else if B { z += 6 }", "if v := I; v > I { z += v }", "if v, w := I, I; v == w && B { z = I }"))
	case 5:
		g.put(g.pick(deep, "for i := I; i < I && more(); i += two(1, I) { z += i }", "for range I & 3 { x += I }", "for free = 0; free < I && more(); free++ { x += I }",
			"for i := 0; i < x && B && more(); i++ { P = I }"))
	case 6:
		g.put(g.pick(deep, "switch I { case I: x += 3; case I + x, y - I: y += 3; fallthrough; case z: z = I; default: z++ }", "switch { case B: x += 3; case B, B: y -= 4; default: z = I }",
			"switch v := I; v + I { case I + z, K: x += v; default: y = v }"))
	case 7:
		g.put(g.pick(deep, "select { case c <- I: y++; case <-d: }", "select { case filled(I) <- I: x++; default: x += 2 }", "select { case v := <-filled(I + I): P = v }"))
	case 8:
		g.put(g.pick(deep, "c <- I", "filled(I)<-I", "(func() chan int { x++; return c })() <- I") + "")
	case 9:
		g.put(g.pick(deep, "defer all(I, I, I)", "defer ptr.add(I)", "defer func(a, b int) { g += a * b }(I, I)", "defer st.sum(I)", "defer two(both(I, I))"))
	case 10:
		g.put(g.pick(deep, "{ var v, w = I, I; x += v * 3 + w }", "{ var v, w int = both(I, I); P, P = v, w }", "{ v, ok := many[I + I]; P = v; _ = ok }", "{ v, w := I, I; P, P = v, w }"))
	case 11:
		g.put(g.pick(deep, "x, y = func() (int, int) { return I, I }()", "x = func() (v int) { v = I; return v + I }()", "z = func() (v int) { defer func() { v += I }(); return I + v }()"))
	case 12:
		g.put(g.pick(deep, "list = append(list, I, I)", "e.list = append(e.list, I)", "many = map[int]int{two(I, I): I, f(I & 15): I}", "e.many[I] = I", "st = pair{I, I, [3]int{I, I}}", "*ptr = pair{a: I, b: I}",
			"ptr, st = ptr.at(I), *ptr", "e.list, list = list, append(e.list, I)"))
	case 13:
		g.put(g.pick(deep, "{ v, ok := <-filled(I + I); P = v; _ = ok }", "e.next.a, _ = <-filled(I)", "some = any(I)", "it = pair{a: I, b: I}", "P = some.(int) + I", "some, it = I, ptr"))
	case 14:
		n := g.loops
		g.loops++
		g.put("l%d:", n)
		g.put(g.pick(deep, fmt.Sprintf("for i := range I & 3 { if B { continue l%d }; if B { break l%d }; x += i }", n, n),
			fmt.Sprintf("for i := x + I; i < y + I && more(); i++ { if B { continue l%d }; P = i }", n),
			fmt.Sprintf("switch I + I { case I: if B { break l%d }; x++; default: y++ }", n),
			fmt.Sprintf("z = x + I; if more() && B { goto l%d }", n)))
	case 15:
		n := g.loops
		g.loops++
		g.put("l%d:", n)
		g.put(g.pick(deep, fmt.Sprintf("for range (x + I) & 3 { if B { break l%d }; y++ }; if more() { goto l%d }", n, n)))
	case 16:
		g.put(g.pick(deep, "all(I, I, I)", "fun(I & 7)", "ptr.add(I)", "e.add(I + I)", "it.sum(I)", "two(both(I, I))", "delete(many, I)", "copy(list, append(list, I))", "_ = I", "_, _ = I, I"))
	case 17:
		g.put(g.pick(deep, "switch v := any(I + I).(type) { case int: P = v + I; default: x++ }", "switch v := some.(type) { case int: P, x = v, I }"))
	default:
		g.put(g.pick(deep+1, "P = I", "P = I + I", "P, P = I, I"))
	}
}
