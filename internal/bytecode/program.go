package bytecode

// A Program is a closed set of functions, types and globals: everything that
// running one main package (or one test binary) can reach.
type Program struct {
	GoVersion string // of the toolchain whose GOROOT it was compiled from, as "go1.26.8"
	Path      string // import path of the main package
	Module    string // build information for runtime/debug.ReadBuildInfo, may be ""
	GODEBUG   string // default settings, as "name=value,..."

	Funcs   []Func
	Types   []Type
	Globals []Global
	Ifaces  []Iface  // operands of OpMkIface
	Asserts []Assert // operands of OpAssert and OpAssertI
	Itabs   []Itab   // static itabs, in ItabImage order
	Files   []string // source files, for Line.File

	TypeImage []byte // content of ObjTypes: abi.Type descriptors and names
	ItabImage []byte // content of ObjItabs
	Strings   []byte // content of ObjStrings

	Entry   int       // function that runs all package initialisers in order, then main.main
	Init    int       // function that runs the initialisers alone
	Main    int       // main.main
	Missing []Missing // functions that nobody implements: executing them is an error

	EqualFunc int // native func(p, q unsafe.Pointer) bool with one free word, a type index

	AccessPoints bool // there is a safepoint at each instruction that accesses memory

	Runtime RuntimeTypes // what run-time panics are made of
}

// A Global is a package-level variable.
type Global struct {
	Name string // "pkg/path.name"
	Type int    // its type (not the pointer to it)
	// Fixed says that nothing but the initialisation of its package assigns to it
	// and nobody takes its address.
	Fixed bool
	// Origin says whether it has a name in the program, or is what a literal of
	// a variable points to.
	Origin Origin
}

// An Origin is what a global is made for.
type Origin uint8

const (
	Variable Origin = iota // a variable that is declared
	Literal                // a literal of the initialiser of a variable
	Inlined                // one in a function that this calls: if Go's compiler has inlined that, it is data of the program, otherwise it is allocated
)

// A Func is one function's code.
type Func struct {
	Name    string // as in Go's tracebacks: "main.(*T).M", "main.f.func1", "main.g[...]"
	Pkg     string // import path
	Native  string // symbol of the intrinsic that implements it; Code is then empty
	Params  uint16 // words of parameters, receiver included
	Results uint16 // words of results
	Frame   uint16 // words of the frame, without the windows of its callees' frames
	Closure bool   // has free variables: word Params holds the closure pointer
	FreeMap []byte // one byte per captured word, 1 if it holds a pointer
	Sig     int    // type index of the signature (without receiver), -1 if not needed
	Recv    int    // type index of the receiver, -1 if none
	ParamT  []int  // type index of each parameter, receiver first
	ResultT []int  // type index of each result
	Wrapper bool   // a compiler-made wrapper: hidden in tracebacks, transparent to recover
	Recover int    // instruction at which a recovered panic resumes, -1: return with zero results

	Code    []Instr
	Selects []Select
	Maps    []Map       // distinct register maps
	Points  []Safepoint // in order of PC
	Lines   []Line      // in order of PC
	Uints   []int       // instructions whose index is an unsigned word, in order: what they say in a panic
	File    int         // of its declaration
	Line    int
}

// A Map says which words of a frame hold live values and which of those hold
// pointers. Both are bitmaps over frame words.
type Map struct {
	Live, Ptrs []uint64
}

// A Safepoint gives the register map that holds when a frame is stopped at
// instruction PC. For a call (and go, defer, rundefers) it is what lives across
// it, without its arguments and results; for every other instruction it is what
// is live before it, since it will be executed when the goroutine resumes.
// There is a safepoint at instruction 0 of every function (its live parameters),
// at each target of a backward branch, at Recover, at each instruction whose
// table row says so, and behind those behind which a goroutine may stop: send,
// recv, select, and calls of intrinsics. If the program has AccessPoints there is
// also one at each instruction that accesses memory.
type Safepoint struct {
	PC  int32
	Map int32
}

// A Line says that the instructions from PC on come from this position.
type Line struct {
	PC              int32
	File, Line, Col int32
}

// A Select describes the cases of one select statement. Register numbers are
// frame words.
type Select struct {
	Blocking bool
	Cases    []Case
	RecvOk   int // result word for the ok of a receive
	Index    int // result word for the chosen case, -1 for default
}

// A Case is one send or receive of a select.
type Case struct {
	Send  bool
	Chan  int // word that holds the channel
	Value int // send: where the value is; receive: where it goes, -1 to discard
	Elem  int // element type
}

// An Iface is what OpMkIface needs: the first word of the interface value (a
// pointer to a type descriptor or to an itab) and the concrete type to box.
type Iface struct {
	Word uint64
	Type int
}

// An Assert is what a type assertion needs.
type Assert struct {
	Src    int // static interface type of the operand
	Target int // asserted type
}

// An Itab pairs an interface type with a concrete one. Its image at Off has the
// layout of internal/abi.ITab.
type Itab struct {
	Iface, Type int
	Off         uint32
}

// RuntimeTypes are the types of package runtime whose values the machine makes
// itself: those of run-time panics. Each is a type index, -1 if package runtime
// is not part of the program.
type RuntimeTypes struct {
	ErrorString      int // errorString
	PlainError       int // plainError
	AddressError     int // errorAddressString
	BoundsError      int // boundsError
	TypeAssertion    int // TypeAssertionError
	TypeAssertionPtr int // *TypeAssertionError
	PanicNil         int // *PanicNilError
}

// all lists the fields for encoding.
func (r *RuntimeTypes) all() [7]*int {
	return [...]*int{
		&r.ErrorString, &r.PlainError, &r.AddressError, &r.BoundsError,
		&r.TypeAssertion, &r.TypeAssertionPtr, &r.PanicNil,
	}
}

// A Missing is a function without Go body and without intrinsic. Its code is
// one trap.
type Missing struct {
	Func int
	Pos  string // of its declaration
}
