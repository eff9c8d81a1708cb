package bytecode

//go:generate go run gen.go

// An Op is an opcode: an index into Ops.
type Op uint16

// A Row describes one opcode.
type Row struct {
	Name    string
	Pattern [4]string // of A, B, C and the immediate; the letters are explained in ops.txt
	Flags   Flag
	Doc     string
}

// A Flag is a property of an opcode.
type Flag uint8

const (
	Visible Flag = 1 << iota // another goroutine may observe it: a transition ends before it
	Point                    // a safepoint: the function has a register map for it
	Call                     // the map says what lives across it
	Jump                     // the immediate holds a target
	Ends                     // never falls through
	Faults                   // may panic
	Memory                   // accesses memory that other goroutines may access too
)

func (o Op) String() string {
	if o < NumOps {
		return Ops[o].Name
	}
	return "invalid"
}

// Traps are the run-time errors that OpTrap raises.
const (
	TrapNil         = iota // invalid memory address or nil pointer dereference
	TrapDivide             // integer divide by zero
	TrapUnreached          // control reached code the compiler took to be dead
	TrapNilMap             // assignment to entry in nil map
	TrapUnsupported        // the function cannot be executed; see docs/LIMITS.md
)

// Flags of OpRecv, in C.
const (
	RecvOk     = 1 // a word follows the value: whether it was sent
	RecvUnused = 2 // nobody looks at the value
)
