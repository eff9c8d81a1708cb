// Package compile turns a program in SSA form into bytecode.
//
//	load.Program ─reach─► functions ─lower, allocate, emit─► bytecode.Program
//	                         └─► types ─► descriptors, itabs
//
// Only what main and the initialisers can reach is compiled: a worklist of
// functions grows by the functions that compiled ones call, take the value of,
// or can call through interfaces. The order of the list numbers the functions,
// so that the same program always gives the same bytes.
//
// The package knows nothing about the machine beyond the contract in package
// bytecode. What it cannot compile it refuses with a position; a function
// without Go body becomes a trap, which is reported when it is executed.
package compile

import (
	"cmp"
	"encoding/binary"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/load"
)

// Options say what the machine does itself. The zero value works: nothing is
// native and no initialiser is skipped.
type Options struct {
	// Native reports whether an intrinsic implements the function with this
	// symbol: "sync/atomic.AddInt32", "(*internal/sync.Mutex).Lock". For an
	// instance of a generic function it is asked about the generic one,
	// "(*sync/atomic.Pointer[T]).Load".
	Native func(symbol string) bool

	// Needs returns the link symbols of the Go functions that an intrinsic
	// calls. They are compiled with it.
	Needs func(symbol string) []string

	// SkipInit reports whether the variables of a package stay zero, because
	// the machine stands in for it.
	SkipInit func(path string) bool

	// AccessPoints asks for a safepoint at each instruction that accesses memory,
	// so that goroutines can be stopped there.
	AccessPoints bool

	// Locals, if it is not nil, gets to know where the variables of functions are.
	Locals *Locals
}

// EqualNative is the symbol of the intrinsic behind Program.EqualFunc.
const EqualNative = "heddle.equal"

// A compiler holds the tables of the program in the making.
type compiler struct {
	lp      *load.Program
	runtime *ssa.Package
	opts    Options
	prog    *bytecode.Program
	types   *typeTable
	use     *methodUse
	errs    diag.List

	worklist
	numbers
	fileTable
	initialisers
	remains

	library map[*ssa.Package]bool // the packages of the standard library
}

// A worklist has the functions that are compiled, or are to be.
type worklist struct {
	jobs     []job // by function number
	compiled int   // how many of them are
	funcs    map[*ssa.Function]int
	wrappers map[wrapper]*ssa.Function
	builtins map[string]int
}

// The numbers are those that things other than functions and types have in the
// program's tables.
type numbers struct {
	globals map[*ssa.Global]int
	strs    map[string]int64
	statics map[string]uint64
	ifaces  map[bytecode.Iface]int
	asserts map[bytecode.Assert]int
}

// A fileTable numbers the source files. It remembers the last one asked for.
type fileTable struct {
	files    map[string]int32
	lastFile *token.File
	fileName string
	fileNum  int32
}

// The initialisers of packages are compiled as far as they are needed.
type initialisers struct {
	inits     []*initFunc
	varying   map[*ssa.Global]bool // see noteGlobals
	mentioned map[*ssa.Global]bool // by initialisers, in what is needed of them
	collected bool                 // the program can ask for a collection
}

// The remains are memory of the last function, which the next one uses.
type remains struct {
	spare   *gen
	code0   []bytecode.Instr
	lines0  []bytecode.Line
	points0 []bytecode.Safepoint
}

// A job is a function to compile.
type job struct {
	fn      *ssa.Function
	builtin *ssa.Builtin // a function made for go or defer of a built-in
	params  []types.Type
	made    func(*gen)               // a function made by the compiler
	needed  map[ssa.Instruction]bool // of an initialiser: what to compile

	literals *literals // that are data of the program, nil for none
	scribe   *scribe   // nil unless it is to be told where variables are
}

// Program compiles a program. Errors come as a [diag.List].
func Program(lp *load.Program, opts Options) (*bytecode.Program, error) {
	c := newCompiler(lp, opts)
	c.roots()
	c.work()
	c.prog.Entry = c.newFunc(job{made: (*gen).entryBody})
	c.work()
	return c.finish()
}

func newCompiler(lp *load.Program, opts Options) *compiler {
	if opts.Native == nil {
		opts.Native = func(string) bool { return false }
	}
	if opts.SkipInit == nil {
		opts.SkipInit = func(string) bool { return false }
	}
	c := &compiler{
		lp: lp, opts: opts,
		prog: &bytecode.Program{
			GoVersion: lp.GoVersion,
			Path:      lp.Main.Pkg.Path(),
			GODEBUG:   lp.GODEBUG,

			AccessPoints: opts.AccessPoints,
		},
		worklist: worklist{
			funcs:    make(map[*ssa.Function]int),
			wrappers: make(map[wrapper]*ssa.Function),
			builtins: make(map[string]int),
		},
		numbers: numbers{
			globals: make(map[*ssa.Global]int),
			strs:    make(map[string]int64),
			statics: make(map[string]uint64),
			ifaces:  make(map[bytecode.Iface]int),
			asserts: make(map[bytecode.Assert]int),
		},
		fileTable: fileTable{files: make(map[string]int32)},
		initialisers: initialisers{
			varying:   make(map[*ssa.Global]bool),
			mentioned: make(map[*ssa.Global]bool),
		},
		runtime: lp.SSA.ImportedPackage("runtime"),
		library: libraryPackages(lp.Packages),
	}
	c.types = newTypeTable(lp.SSA, lp.Sizes, c.funcIndex)
	c.use = newMethodUse(c.types)
	c.types.keep = c.use.keep
	c.prog.Runtime = runtimeTypes(lp.SSA, c.types, c.use)
	c.keepPrinters()
	return c
}

