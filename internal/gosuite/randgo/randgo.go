// Package randgo writes random Go programs, so that the machine can be held
// against natively compiled code on programs nobody thought of. A program has
// many functions of nested statements over integers of all sizes, floats,
// strings, arrays, slices, structs, maps, pointers, closures, defer and
// interfaces. Each folds what it computes into a hash; main prints the hash, or
// the message of the panic, of each call. A program always ends: loops are
// counted and functions call only earlier ones. No expression reads what a call
// in it changes: that is the matter of programs of another kind, see Orders.
package randgo

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program returns the program of a seed with n functions.
func Program(seed uint64, n int) string {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, 0x6865646c65))}
	g.line("package main")
	g.line("")
	g.line("import \"fmt\"")
	g.line("")
	g.out.WriteString(prelude)
	for i := range n {
		g.function(i)
	}
	g.line("func main() {")
	for i := range n {
		g.line("\tfor i := range 3 { run(\"f%d\", func() uint64 { return f%d(%d+i, %d, %s, %q) }) }", i, i,
			g.rnd.IntN(100)-50, g.rnd.Uint32(), float(g.rnd), word(g.rnd))
	}
	g.line("}")
	return g.out.String()
}

const prelude = `type pair struct {
	a int8
	b uint64
	c [3]int16
	s string
}

type shape interface{ area(k int) int }

type square struct{ side int32 }

func (s square) area(k int) int { return int(s.side)*k + 1 }

type circle struct {
	r uint8
	p *int
}

func (c *circle) area(k int) int { *c.p += k; return int(c.r) ^ *c.p }

func mix(h, x uint64) uint64 { return (h ^ x) * 0x100000001b3 + h>>29 }

// short keeps strings that are doubled in a loop from filling the memory.
func short(s string) string { return s[:min(len(s), 1000)] }

func mixs(h uint64, s string) uint64 {
	for i := 0; i < len(s); i++ {
		h = mix(h, uint64(s[i]))
	}
	return h
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func run(name string, f func() uint64) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panic:", r)
		}
	}()
	fmt.Println(name, f())
}

`

var ints = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}

// A variable is one that the statements of a function may use.
type variable struct{ name, typ string }

type generator struct {
	rnd   *rand.Rand
	out   strings.Builder
	vars  []variable
	depth int
	next  int // number of the next local
	fns   int // functions that may be called
	loops int // how many loops are around
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.out, format+"\n", args...)
}

func (g *generator) put(format string, args ...any) {
	g.line(strings.Repeat("\t", g.depth)+format, args...)
}

func float(r *rand.Rand) string { return fmt.Sprintf("%g", (r.Float64()-0.5)*1e3) }

func word(r *rand.Rand) string { return strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(4)) + "é" }

// function writes function number i.
func (g *generator) function(i int) {
	g.fns, g.next, g.depth, g.loops = i, 0, 1, 0
	g.vars = []variable{{"x", "int"}, {"y", "uint32"}, {"z", "float64"}, {"s", "string"}}
	g.line("func f%d(x int, y uint32, z float64, s string) (h uint64) {", i)
	g.put("var (\n\t\tarr [5]int32\n\t\tp pair\n\t\tsl = []int{1, 2, 3}\n\t\tm = map[int]string{}\n\t\tq = &p\n\t\tn int\n\t)")
	g.put("var sh shape = square{int32(x)}")
	g.put("cl := func(k int) int { n += k; return n ^ len(sl) }")
	if g.rnd.IntN(3) == 0 {
		g.put("defer func() { h = mix(h, uint64(n)); if r := recover(); r != nil { h = mixs(h, fmt.Sprint(r)) } }()")
	}
	g.block(3 + g.rnd.IntN(8))
	g.put("h = mixs(mix(h, uint64(arr[0])+uint64(p.a)+p.b+uint64(p.c[1])+uint64(len(sl))+uint64(len(m))+uint64(q.c[2])), p.s)")
	g.put("_, _, _ = cl, sh, y")
	g.put("return mix(h, uint64(n)+uint64(int64(z))&0xff)")
	g.line("}\n")
}

// block writes n statements in a scope of their own.
func (g *generator) block(n int) {
	scope := len(g.vars)
	for range n {
		g.statement()
	}
	g.vars = g.vars[:scope]
}

func (g *generator) nested(n int) {
	g.depth++
	g.block(n)
	g.depth--
}

func (g *generator) pick(typ string) string {
	var have []string
	for _, v := range g.vars {
		if v.typ == typ {
			have = append(have, v.name)
		}
	}
	if len(have) == 0 {
		return ""
	}
	return have[g.rnd.IntN(len(have))]
}

func (g *generator) typ() string {
	switch g.rnd.IntN(8) {
	case 0:
		return "float64"
	case 1:
		return "string"
	case 2:
		return "bool"
	}
	return ints[g.rnd.IntN(len(ints))]
}

