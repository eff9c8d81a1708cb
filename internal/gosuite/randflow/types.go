package randflow

import (
	"fmt"
	"strconv"
	"strings"
)

// A typ is a type of a program.
type typ struct {
	text       string
	kind       kind
	size       int // in bytes
	align      int
	elems      []*typ // fields, or the element of an array, slice or pointer
	names      []string
	n          int // length of an array
	comparable bool
}

type kind uint8

const (
	integer kind = iota
	float
	complexNumber
	boolean
	text
	slice
	pointer
	mapping
	empty // an interface without methods
	teller
	function
	array
	structure
)

var leaves = []typ{
	{text: "bool", kind: boolean, size: 1, align: 1, comparable: true},
	{text: "int8", kind: integer, size: 1, align: 1, comparable: true},
	{text: "uint8", kind: integer, size: 1, align: 1, comparable: true},
	{text: "int16", kind: integer, size: 2, align: 2, comparable: true},
	{text: "uint16", kind: integer, size: 2, align: 2, comparable: true},
	{text: "int32", kind: integer, size: 4, align: 4, comparable: true},
	{text: "uint32", kind: integer, size: 4, align: 4, comparable: true},
	{text: "float32", kind: float, size: 4, align: 4, comparable: true},
	{text: "int", kind: integer, size: 8, align: 8, comparable: true},
	{text: "uint64", kind: integer, size: 8, align: 8, comparable: true},
	{text: "float64", kind: float, size: 8, align: 8, comparable: true},
	{text: "complex64", kind: complexNumber, size: 8, align: 4, comparable: true},
	{text: "complex128", kind: complexNumber, size: 16, align: 8, comparable: true},
	{text: "string", kind: text, size: 16, align: 8, comparable: true},
	{text: "any", kind: empty, size: 16, align: 8, comparable: true},
	{text: "teller", kind: teller, size: 16, align: 8, comparable: true},
	{text: "[]int16", kind: slice, size: 24, align: 8},
	{text: "*int32", kind: pointer, size: 8, align: 8},
	{text: "map[string]int8", kind: mapping, size: 8, align: 8},
	{text: "func() int8", kind: function, size: 8, align: 8},
}

// Pointers can be compared, but two that are written down alike are not equal, and
// nothing of the sort is to depend on it.

// named makes a type for a program: one that may have methods.
func (g *generator) named(words int) *typ {
	for {
		if t := g.typeOf(words); t.kind != pointer && t.kind != empty && t.kind != teller {
			return t
		}
	}
}

// typeOf makes a type of so many words, or as many as come out.
func (g *generator) typeOf(words int) *typ {
	switch {
	case words > 1 && g.rnd.IntN(6) == 0:
		n := 1 + g.rnd.IntN(words)
		return arrayOf(n, g.typeOf(max(1, words/n)))
	case words > 1 && g.rnd.IntN(8) > 0 || g.rnd.IntN(3) == 0:
		return g.structOf(words * 8)
	}
	t := leaves[g.rnd.IntN(len(leaves))]
	return &t
}

func arrayOf(n int, elem *typ) *typ {
	return &typ{
		text: fmt.Sprintf("[%d]%s", n, elem.text), kind: array, size: n * elem.size, align: elem.align,
		elems: []*typ{elem}, n: n, comparable: elem.comparable,
	}
}

