package bytecode

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Disasm writes the code of a function as text, one instruction a line, jump
// targets as labels, and the register map of each safepoint behind it: the live
// words, those that hold pointers with a star.
func (p *Program) Disasm(w io.Writer, fn *Func) {
	b := bufio.NewWriter(w)
	defer b.Flush()
	p.header(b, fn)
	labels := make(map[int]bool)
	for i := range fn.Code {
		if t, ok := fn.Code[i].Target(); ok {
			labels[t] = true
		}
	}
	if fn.Recover >= 0 && len(fn.Code) > 0 {
		labels[fn.Recover] = true
	}
	point, line := 0, 0
	for pc := range fn.Code {
		if labels[pc] {
			if pc == fn.Recover {
				fmt.Fprintf(b, "L%d: recover\n", pc)
			} else {
				fmt.Fprintf(b, "L%d:\n", pc)
			}
		}
		text := p.instr(fn, &fn.Code[pc])
		for point < len(fn.Points) && int(fn.Points[point].PC) < pc {
			point++
		}
		notes := ""
		if point < len(fn.Points) && int(fn.Points[point].PC) == pc {
			notes = " ; " + mapText(fn, int(fn.Points[point].Map))
		}
		for line+1 < len(fn.Lines) && int(fn.Lines[line+1].PC) <= pc {
			line++
		}
		if line < len(fn.Lines) && int(fn.Lines[line].PC) == pc {
			notes += fmt.Sprintf(" @%d:%d", fn.Lines[line].Line, fn.Lines[line].Col)
		}
		if notes == "" {
			fmt.Fprintf(b, "\t%s\n", text)
		} else {
			fmt.Fprintf(b, "\t%-32s%s\n", text, notes)
		}
	}
}

func (p *Program) header(b *bufio.Writer, fn *Func) {
	fmt.Fprintf(b, "func %s params=%d results=%d frame=%d", fn.Name, fn.Params, fn.Results, fn.Frame)
	if fn.Closure {
		fmt.Fprintf(b, " closure=%s", freeText(fn.FreeMap))
	}
	if fn.Wrapper {
		b.WriteString(" wrapper")
	}
	if fn.Native != "" {
		fmt.Fprintf(b, " native=%s", fn.Native)
	}
	b.WriteByte('\n')
}

// freeText shows captured words: a star for a pointer, a dash for others.
func freeText(m []byte) string {
	s := make([]byte, len(m))
	for i, p := range m {
		s[i] = '-'
		if p != 0 {
			s[i] = '*'
		}
	}
	return string(s)
}

// mapText lists the live words of a register map.
func mapText(fn *Func, m int) string {
	if m < 0 || m >= len(fn.Maps) {
		return "bad map"
	}
	var b strings.Builder
	b.WriteByte('[')
	for w := range fn.Maps[m].Live {
		for bit := range 64 {
			if fn.Maps[m].Live[w]>>bit&1 == 0 {
				continue
			}
			if b.Len() > 1 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.Itoa(w*64 + bit))
			if w < len(fn.Maps[m].Ptrs) && fn.Maps[m].Ptrs[w]>>bit&1 != 0 {
				b.WriteByte('*')
			}
		}
	}
	b.WriteByte(']')
	return b.String()
}

// Target is the instruction that a jump goes to.
func (i *Instr) Target() (int, bool) {
	switch Ops[i.Op].Pattern[3] {
	case "t":
		return int(i.Imm), true
	case "ct":
		return int(i.Lo()), true
	}
	return 0, false
}

// instr is the text of one instruction.
func (p *Program) instr(fn *Func, i *Instr) string {
	if i.Op >= NumOps {
		return "invalid"
	}
	row := &Ops[i.Op]
	b := []byte(row.Name)
	sep := " "
	arg := func(s string) {
		b = append(b, sep...)
		b = append(b, s...)
		sep = ", "
	}
	for k, v := range [3]uint16{i.A, i.B, i.C} {
		switch row.Pattern[k] {
		case "d", "s", "r":
			if v == NoReg {
				arg("-")
			} else {
				arg("r" + strconv.Itoa(int(v)))
			}
		case "w":
			arg("w" + strconv.Itoa(int(v)))
		case "n":
			arg(strconv.Itoa(int(v)))
		}
	}
	if row.Pattern[3] != "-" {
		arg(p.immediate(fn, i, row.Pattern[3]))
	}
	return string(b)
}

