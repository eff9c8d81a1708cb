package vm

//go:generate go run gen.go

import (
	"math"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// strBase is the pointer to the first string literal.
const strBase = uint64(bytecode.ObjStrings) << 32

// These are small enough to be inlined into exec.

func b2u(b bool) uint64 {
	var v uint8
	if b {
		v = 1
	}
	return uint64(v)
}

func f32(f float32) uint64 { return uint64(math.Float32bits(f)) }

// copyWords copies n words, which may overlap.
func copyWords(dst, src unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*uint64)(dst), n), unsafe.Slice((*uint64)(src), n))
}

func zeroWords(dst unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*uint64)(dst), n)) }

func copyBytes(dst, src unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
}

// loadBytes fills a register of n bytes, and the rest of its last word with zeros.
// The bytes may come from the same words: a part of a value takes the place of the
// value if that is not used any more.
func loadBytes(dst, src unsafe.Pointer, n uintptr) {
	copyBytes(dst, src, n)
	if odd := n & 7; odd != 0 {
		*(*uint64)(unsafe.Add(dst, n&^7)) &= 1<<(8*odd) - 1
	}
}
