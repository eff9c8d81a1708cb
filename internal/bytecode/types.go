package bytecode

// A Kind is numbered as reflect.Kind.
type Kind uint8

const (
	Invalid Kind = iota
	Bool
	Int
	Int8
	Int16
	Int32
	Int64
	Uint
	Uint8
	Uint16
	Uint32
	Uint64
	Uintptr
	Float32
	Float64
	Complex64
	Complex128
	Array
	Chan
	FuncKind
	Interface
	MapKind
	Pointer
	Slice
	String
	Struct
	UnsafePointer
)

// A Reg says how a value travels between memory and a register.
type Reg uint8

const (
	RegNone Reg = iota // size zero: no words
	RegU8              // one word, zero-extended from one byte (bool too)
	RegS8
	RegU16
	RegS16
	RegU32 // uint32 and float32
	RegS32
	Reg64   // one word as it is
	RegCopy // memory layout: Type.Words words, Type.Size bytes
)

// A Type is what the machine needs to know of a Go type. Types are numbered in
// the order of Program.Types, one number for each distinct type.
type Type struct {
	Kind  Kind
	Reg   Reg
	Align uint8
	Flags TypeFlag
	Size  uint32
	Words uint16   // of a register of this type
	Desc  uint32   // offset of its abi.Type in TypeImage, 0 if it has none
	Ptrs  []uint64 // bitmap of the pointer words of its memory layout, trailing zeros cut

	Elem   int   // array, chan, map, pointer, slice: element type; else -1
	Key    int   // map: key type; else -1
	Len    int64 // array length; chan: direction as reflect.ChanDir
	Fields []Field
	In     []int // func: parameters and results; FlagVariadic
	Out    []int

	Str     string // as reflect.Type.String
	Name    string // declared name, "" if unnamed
	PkgPath string // of a declared type, or of unexported names in an interface or struct

	Methods  []Method  // concrete type: method set, sorted by name then package path
	IMethods []IMethod // interface type: all methods, in itab order (sorted by name, then package path)
}

// A TypeFlag is a property of a type.
type TypeFlag uint8

const (
	FlagComparable TypeFlag = 1 << iota // == may be applied (it may panic for interfaces inside)
	FlagDirect                          // pointer-shaped: an interface's data word holds the value itself
	FlagPlainEq                         // equality is equality of the bytes (no padding, floats, strings, interfaces)
	FlagVariadic                        // func with ...T
	FlagNamed                           // declared or predeclared type
)

// A Field is a struct field.
type Field struct {
	Name     string
	PkgPath  string // "" if exported
	Type     int
	Off      uint32
	Tag      string
	Embedded bool
}

// A Method is one of a concrete type's. Ifn takes the receiver as an interface's
// data word; Tfn takes it as a value of the type. Either is -1 if no call can reach it.
type Method struct {
	Name, PkgPath string // PkgPath "" if exported
	Type          int    // signature without receiver
	Ifn, Tfn      int
}

// An IMethod is one of an interface's.
type IMethod struct {
	Name, PkgPath string
	Type          int
}