// immediate is the text of an immediate.
func (p *Program) immediate(fn *Func, i *Instr, pattern string) string {
	hi, lo := i.Hi(), i.Lo()
	switch pattern {
	case "t":
		return fmt.Sprintf("L%d", i.Imm)
	case "ct":
		return fmt.Sprintf("%d, L%d", int32(hi), lo)
	case "so":
		return fmt.Sprintf("%d@%d", hi, lo)
	case "xo":
		if lo == 0 {
			return fmt.Sprintf("*%d", hi)
		}
		return fmt.Sprintf("*%d+%d", hi, lo)
	case "p":
		return p.static(uint64(i.Imm))
	case "st":
		if end := int(hi) + int(lo); end <= len(p.Strings) {
			return strconv.Quote(string(p.Strings[hi:end]))
		}
	case "y":
		return p.typeText(int(i.Imm))
	case "f":
		if n := int(i.Imm); n >= 0 && n < len(p.Funcs) {
			return p.Funcs[n].Name
		}
	case "i":
		if n := int(i.Imm); n >= 0 && n < len(p.Ifaces) {
			return p.typeText(p.Ifaces[n].Type)
		}
	case "a":
		if n := int(i.Imm); n >= 0 && n < len(p.Asserts) {
			return p.typeText(p.Asserts[n].Src) + ".(" + p.typeText(p.Asserts[n].Target) + ")"
		}
	case "e":
		if n := int(i.Imm); n >= 0 && n < len(fn.Selects) {
			return p.selectText(&fn.Selects[n])
		}
	}
	switch i.Op {
	case OpConst:
		if obj := uint64(i.Imm) >> 32; obj != 0 && obj < 1<<20 && i.Imm > 0 {
			return p.static(uint64(i.Imm))
		}
	case OpSlice, OpSlicestr, OpSlicearr:
		return fmt.Sprintf("%s*%d", []string{":", "l:", ":h", "l:h", "::m", "l::m", ":h:m", "l:h:m"}[hi&7], lo)
	case OpAppendf:
		return fmt.Sprintf("%d*%s", hi, p.typeText(int(lo)))
	case OpSwitch:
		return strconv.Itoa(int(hi))
	}
	return strconv.FormatInt(i.Imm, 10)
}

// static is the text of a static pointer.
func (p *Program) static(ptr uint64) string {
	obj, off := ptr>>32, uint32(ptr)
	text := ""
	switch {
	case obj == ObjTypes:
		text = "types"
		for i := range p.Types {
			if p.Types[i].Desc == off && off != 0 {
				return "&type:" + p.typeText(i)
			}
		}
	case obj == ObjStrings:
		if s, ok := p.staticString(off); ok {
			return "&" + strconv.Quote(s)
		}
		return "&static"
	case obj == ObjFuncs:
		if n := int(off / 8); n < len(p.Funcs) {
			return "&" + p.Funcs[n].Name
		}
		text = "funcs"
	case obj == ObjItabs:
		for _, t := range p.Itabs {
			if t.Off == off {
				return "&itab:" + p.typeText(t.Iface) + "," + p.typeText(t.Type)
			}
		}
		text = "itabs"
	case obj == ObjZero:
		text = "zero"
	case obj == ObjEquals:
		text = "equals"
	case obj >= GlobalBase && int(obj-GlobalBase) < len(p.Globals):
		text = p.Globals[obj-GlobalBase].Name
	default:
		return fmt.Sprintf("%#x", ptr)
	}
	if off == 0 {
		return "&" + text
	}
	return fmt.Sprintf("&%s+%d", text, off)
}

// staticString is the string whose header lies at an offset of Strings.
func (p *Program) staticString(off uint32) (string, bool) {
	if uint64(off)+16 > uint64(len(p.Strings)) {
		return "", false
	}
	ptr := binary.LittleEndian.Uint64(p.Strings[off:])
	n := binary.LittleEndian.Uint64(p.Strings[off+8:])
	at := uint64(uint32(ptr))
	if ptr>>32 != ObjStrings || n > uint64(len(p.Strings)) || at+n > uint64(len(p.Strings)) {
		return "", false
	}
	return string(p.Strings[at : at+n]), true
}

func (p *Program) typeText(i int) string {
	if i < 0 || i >= len(p.Types) {
		return "?"
	}
	return p.Types[i].Str
}

func (p *Program) selectText(s *Select) string {
	var b strings.Builder
	for _, c := range s.Cases {
		switch {
		case c.Send:
			fmt.Fprintf(&b, "r%d<-r%d ", c.Chan, c.Value)
		case c.Value < 0:
			fmt.Fprintf(&b, "<-r%d ", c.Chan)
		default:
			fmt.Fprintf(&b, "r%d=<-r%d ", c.Value, c.Chan)
		}
	}
	if !s.Blocking {
		b.WriteString("default ")
	}
	fmt.Fprintf(&b, "ok=r%d index=r%d", s.RecvOk, s.Index)
	return b.String()
}
