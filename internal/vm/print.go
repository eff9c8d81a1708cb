package vm

import (
	"math"
	"strconv"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// opPrint writes one operand of print or println to standard error, in the
// format of runtime/print.go. There are no spaces or newlines but explicit ones.
func (m *Machine) opPrint(g *G, fp unsafe.Pointer, in *bytecode.Instr) status {
	m.Beyond = true
	if m.rt.opts.Stderr == nil {
		return next
	}
	b := m.appendPrint(m.rt.printBuf[:0], reg(fp, in.B), int(in.Imm))
	m.rt.printBuf = b
	m.rt.opts.Stderr.Write(b)
	return next
}

// appendPrint appends the printed form of the value in the register at a.
func (m *Machine) appendPrint(b []byte, a unsafe.Pointer, kind int) []byte {
	switch kind {
	case bytecode.PrintSpace:
		return append(b, ' ')
	case bytecode.PrintNewline:
		return append(b, '\n')
	}
	w := *(*uint64)(a)
	switch kind {
	case bytecode.PrintBool:
		return strconv.AppendBool(b, w != 0)
	case bytecode.PrintInt:
		return strconv.AppendInt(b, int64(w), 10)
	case bytecode.PrintUint:
		return strconv.AppendUint(b, w, 10)
	case bytecode.PrintFloat64:
		return appendFloat(b, math.Float64frombits(w), 64)
	case bytecode.PrintFloat32:
		return appendFloat(b, float64(math.Float32frombits(uint32(w))), 32)
	case bytecode.PrintComplex128:
		c := *(*[2]float64)(a)
		return appendComplex(b, c[0], c[1], 64)
	case bytecode.PrintComplex64:
		c := *(*[2]float32)(a)
		return appendComplex(b, float64(c[0]), float64(c[1]), 32)
	case bytecode.PrintString:
		s := (*str)(a)
		v, _ := m.view(s.ptr, s.len)
		return append(b, v...)
	case bytecode.PrintPointer, bytecode.PrintHex:
		return appendHex(b, w)
	case bytecode.PrintIface:
		b = appendHex(append(b, '('), w)
		b = appendHex(append(b, ','), *word(a, 1))
		return append(b, ')')
	case bytecode.PrintSlice:
		s := (*slice)(a)
		b = strconv.AppendUint(append(b, '['), s.len, 10)
		b = strconv.AppendUint(append(b, '/'), s.cap, 10)
		return appendHex(append(b, ']'), uint64(s.ptr))
	}
	return b
}

func appendHex(b []byte, w uint64) []byte {
	return strconv.AppendUint(append(b, '0', 'x'), w, 16)
}

func appendFloat(b []byte, f float64, bits int) []byte {
	return strconv.AppendFloat(b, f, 'g', -1, bits)
}

// appendComplex puts a sign before every imaginary part.
func appendComplex(b []byte, re, im float64, bits int) []byte {
	b = appendFloat(append(b, '('), re, bits)
	at := len(b)
	b = appendFloat(b, im, bits)
	if c := b[at]; c != '+' && c != '-' {
		b = append(b, 0)
		copy(b[at+1:], b[at:])
		b[at] = '+'
	}
	return append(b, 'i', ')')
}