// structOf makes a struct of about so many bytes, of fields of all sizes.
func (g *generator) structOf(size int) *typ {
	t := &typ{kind: structure, align: 1, comparable: true}
	var b strings.Builder
	b.WriteString("struct {")
	for t.size < size {
		var f *typ
		name := fmt.Sprintf("F%d", len(t.elems))
		switch left := (size - t.size + 7) / 8; {
		case g.rnd.IntN(12) == 0:
			f = &typ{text: "struct{}", kind: structure, align: 1, comparable: true}
		case g.rnd.IntN(12) == 0:
			f = arrayOf(0, g.typeOf(1))
		case g.rnd.IntN(12) == 0:
			x := leaves[g.rnd.IntN(5)]
			f, name = &x, "_"
		case left > 1 && g.rnd.IntN(4) == 0:
			f = g.typeOf(1 + g.rnd.IntN(left))
		default:
			x := leaves[g.rnd.IntN(len(leaves))]
			f = &x
		}
		fmt.Fprintf(&b, " %s %s;", name, f.text)
		t.size = (t.size+f.align-1)/f.align*f.align + f.size
		t.align = max(t.align, f.align)
		t.elems, t.names = append(t.elems, f), append(t.names, name)
		t.comparable = t.comparable && f.comparable
	}
	b.WriteString(" }")
	t.text = b.String()
	t.size = (t.size + t.align - 1) / t.align * t.align
	return t
}

// literal writes a value of a type down, in the form that follows the type's name.
func (g *generator) literal(t *typ) string {
	switch t.kind {
	case array:
		var parts []string
		for range t.n {
			parts = append(parts, g.part(t.elems[0]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case structure:
		var parts []string
		for i, f := range t.elems {
			if t.names[i] != "_" && g.rnd.IntN(10) > 0 {
				parts = append(parts, t.names[i]+": "+g.part(f))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "(" + g.part(t) + ")"
}

// part is a value of a type inside of a literal.
func (g *generator) part(t *typ) string {
	n := g.rnd.IntN(256) - 128
	switch t.kind {
	case boolean:
		return strconv.FormatBool(g.rnd.IntN(2) == 0)
	case integer:
		if t.text[0] == 'u' {
			return strconv.Itoa(n & 0x7f)
		}
		return strconv.Itoa(n)
	case float:
		return strconv.Itoa(n) + ".5"
	case complexNumber:
		return fmt.Sprintf("complex(%d, %d)", n, g.rnd.IntN(100))
	case text:
		return strconv.Quote(strings.Repeat("é", n&1) + strconv.Itoa(n))
	case slice:
		return fmt.Sprintf("[]int16{%d, %d}", n, -n)
	case pointer:
		return fmt.Sprintf("at(%d)", n)
	case mapping:
		return fmt.Sprintf("map[string]int8{%q: %d}", "k"+strconv.Itoa(n), n)
	case empty:
		return []string{"nil", strconv.Itoa(n), fmt.Sprintf("%q", strconv.Itoa(n)), fmt.Sprintf("trio{%d, %d, %d}", n, n&63, n+2), "int8(3)", "struct{}{}"}[g.rnd.IntN(6)]
	case teller:
		return []string{"nil", fmt.Sprintf("trio{%d, %d, %d}", n, n&63, n+2), fmt.Sprintf("short(%d)", n)}[g.rnd.IntN(3)]
	case function:
		return fmt.Sprintf("func() int8 { return %d }", n)
	}
	return t.text + g.literal(t)
}

// shower writes statements that append what is in the variable x to b.
func (g *generator) shower(t *typ, x string) string {
	switch t.kind {
	case array:
		if t.n == 0 {
			return ""
		}
		v := x + "e"
		v = strings.NewReplacer(".", "", "x", "y").Replace(v)
		return fmt.Sprintf("for _, %s := range %s {\n_ = %s\n%s}\n", v, x, v, g.shower(t.elems[0], v))
	case structure:
		var b strings.Builder
		for i, f := range t.elems {
			if t.names[i] != "_" {
				b.WriteString(g.shower(f, x+"."+t.names[i]))
			}
		}
		return b.String() + "b = append(b, ';')\n"
	case pointer:
		return fmt.Sprintf("if p := (*int32)(%s); p != nil { b = fmt.Append(b, *p, \" \") }\n", x)
	case function:
		return fmt.Sprintf("if f := (func() int8)(%s); f != nil { b = fmt.Append(b, f(), \" \") }\n", x)
	}
	return fmt.Sprintf("b = fmt.Append(b, %s(%s), \" \")\n", t.text, x)
}
