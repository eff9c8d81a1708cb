package vm

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// reg is the address of register i of the frame at fp.
func reg(fp unsafe.Pointer, i uint16) unsafe.Pointer { return unsafe.Add(fp, uintptr(i)*8) }

// word is register i of the frame at fp.
func word(fp unsafe.Pointer, i uint16) *uint64 { return (*uint64)(unsafe.Add(fp, uintptr(i)*8)) }

// LoadReg brings a value of type t from memory at src into the register at dst.
func LoadReg(t *bytecode.Type, dst, src unsafe.Pointer) {
	d := (*uint64)(dst)
	switch t.Reg {
	case bytecode.Reg64:
		*d = *(*uint64)(src)
	case bytecode.RegU8:
		*d = uint64(*(*uint8)(src))
	case bytecode.RegS8:
		*d = uint64(*(*int8)(src))
	case bytecode.RegU16:
		*d = uint64(*(*uint16)(src))
	case bytecode.RegS16:
		*d = uint64(*(*int16)(src))
	case bytecode.RegU32:
		*d = uint64(*(*uint32)(src))
	case bytecode.RegS32:
		*d = uint64(*(*int32)(src))
	case bytecode.RegCopy:
		switch t.Size {
		case 16:
			*(*[2]uint64)(dst) = *(*[2]uint64)(src)
		case 24:
			*(*[3]uint64)(dst) = *(*[3]uint64)(src)
		default:
			if t.Size&7 != 0 {
				*word(dst, t.Words-1) = 0
			}
			copy(unsafe.Slice((*byte)(dst), t.Size), unsafe.Slice((*byte)(src), t.Size))
		}
	}
}

// StoreReg brings a value of type t from the register at src to memory at dst.
func StoreReg(t *bytecode.Type, dst, src unsafe.Pointer) {
	switch t.Reg {
	case bytecode.Reg64:
		*(*uint64)(dst) = *(*uint64)(src)
	case bytecode.RegU8, bytecode.RegS8:
		*(*uint8)(dst) = *(*uint8)(src)
	case bytecode.RegU16, bytecode.RegS16:
		*(*uint16)(dst) = *(*uint16)(src)
	case bytecode.RegU32, bytecode.RegS32:
		*(*uint32)(dst) = *(*uint32)(src)
	case bytecode.RegCopy:
		switch t.Size {
		case 16:
			*(*[2]uint64)(dst) = *(*[2]uint64)(src)
		case 24:
			*(*[3]uint64)(dst) = *(*[3]uint64)(src)
		default:
			copy(unsafe.Slice((*byte)(dst), t.Size), unsafe.Slice((*byte)(src), t.Size))
		}
	}
}

// ZeroReg clears a register of type t.
func ZeroReg(t *bytecode.Type, dst unsafe.Pointer) {
	switch t.Words {
	case 0:
	case 1:
		*(*uint64)(dst) = 0
	default:
		clear(unsafe.Slice((*uint64)(dst), t.Words))
	}
}