// finish completes the tables when all functions are compiled.
func (c *compiler) finish() (*bytecode.Program, error) {
	c.types.finish(c.prog)
	c.fixGlobals()
	c.errs.Sort()
	if err := c.errs.Err(); err != nil {
		return nil, err
	}
	return c.prog, nil
}

// work compiles the functions of the worklist, which grows meanwhile.
func (c *compiler) work() {
	for {
		for ; c.compiled < len(c.jobs); c.compiled++ {
			c.compile(c.compiled)
		}
		if !c.types.pending() && !c.growInits() && c.compiled == len(c.jobs) {
			break
		}
	}
}

// bug reports a defect of the compiler.
func (c *compiler) bug(format string, args ...any) { panic(diag.Bugf(format, args...)) }

// roots enqueues what every program needs.
func (c *compiler) roots() {
	p := c.prog
	p.EqualFunc = c.newFunc(job{})
	p.Funcs[p.EqualFunc] = bytecode.Func{
		Name: EqualNative, Pkg: "runtime", Native: EqualNative, Params: 2, Results: 1, Frame: 3,
		Closure: true, FreeMap: []byte{0}, Sig: -1, Recv: -1, Recover: -1,
		ParamT:  []int{c.types.index(types.Typ[types.UnsafePointer]), c.types.index(types.Typ[types.UnsafePointer])},
		ResultT: []int{c.types.index(types.Typ[types.Bool])},
	}
	p.Init = c.newFunc(job{made: (*gen).initBody})
	p.Main = c.funcIndex(c.lp.Main.Func("main"))
}

// keepPrinters keeps the methods that the machine calls to print the value of a
// panic.
func (c *compiler) keepPrinters() {
	c.use.call(types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0))
	if t := c.runtimeType("stringer"); t != nil {
		c.use.call(t.Underlying().(*types.Interface).Method(0))
	}
}

// runtimeType is a type of package runtime, nil if there is none.
func (c *compiler) runtimeType(name string) types.Type {
	if c.runtime == nil {
		return nil
	}
	if t := c.runtime.Type(name); t != nil {
		return t.Type()
	}
	return nil
}

// newFunc numbers a function.
func (c *compiler) newFunc(j job) int {
	c.jobs = append(c.jobs, j)
	c.prog.Funcs = append(c.prog.Funcs, bytecode.Func{})
	return len(c.jobs) - 1
}

// funcIndex is the number of a function. It enqueues the function when it is
// asked for first; functions that the linker takes for one have one number.
func (c *compiler) funcIndex(fn *ssa.Function) int {
	if i, ok := c.funcs[fn]; ok {
		return i
	}
	impl := c.body(fn)
	if impl != fn {
		i := c.funcIndex(impl)
		c.funcs[fn] = i
		return i
	}
	i := c.newFunc(job{fn: fn})
	c.funcs[fn] = i
	return i
}

// implementation follows linknames to the function with the body. Bodies in
// package runtime and below do not count: they are about gc's runtime.
func (c *compiler) implementation(fn *ssa.Function) *ssa.Function {
	if len(fn.Blocks) > 0 || c.lp.Links == nil || c.native(fn) != "" {
		return fn
	}
	impl := c.lp.Links.Func(fn)
	if impl == nil || impl == fn {
		return fn
	}
	if pkg := packageOf(impl); pkg != nil && isRuntime(pkg.Path()) && c.native(impl) == "" {
		return fn
	}
	return impl
}

// isRuntime says whether a package is part of gc's runtime.
func isRuntime(path string) bool {
	return path == "runtime" || strings.HasPrefix(path, "runtime/internal/") || strings.HasPrefix(path, "internal/runtime/")
}

// native is the symbol of the intrinsic that implements a function, "" if none
// does.
func (c *compiler) native(fn *ssa.Function) string {
	if fn.Parent() != nil || fn.Synthetic != "" && fn.Origin() == nil {
		return ""
	}
	decl := fn
	if o := fn.Origin(); o != nil {
		decl = o
	}
	symbol := decl.String()
	if c.opts.Native(symbol) {
		return symbol
	}
	if len(fn.Blocks) == 0 && c.lp.Links != nil {
		if remote := c.lp.Links.Symbol(decl); remote != "" && remote != symbol && c.opts.Native(remote) {
			return remote
		}
	}
	return ""
}

