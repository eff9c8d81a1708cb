package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// What is given in a slice expression.
const (
	sliceLow = 1 << iota
	sliceHigh
	sliceMax
	sliceUnsigned // shifted by the number of the index: it is an unsigned word
)

func (m *Machine) opSlice(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := *sliceAt(fp, in.B)
	return m.reslice(g, fp, in, s, boundsSliceAcap, boundsSlice3Acap)
}

func (m *Machine) opSlicearr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p, n := mem.Ptr(*word(fp, in.B)), *word(fp, in.C+3)
	if p == 0 {
		return m.raiseNil(g)
	}
	return m.reslice(g, fp, in, slice{p, n, n}, boundsSliceAlen, boundsSlice3Alen)
}

// reslice evaluates a slice expression. The checks go from the last index to the
// first, as those of compiled Go do, so that the first error is the same one.
// Indexes are taken as signed, as lengths are below 1<<63.
func (m *Machine) reslice(g *G, fp unsafe.Pointer, in *bytecode.Instr, s slice, over, over3 boundsCode) status {
	low, high, limit := uint64(0), s.len, s.cap
	flags := in.Hi()
	if flags&sliceLow != 0 {
		low = *word(fp, in.C)
	}
	if flags&sliceHigh != 0 {
		high = *word(fp, in.C+1)
	}
	if flags&sliceMax != 0 {
		limit = *word(fp, in.C+2)
		switch {
		case limit > s.cap:
			return m.raiseBounds(g, int64(limit), flags&(sliceUnsigned<<2) == 0, int(s.cap), over3)
		case high > limit:
			return m.raiseBounds(g, int64(high), flags&(sliceUnsigned<<1) == 0, int(limit), boundsSlice3B)
		case low > high:
			return m.raiseBounds(g, int64(low), flags&sliceUnsigned == 0, int(high), boundsSlice3C)
		}
	} else if high > limit {
		return m.raiseBounds(g, int64(high), flags&(sliceUnsigned<<1) == 0, int(limit), over)
	} else if low > high {
		return m.raiseBounds(g, int64(low), flags&sliceUnsigned == 0, int(high), boundsSliceB)
	}
	if limit > low { // otherwise the pointer would be behind its object
		s.ptr += mem.Ptr(low * uint64(in.Lo()))
	}
	*sliceAt(fp, in.A) = slice{s.ptr, high - low, limit - low}
	return next
}

func (m *Machine) opSlicestr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := *strAt(fp, in.B)
	low, high := uint64(0), s.len
	flags := in.Hi()
	if flags&sliceLow != 0 {
		low = *word(fp, in.C)
	}
	if flags&sliceHigh != 0 {
		if high = *word(fp, in.C+1); high > s.len {
			return m.raiseBounds(g, int64(high), flags&(sliceUnsigned<<1) == 0, int(s.len), boundsSliceAlen)
		}
	}
	if low > high {
		return m.raiseBounds(g, int64(low), flags&sliceUnsigned == 0, int(high), boundsSliceB)
	}
	if high > low {
		s.ptr += mem.Ptr(low)
	}
	*strAt(fp, in.A) = str{s.ptr, high - low}
	return next
}

func (m *Machine) opSlice2arr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	s := sliceAt(fp, in.B)
	if s.len < uint64(in.Imm) {
		return m.raiseBounds(g, int64(s.len), true, int(in.Imm), boundsConvert)
	}
	*word(fp, in.A) = uint64(s.ptr)
	return next
}

func (m *Machine) opUnsafeslice(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p, n := mem.Ptr(*word(fp, in.B)), *word(fp, in.C)
	size, ok := arraySize(uint64(m.rt.types[in.Imm].Size), n)
	if !ok || int64(n) < 0 || p != 0 && size > -uint64(p) {
		return m.raiseError(g, "unsafe.Slice: len out of range")
	}
	if p == 0 && n > 0 {
		return m.raiseError(g, "unsafe.Slice: ptr is nil and len is not zero")
	}
	*sliceAt(fp, in.A) = slice{p, n, n}
	return next
}

func (m *Machine) opUnsafestr(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	p, n := mem.Ptr(*word(fp, in.B)), *word(fp, in.C)
	if int64(n) < 0 || n > maxAlloc || p != 0 && n > -uint64(p) {
		return m.raiseError(g, "unsafe.String: len out of range")
	}
	if p == 0 && n > 0 {
		return m.raiseError(g, "unsafe.String: ptr is nil and len is not zero")
	}
	*strAt(fp, in.A) = str{p, n}
	return next
}
