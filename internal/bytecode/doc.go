// Package bytecode defines the code that Heddle's Go machine executes: the
// opcode table, the instruction format, the tables of a whole program, and
// their text and binary forms. It executes nothing and knows nothing of go/ssa.
//
// # Registers
//
// A function's frame is an array of 64-bit words. A register is one or more
// consecutive words and holds a value in one of two forms:
//
//   - a scalar (boolean, integer, float, pointer, map, channel, func, unsafe
//     pointer, complex64) takes one word. Integers are kept extended to 64 bits,
//     by sign or by zero as their type says; bool is 0 or 1; float32 is its bits
//     zero-extended; complex64 is two float32, real part low.
//   - everything else has its memory layout, rounded up to whole words: string
//     (pointer, length), slice (pointer, length, capacity), interface (type word,
//     data word), complex128, structs and arrays. The bytes behind the last one
//     of a size that is no multiple of eight are zero.
//
// Type.Reg tells which form a type has. A value of size zero takes no words.
//
// # Calls
//
// The caller lays out arguments at the end of its own frame, in a window; the
// callee's frame begins at that window. Parameters (receiver first) are words
// 0, 1, ...; a function with free variables finds its closure pointer in the word
// after the parameters. Results are left at word 0 and up, so the caller finds
// them where its arguments were. Nothing below the window is visible to the
// callee and nothing in the window survives the call.
//
// # Pointers and fixed objects
//
// A pointer is object<<32 | offset; 0 is nil. The first objects have fixed
// numbers (ObjTypes, ObjStrings, ...), and global i is object GlobalBase+i, so
// the address of any static datum is a constant of the code.
package bytecode

// Fixed object numbers. Each is one object, except that globals are one object
// each from GlobalBase on.
const (
	ObjTypes   = 1 // type descriptors: Program.TypeImage, read-only
	ObjStrings = 2 // string literals: Program.Strings, read-only
	ObjFuncs   = 3 // func values of functions without free variables: word i is CodeWord(i), read-only
	ObjItabs   = 4 // static itabs: Program.ItabImage, read-only
	ObjZero    = 5 // what pointers to zero-size values point to
	ObjEquals  = 6 // closures {CodeWord(Program.EqualFunc), type index} for abi.Type.Equal, read-only: type i at 16*i
	GlobalBase = 16
)

// CodeWord is the code pointer of a function, the first word of a func value.
func CodeWord(fn int) uint64 { return uint64(fn+1) << 24 }

// callWidth is how many program counters an instruction has.
const callWidth = 4

// ReturnWord is the program counter that runtime.Callers gives for a call: where
// it returns to. Programs that want the call subtract one, as compiled code
// needs it, some of them twice, and look that up: calls are several bytes long.
func ReturnWord(fn, instr int) uint64 { return CodeWord(fn) + callWidth*uint64(instr+1) }

// Called is the instruction of a program counter that ReturnWord has made, or of
// one a little before, and -1 for a code word.
func Called(pc uint64) int { return (int(pc&(1<<24-1))+callWidth-1)/callWidth - 1 }

// FuncOf is the function index in a code word or program counter, -1 if none.
func FuncOf(word uint64) int { return int(word>>24) - 1 }

// StaticPtr is the pointer to byte off of fixed object obj.
func StaticPtr(obj, off uint32) uint64 { return uint64(obj)<<32 | uint64(off) }

// StubParams is how many words of parameters the closures may have that package
// reflect makes (MakeFunc and method values): their code has this many, whatever
// their type. A stack always has more words than this behind its top frame.
const StubParams = 60
