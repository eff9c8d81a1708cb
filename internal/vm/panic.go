package vm

import (
	"strconv"
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A panic that nobody has recovered ends the program. Before that the Error or
// String methods of the values to be printed are called, last panic first, each
// in a frame of kind kindPrint whose return comes back to die.

// die prints g's panics and ends the program.
func (m *Machine) die(g *G) status {
	last := len(g.panics) - 1
	for i := range g.panics[:last] {
		if g.panics[i].printing && !g.panics[i].hasText {
			return m.diePrinting(g)
		}
	}
	for i := last; i >= 0; i-- {
		p := &g.panics[i]
		if p.printing {
			continue
		}
		p.printing = true
		if i > 0 && g.panics[i-1].typ == p.typ && g.panics[i-1].data == p.data {
			g.panics[i-1].repanicked = true
			p.hasText = true
			continue
		}
		if target := m.textMethod(p.typ); target >= 0 {
			return m.pushCall(g, target, []uint64{uint64(p.data)}, kindPrint, uint16(i))
		}
		p.hasText = true
	}
	b := m.appendPanics(nil, g)
	for i := range g.panics {
		if g.panics[i].fault {
			b = append(b, "[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x"...)
			fr := &g.frames[g.panics[i].depth-1]
			b = strconv.AppendUint(b, bytecode.CodeWord(int(fr.fn))+uint64(fr.pc), 16)
			b = append(b, "]\n"...)
			break
		}
	}
	b = append(b, '\n')
	b = m.appendGoroutine(b, g)
	m.exit = &Exit{Code: exitCrash, Kind: ExitPanic, Text: string(b), Msg: m.panicLine(g), Where: m.where(g), By: g, Stack: m.stackOf(g)}
	return halt
}

// printReturned notes what an Error or String method has returned.
func (m *Machine) printReturned(g *G, fr Frame) status {
	p := &g.panics[fr.cont]
	p.text, p.textLen, p.hasText = mem.Ptr(g.stack[fr.base]), int(g.stack[fr.base+1]), true
	return m.die(g)
}

// diePrinting ends a program in which the method that was to print a panic has
// panicked itself.
func (m *Machine) diePrinting(g *G) status {
	p := &g.panics[len(g.panics)-1]
	text := "panic while printing panic value"
	if t := m.TypeIndex(p.typ); t >= 0 && m.rt.types[t].Kind == bytecode.String && m.rt.types[t].Flags&bytecode.FlagNamed != 0 && m.rt.types[t].Str == "string" {
		text += ": " + m.boxedString(p.data)
	} else if t >= 0 {
		text += ": type " + m.rt.types[t].Str
	}
	g.panics = g.panics[:0]
	return m.fatal(g, text)
}

// textMethod is the method by which a panic value is printed, -1 if there is none.
func (m *Machine) textMethod(typ mem.Ptr) int32 {
	t := m.TypeIndex(typ)
	if t < 0 {
		return -1
	}
	for _, name := range [...]string{"Error", "String"} {
		for i := range m.rt.types[t].Methods {
			me := &m.rt.types[t].Methods[i]
			sig := m.rt.types[me.Type]
			if me.Name == name && len(sig.In) == 0 && len(sig.Out) == 1 && m.rt.types[sig.Out[0]].Str == "string" && me.Ifn >= 0 {
				return int32(me.Ifn)
			}
		}
	}
	return -1
}

// markRepanicked finds the panics that repeat the value of the one before.
func (m *Machine) markRepanicked(g *G) {
	for i := 1; i < len(g.panics); i++ {
		p, q := &g.panics[i-1], &g.panics[i]
		p.repanicked = p.typ == q.typ && p.data == q.data
	}
}

// appendPanics appends the lines "panic: ..." of g's panics, oldest first.
func (m *Machine) appendPanics(b []byte, g *G) []byte {
	for i := range g.panics {
		p := &g.panics[i]
		if i > 0 {
			if g.panics[i-1].repanicked {
				continue
			}
			if !g.panics[i-1].goexit {
				b = append(b, '\t')
			}
		}
		if p.goexit {
			continue
		}
		b = append(b, "panic: "...)
		b = m.appendPanic(b, p)
		b = append(b, p.fate()...)
		b = append(b, '\n')
	}
	return b
}

// panicLine says in one line what ended the program, which is the last of g's panics, and which other ones it follows.
func (m *Machine) panicLine(g *G) string {
	var line string
	var before []string
	for i := range g.panics {
		p := &g.panics[i]
		if p.goexit || i > 0 && g.panics[i-1].repanicked {
			continue
		}
		if line != "" {
			before = append(before, line)
		}
		line = "panic: " + firstLine(string(m.appendPanic(nil, p))) + p.fate()
	}
	if len(before) > 0 {
		line += " (after " + strings.Join(before, "; ") + ")"
	}
	return line
}

// fate is what package runtime prints behind a panic's value.
func (p *Panic) fate() string {
	switch {
	case p.recovered && p.repanicked:
		return " [recovered, repanicked]"
	case p.recovered:
		return " [recovered]"
	}
	return ""
}

// appendPanic appends a panic's value as package runtime prints it.
func (m *Machine) appendPanic(b []byte, p *Panic) []byte {
	if p.textLen > 0 || p.text != 0 {
		s, _ := m.Heap.Bytes(p.text, uint32(p.textLen))
		return append(b, indent(string(s))...)
	}
	ti := m.TypeIndex(p.typ)
	if ti < 0 {
		return append(b, "nil"...)
	}
	t := m.rt.types[ti]
	if p.hasText && m.textMethod(p.typ) >= 0 {
		return b // the method has returned ""
	}
	predeclared := t.PkgPath == "" && t.Name != ""
	open, end := t.Str+"(", ")"
	if predeclared {
		open, end = "", ""
	}
	switch {
	case t.Kind == bytecode.String:
		if !predeclared {
			open, end = t.Str+`("`, `")`
		}
		return append(b, open+indent(m.boxedString(p.data))+end...)
	case t.Kind == bytecode.Complex64 || t.Kind == bytecode.Complex128:
		if !predeclared {
			open, end = t.Str, ""
		}
	case t.Kind < bytecode.Bool || t.Kind > bytecode.Complex128:
		b = append(b, "("+t.Str+") 0x"...)
		return strconv.AppendUint(b, uint64(p.data), 16)
	}
	var w [2]uint64
	if src := m.Heap.Read(p.data, t.Size); src != nil {
		LoadReg(t, unsafe.Pointer(&w), src)
	}
	b = append(b, open...)
	b = m.appendPrint(b, unsafe.Pointer(&w), printKind(t.Kind))
	return append(b, end...)
}

// printKind is how the built-in function print prints a basic type.
func printKind(k bytecode.Kind) int {
	switch k {
	case bytecode.Bool:
		return bytecode.PrintBool
	case bytecode.Int, bytecode.Int8, bytecode.Int16, bytecode.Int32, bytecode.Int64:
		return bytecode.PrintInt
	case bytecode.Float32:
		return bytecode.PrintFloat32
	case bytecode.Float64:
		return bytecode.PrintFloat64
	case bytecode.Complex64:
		return bytecode.PrintComplex64
	case bytecode.Complex128:
		return bytecode.PrintComplex128
	}
	return bytecode.PrintUint
}

// boxedString is the string in an interface's box.
func (m *Machine) boxedString(data mem.Ptr) string {
	a := m.Heap.Read(data, 16)
	if a == nil {
		return ""
	}
	w := *(*[2]uint64)(a)
	s, _ := m.Heap.Bytes(mem.Ptr(w[0]), uint32(w[1]))
	return string(s)
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}
