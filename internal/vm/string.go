package vm

import (
	"bytes"
	"unicode/utf8"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A str is the content of a register that holds a string.
type str struct {
	ptr mem.Ptr
	len uint64
}

func strAt(fp unsafe.Pointer, i uint16) *str { return (*str)(reg(fp, i)) }

// strEqual compares the strings in the registers at a and b.
func (m *Machine) strEqual(a, b unsafe.Pointer) bool {
	x, y := (*str)(a), (*str)(b)
	if x.len != y.len {
		return false
	}
	if x.ptr == y.ptr || x.len == 0 {
		return true
	}
	v, ok1 := m.view(x.ptr, x.len)
	w, ok2 := m.view(y.ptr, y.len)
	return ok1 && ok2 && string(v) == string(w)
}

// strCompare orders the strings in the registers at a and b: negative if a comes
// first, positive if b does. One that is not readable counts as empty.
func (m *Machine) strCompare(a, b unsafe.Pointer) int {
	x, y := (*str)(a), (*str)(b)
	v, _ := m.view(x.ptr, x.len)
	w, _ := m.view(y.ptr, y.len)
	return bytes.Compare(v, w)
}

func (m *Machine) opMinstr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	r := *strAt(fp, in.B)
	if m.strCompare(reg(fp, in.C), reg(fp, in.B)) < 0 {
		r = *strAt(fp, in.C)
	}
	*strAt(fp, in.A) = r
	return next
}

func (m *Machine) opMaxstr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	r := *strAt(fp, in.B)
	if m.strCompare(reg(fp, in.C), reg(fp, in.B)) > 0 {
		r = *strAt(fp, in.C)
	}
	*strAt(fp, in.A) = r
	return next
}

func (m *Machine) opConcat(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	parts := [2]str{*strAt(fp, in.B), *strAt(fp, in.C)}
	return m.concat(g, strAt(fp, in.A), parts[:])
}

func (m *Machine) opConcatn(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	return m.concat(g, strAt(fp, in.A), unsafe.Slice(strAt(fp, in.B), in.Imm))
}

// concat joins strings. If all but one are empty the result is that one, not a
// copy.
func (m *Machine) concat(g *G, dst *str, parts []str) status {
	var last str
	count, n := 0, uint64(0)
	for _, s := range parts {
		if s.len > 0 {
			last = s
			count++
			n += s.len
		}
	}
	if count < 2 {
		*dst = last
		return next
	}
	if n > mem.MaxSize {
		return m.outOfMemory(g)
	}
	p, to := m.newStr(n)
	if p == 0 {
		return m.outOfMemory(g)
	}
	for _, s := range parts {
		b, ok := m.view(s.ptr, s.len)
		if !ok {
			return m.raiseNil(g)
		}
		to = to[copy(to, b):]
	}
	*dst = str{p, n}
	return next
}

// opStrnext decodes the next rune of a string that a range loop goes over. Bytes
// that are no UTF-8 give U+FFFD, one byte at a time.
func (m *Machine) opStrnext(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	it := (*[3]uint64)(reg(fp, in.B)) // pointer, length, position
	out := (*[3]uint64)(reg(fp, in.A))
	n, pos := it[1], it[2]
	if pos >= n {
		*out = [3]uint64{}
		return next
	}
	b, ok := m.view(mem.Ptr(it[0])+mem.Ptr(pos), min(n-pos, utf8.UTFMax))
	if !ok {
		return m.raiseNil(g)
	}
	if c := b[0]; c < utf8.RuneSelf {
		it[2] = pos + 1
		*out = [3]uint64{1, pos, uint64(c)}
		return next
	}
	r, size := utf8.DecodeRune(b)
	it[2] = pos + uint64(size)
	*out = [3]uint64{1, pos, uint64(int64(r))}
	return next
}

func (m *Machine) opRunestr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	v := int64(*word(fp, in.B))
	r := rune(v)
	if int64(r) != v {
		r = utf8.RuneError
	}
	var buf [utf8.UTFMax]byte
	return m.setStr(g, strAt(fp, in.A), utf8.AppendRune(buf[:0], r))
}

func (m *Machine) opBytesstr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := strAt(fp, in.B)
	b, ok := m.view(s.ptr, s.len)
	if !ok {
		return m.raiseNil(g)
	}
	return m.setStr(g, strAt(fp, in.A), b)
}

// setStr leaves a new string with the given bytes in a register.
func (m *Machine) setStr(g *G, dst *str, b []byte) status {
	if len(b) == 0 {
		*dst = str{}
		return next
	}
	p, to := m.newStr(uint64(len(b)))
	if p == 0 {
		return m.outOfMemory(g)
	}
	copy(to, b)
	*dst = str{p, uint64(len(b))}
	return next
}

func (m *Machine) opStrbytes(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := *strAt(fp, in.B)
	b, ok := m.view(s.ptr, s.len)
	if !ok {
		return m.raiseNil(g)
	}
	c := roundUpSize(s.len, true)
	p, ok := m.allocHere(0, c)
	if !ok {
		return m.outOfMemory(g)
	}
	to, _ := m.viewWrite(p, s.len)
	copy(to, b)
	*sliceAt(fp, in.A) = slice{p, s.len, c}
	return next
}

func (m *Machine) opRunesstr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := *strAt(fp, in.B)
	b, ok := m.view(s.ptr, s.len*4)
	if !ok || s.len > mem.MaxSize/4 {
		return m.raiseNil(g)
	}
	if s.len == 0 {
		*strAt(fp, in.A) = str{}
		return next
	}
	runes := unsafe.Slice((*rune)(unsafe.Pointer(&b[0])), s.len)
	n := uint64(0)
	for _, r := range runes {
		if k := utf8.RuneLen(r); k > 0 {
			n += uint64(k)
		} else {
			n += 3 // of U+FFFD
		}
	}
	p, to := m.newStr(n)
	if p == 0 {
		return m.outOfMemory(g)
	}
	to = to[:0]
	for _, r := range runes {
		to = utf8.AppendRune(to, r)
	}
	*strAt(fp, in.A) = str{p, n}
	return next
}

func (m *Machine) opStrrunes(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := *strAt(fp, in.B)
	b, ok := m.view(s.ptr, s.len)
	if !ok {
		return m.raiseNil(g)
	}
	n := uint64(utf8.RuneCount(b))
	size := roundUpSize(n*4, true)
	p, ok := m.allocHere(0, size)
	if !ok {
		return m.outOfMemory(g)
	}
	if n > 0 {
		to := unsafe.Slice((*rune)(m.Heap.Write(p, uint32(size))), n)
		i := 0
		for _, r := range unsafe.String(&b[0], len(b)) {
			to[i] = r
			i++
		}
	}
	*sliceAt(fp, in.A) = slice{p, n, size / 4}
	return next
}