// funcValue is the static func value of a function without free variables.
func (c *compiler) funcValue(fn *ssa.Function) uint64 {
	return bytecode.StaticPtr(bytecode.ObjFuncs, uint32(8*c.funcIndex(fn)))
}

// maxVariable bounds the size of package-level variables: they are part of every
// state.
const maxVariable = 128 << 20

// global is the address of a package-level variable.
func (c *compiler) global(g *ssa.Global) uint64 {
	i, ok := c.globals[g]
	if !ok {
		if c.lp.Links != nil {
			if v := c.lp.Links.Var(g); v != nil && v != g {
				addr := c.global(v)
				if addr>>32 < bytecode.GlobalBase {
					return addr
				}
				c.globals[g] = int(addr>>32) - bytecode.GlobalBase
				return addr
			}
		}
		switch size := c.types.of(g.Type().Underlying().(*types.Pointer).Elem()).Size; {
		case size == 0:
			return bytecode.StaticPtr(bytecode.ObjZero, 0) // all of size zero are one
		case size > maxVariable:
			c.errs = append(c.errs, diag.Unsupportedf(c.position(g.Pos()), "a variable of %d bytes: limit is %d", size, maxVariable))
		}
		i = len(c.prog.Globals)
		c.globals[g] = i
		c.prog.Globals = append(c.prog.Globals, bytecode.Global{
			Name: packagePath(g.Pkg.Pkg) + "." + g.Name(),
			Type: c.types.index(g.Type().Underlying().(*types.Pointer).Elem()),
		})
	}
	return bytecode.StaticPtr(uint32(bytecode.GlobalBase+i), 0)
}

// str is the immediate of a string literal.
func (c *compiler) str(s string) int64 {
	if imm, ok := c.strs[s]; ok {
		return imm
	}
	imm := bytecode.Pack(uint32(len(c.prog.Strings)), uint32(len(s)))
	c.prog.Strings = append(c.prog.Strings, s...)
	c.strs[s] = imm
	return imm
}

// static is the address of a read-only copy of some words.
func (c *compiler) static(image []byte) uint64 {
	if p, ok := c.statics[string(image)]; ok {
		return p
	}
	for len(c.prog.Strings)%wordSize != 0 {
		c.prog.Strings = append(c.prog.Strings, 0)
	}
	p := bytecode.StaticPtr(bytecode.ObjStrings, uint32(len(c.prog.Strings)))
	c.prog.Strings = append(c.prog.Strings, image...)
	c.statics[string(image)] = p
	return p
}

// staticString appends the header of a string literal to an image.
func (c *compiler) staticString(image []byte, s string) []byte {
	p := uint64(0)
	if s != "" {
		p = bytecode.StaticPtr(bytecode.ObjStrings, uint32(uint64(c.str(s))>>32))
	}
	image = binary.LittleEndian.AppendUint64(image, p)
	return binary.LittleEndian.AppendUint64(image, uint64(len(s)))
}

func (c *compiler) iface(i bytecode.Iface) int {
	n, ok := c.ifaces[i]
	if !ok {
		n = len(c.prog.Ifaces)
		c.ifaces[i] = n
		c.prog.Ifaces = append(c.prog.Ifaces, i)
	}
	return n
}

func (c *compiler) assert(a bytecode.Assert) int {
	n, ok := c.asserts[a]
	if !ok {
		n = len(c.prog.Asserts)
		c.asserts[a] = n
		c.prog.Asserts = append(c.prog.Asserts, a)
	}
	return n
}

// position is a place in the source.
func (c *compiler) position(pos token.Pos) diag.Pos {
	if !pos.IsValid() {
		return diag.Pos{}
	}
	return diag.FromToken(c.lp.Fset.Position(pos))
}

// line is a place in the source in the form of line tables. Like the
// runtime's, they obey //line directives.
func (c *compiler) line(pos token.Pos) (bytecode.Line, bool) {
	f := c.lastFile
	if f == nil || int(pos) < f.Base() || int(pos) > f.Base()+f.Size() {
		f = c.lp.Fset.File(pos)
		if f == nil {
			return bytecode.Line{}, false
		}
		c.lastFile = f
	}
	p := f.PositionFor(pos, true)
	if p.Filename != c.fileName || c.fileName == "" {
		c.fileName = p.Filename
		name := cmp.Or(filepath.ToSlash(p.Filename), "??")
		if p.Filename != f.Name() {
			// A line directive's relative name: go/scanner has put the file's
			// directory before it, gc leaves it alone.
			name = strings.TrimPrefix(name, filepath.ToSlash(filepath.Dir(f.Name()))+"/")
		}
		n, ok := c.files[name]
		if !ok {
			n = int32(len(c.prog.Files))
			c.files[name] = n
			c.prog.Files = append(c.prog.Files, name)
		}
		c.fileNum = n
	}
	return bytecode.Line{File: c.fileNum, Line: int32(p.Line), Col: int32(p.Column)}, true
}
