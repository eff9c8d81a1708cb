package bytecode

// An Instr is one instruction: an opcode, three register or small operands, and
// an immediate. What each means for an opcode is in its row of the table.
type Instr struct {
	Op      Op
	A, B, C uint16
	Imm     int64
}

// Pack joins two 32-bit halves into an immediate.
func Pack(hi, lo uint32) int64 { return int64(uint64(hi)<<32 | uint64(lo)) }

// Hi and Lo are the halves of the immediate.
func (i *Instr) Hi() uint32 { return uint32(uint64(i.Imm) >> 32) }
func (i *Instr) Lo() uint32 { return uint32(i.Imm) }

// NoReg in an operand means that there is none.
const NoReg = 0xffff

// What becomes of the number that OpPtrnum makes of a pointer.
const (
	NumberKept    = iota // it may be kept
	NumberInside         // the same, by the library alone
	NumberAligned        // it is gone at once, and tells whether the pointer is aligned
)

// The kinds of value that OpPrint prints.
const (
	PrintBool = iota
	PrintInt
	PrintUint
	PrintFloat64
	PrintFloat32
	PrintComplex128
	PrintComplex64
	PrintString
	PrintPointer // pointers, maps, channels, funcs, unsafe.Pointer
	PrintIface   // (type word, data word) in hexadecimal
	PrintSlice   // [len/cap]pointer
	PrintSpace
	PrintNewline
	PrintHex
)
