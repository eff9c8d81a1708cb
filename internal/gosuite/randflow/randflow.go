// Package randflow writes random Go programs that hand values on: values of types
// of one to a dozen words, through channels, maps, interfaces, closures, calls,
// package reflect and whatever else a value can go through, most of them from one
// to the next without a variable between. A program tells in a text what came
// out at each end, so that the machine can be held against natively compiled code,
// and a search against both. What a program does is determined: all goroutines
// that it starts are waited for, in one order.
//
// Package randgo is its sibling for arithmetic and control flow. This one knows
// nothing of the machine.
package randflow

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// steps is how many values a program follows to their ends.
const steps = 3

// A Set is some programs that can be one file: the functions p0, p1, ....
type Set []string

// Generate returns n programs.
func Generate(seed uint64, n int) Set {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, 0x666c6f77))}
	var s Set
	for g.i = range n {
		g.program()
		s = append(s, g.out.String())
		g.out.Reset()
	}
	return s
}

// Print is the text of a main package that prints what each program tells, a line
// for each.
func (s Set) Print() string {
	var b strings.Builder
	b.WriteString(prelude)
	for _, p := range s {
		b.WriteString(p)
	}
	b.WriteString("func main() {\n")
	for i := range s {
		fmt.Fprintf(&b, "\trun(\"p%d\", p%d)\n", i, i)
	}
	b.WriteString("}\n")
	return b.String()
}

// Expect is the text of a main package that panics unless the i-th program tells
// what is wanted.
func (s Set) Expect(i int, want string) string {
	return fmt.Sprintf("%s%sfunc main() { expect(\"p%d\", p%d, %q) }\n", prelude, s[i], i, i, want)
}

// A generator writes programs.
type generator struct {
	rnd  *rand.Rand
	out  strings.Builder
	i    int // number of the program
	t    *typ
	next int // number of the next name
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

// program writes one program and its types.
func (g *generator) program() {
	g.next = 0
	g.t = g.named(1 + g.rnd.IntN(12))
	g.line("type t%d %s", g.i, g.t.text)
	g.line("type u%d %s", g.i, g.t.text)
	g.line("var g%d t%d", g.i, g.i)
	g.line("func (x t%d) Tell() string { return show%d(x) }", g.i, g.i)
	g.line("func show%d(x t%d) string {\n\tvar b []byte\n%s\treturn string(b)\n}", g.i, g.i, g.shower(g.t, "x"))
	g.line("func p%d(l *log) {", g.i)
	for range steps {
		setup, stmt := g.expand(g.pick(sinks), 3)
		g.line("\t{\n%s\t}", indent(setup+stmt))
	}
	g.line("}\n")
}

func indent(s string) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return "\t\t" + strings.Join(lines, "\n\t\t") + "\n"
}

// pick chooses a way. Those that begin with = are for comparable types alone.
func (g *generator) pick(ways []string) string {
	for {
		w := ways[g.rnd.IntN(len(ways))]
		if rest, ok := strings.CutPrefix(w, "="); !ok || g.t.comparable {
			return rest
		}
	}
}

// source returns a way to get a value: what comes before, and the expression.
func (g *generator) source(depth int) (setup, expr string) {
	if depth == 0 || g.rnd.IntN(8) == 0 {
		return "", g.value()
	}
	return g.expand(g.pick(sources[g.rnd.IntN(len(sources))]), depth)
}

// value is a literal of the program's type.
func (g *generator) value() string { return fmt.Sprintf("t%d%s", g.i, g.literal(g.t)) }

// expand fills in a way. Its last line is what it comes to. In it
//
//	$T $U $G $I  are the type, another one with the same form, a variable of it, the program's number
//	$v           is a value, written down
//	$s           is a value that comes by another way
//	$n           is a small number
//	$a ... $m    are names, new for each expansion
func (g *generator) expand(way string, depth int) (setup, last string) {
	g.next++
	name := g.next
	var b strings.Builder
	cut := strings.LastIndexByte(way, '\n') + 1
	for k := 0; k < len(way); k++ {
		if k == cut {
			setup += b.String()
			b.Reset()
		}
		if way[k] != '$' {
			b.WriteByte(way[k])
			continue
		}
		k++
		switch c := way[k]; c {
		case 'T':
			fmt.Fprintf(&b, "t%d", g.i)
		case 'U':
			fmt.Fprintf(&b, "u%d", g.i)
		case 'G':
			fmt.Fprintf(&b, "g%d", g.i)
		case 'I':
			fmt.Fprint(&b, g.i)
		case 'v':
			b.WriteString(g.value())
		case 'n':
			fmt.Fprint(&b, g.rnd.IntN(3))
		case 's':
			before, expr := g.source(depth - 1)
			setup += before
			b.WriteString(expr)
		default:
			fmt.Fprintf(&b, "%c%d", c, name)
		}
	}
	return setup, b.String()
}