func (g *generator) statement() {
	deep := g.depth > 5
	switch k := g.rnd.IntN(24); {
	case k < 5:
		t := g.typ()
		name := fmt.Sprintf("v%d", g.next)
		g.next++
		g.put("var %s %s = %s", name, t, g.expr(t, 3))
		g.put("_ = %s", name)
		g.vars = append(g.vars, variable{name, t})
	case k < 9:
		v := g.vars[g.rnd.IntN(len(g.vars))]
		g.put("%s = %s", v.name, g.expr(v.typ, 3))
	case k == 9:
		if v := g.pick(ints[g.rnd.IntN(len(ints))]); v != "" {
			g.put("%s %s %s", v, []string{"+=", "-=", "*=", "^=", "|=", "&^="}[g.rnd.IntN(6)], g.exprOf(v))
		}
	case k == 10 && !deep:
		g.put("if %s {", g.expr("bool", 2))
		g.nested(1 + g.rnd.IntN(3))
		if g.rnd.IntN(2) == 0 {
			g.put("} else {")
			g.nested(1 + g.rnd.IntN(3))
		}
		g.put("}")
	case k == 11 && !deep && g.loops < 2:
		i := fmt.Sprintf("i%d", g.next)
		g.next++
		g.loops++
		g.put("for %s := 0; %s < %d; %s++ {", i, i, 1+g.rnd.IntN(6), i)
		g.depth++
		g.put("n += %s", i)
		if g.rnd.IntN(3) == 0 {
			g.put("if %s { %s }", g.expr("bool", 2), []string{"break", "continue"}[g.rnd.IntN(2)])
		}
		g.block(1 + g.rnd.IntN(4))
		g.depth--
		g.put("}")
		g.loops--
	case k == 12 && !deep:
		t := ints[g.rnd.IntN(len(ints))]
		g.put("switch %s & 3 {", g.expr(t, 2))
		for c := range 1 + g.rnd.IntN(3) {
			g.put("case %d:", c)
			g.nested(1 + g.rnd.IntN(2))
		}
		g.put("default:")
		g.nested(1)
		g.put("}")
	case k == 13 && !deep && g.loops < 2:
		g.loops++
		g.put("for k, e := range %s {", []string{"sl", "arr", "s", "p.c"}[g.rnd.IntN(4)])
		g.depth++
		g.put("h = mix(h, uint64(k)*31+uint64(e))")
		g.block(1 + g.rnd.IntN(2))
		g.depth--
		g.put("}")
		g.loops--
	default:
		g.effect()
	}
}

// effect writes a statement on the function's aggregates.
func (g *generator) effect() {
	switch g.rnd.IntN(13) {
	case 0:
		g.put("arr[%s] = %s", g.index(5), g.expr("int32", 2))
	case 1:
		g.put("p.%s", []string{
			"a = " + g.expr("int8", 2), "b += " + g.expr("uint64", 2), "c[" + g.index(3) + "] ^= " + g.expr("int16", 2), "s += " + g.expr("string", 1) + "; p.s = short(p.s)",
		}[g.rnd.IntN(4)])
	case 2:
		g.put("if len(sl) < 40 { sl = append(sl, %s) }", g.expr("int", 2))
	case 3:
		g.put("sl[%s] = %s", g.sliceIndex(), g.expr("int", 2))
	case 4:
		g.put("m[%s&7] = %s", g.expr("int", 1), g.expr("string", 1))
	case 5:
		g.put("h = mixs(h, m[%s&7])", g.expr("int", 1))
	case 6:
		g.put("{ t := cl(%s); n += t }", g.expr("int", 2))
	case 7:
		g.put("h = mix(h, uint64(%s))", g.expr(ints[g.rnd.IntN(len(ints))], 3))
	case 8:
		g.put("sh = []shape{square{%s}, &circle{%s, &n}}[%s]", g.expr("int32", 1), g.expr("uint8", 1), g.index(2))
	case 9:
		g.put("{ t := sh.area(%s); n ^= t }", g.expr("int", 1))
	case 10:
		g.put("q, p = &pair{a: p.a, s: p.s}, *q")
	case 11:
		if g.fns > 0 && g.loops == 0 {
			g.put("h = mix(h, f%d(%s, %s, %s, s))", g.rnd.IntN(g.fns), g.expr("int", 1), g.expr("uint32", 1), g.expr("float64", 1))
		}
	case 12:
		g.put("if lo, hi := %s&15, %s&15; len(s) < 100 { s = s[min(lo, len(s)):max(lo, min(hi, len(s)))] + \"x\" }", g.expr("int", 1), g.expr("int", 1))
	}
}

// index is an index below n, or once in a while one that may not be.
func (g *generator) index(n int) string {
	if g.rnd.IntN(60) == 0 {
		return g.expr("int", 2)
	}
	return fmt.Sprintf("uint(%s)%%%d", g.expr("int", 2), n)
}

func (g *generator) sliceIndex() string {
	if g.rnd.IntN(60) == 0 {
		return g.expr("int", 2)
	}
	return fmt.Sprintf("uint(%s)%%uint(len(sl))", g.expr("int", 2))
}

// exprOf is an expression of the type of a variable.
func (g *generator) exprOf(name string) string {
	for _, v := range g.vars {
		if v.name == name {
			return g.expr(v.typ, 2)
		}
	}
	return "0"
}
