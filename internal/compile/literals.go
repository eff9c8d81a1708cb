package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// What a literal of a package variable points to is data of the program in Go: for `var s = &server{}` nothing is
// allocated, the server lies where variables do. A program can tell in two ways. A sync.WaitGroup in it belongs to no bubble of
// testing/synctest, and it is never collected. So such literals become variables without a name, if one of
// these ways is open.
//
// Which ones they are is what cmd/compile/internal/staticinit decides: the literals that the initialiser of a variable is, or
// that are parts of such a literal, but not those in calls, maps and computations. A call is seen through if Go's
// compiler inlines it, see inlined.go.

// literals are those of a function that are data of the program if it is called at one place: by the initialiser of a
// package, or by a function that it calls.
type literals struct {
	c      *compiler
	large  bool                           // the initialiser is so large that not even small functions may be inlined
	caller *literals                      // nil for an initialiser
	site   *ssa.CallCommon                // where it calls
	allocs map[*ssa.Alloc]bytecode.Origin // what they are
	number map[*ssa.Alloc]int             // of the variables that they have become
	calls  map[*ssa.CallCommon]*literals  // of the functions that are called for their literals
	copied int                            // the number of the function whose literals are variables, 0 if there is none
}

func (c *compiler) newLiterals() *literals {
	return &literals{
		c:      c,
		allocs: make(map[*ssa.Alloc]bytecode.Origin),
		number: make(map[*ssa.Alloc]int),
		calls:  make(map[*ssa.CallCommon]*literals),
	}
}

// literalsOf finds the literals of an initialiser that are data of the program.
func (c *compiler) literalsOf(init *ssa.Function) *literals {
	l := c.newLiterals()
	if pkg := packageOf(init); pkg == nil || strings.HasPrefix(pkg.Path(), "crypto/internal/fips140") {
		return l // the compiler leaves no addresses in data whose checksum is verified
	}
	size := 0
	for _, b := range init.Blocks {
		size += len(b.Instrs)
	}
	l.large = size > sureInit
	for _, b := range init.Blocks {
		for _, instr := range b.Instrs {
			if st, ok := instr.(*ssa.Store); ok {
				if _, ok := constRoot(st.Addr).(*ssa.Global); ok && !isGuard(st.Addr) {
					l.value(st.Val, bytecode.Literal)
				}
			}
		}
	}
	return l
}

// value notes the literals in a value that becomes data of the program.
func (l *literals) value(v ssa.Value, as bytecode.Origin) {
	switch v := v.(type) {
	case *ssa.Alloc:
		if v.Heap && v.Comment == "complit" {
			l.add(v, as)
		}
	case *ssa.Slice:
		a, ok := v.X.(*ssa.Alloc)
		if ok && (a.Comment == "slicelit" || a.Comment == "varargs") && v.Low == nil && v.High == nil && v.Max == nil {
			l.add(a, as)
		}
	case *ssa.UnOp:
		if a, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL && !a.Heap && a.Comment == "complit" {
			l.parts(a, as)
		}
	case *ssa.MakeInterface:
		if v.Parent().Origin() != nil {
			as = bytecode.Inlined // the type may not be known when the compiler looks
		}
		l.value(v.X, as)
	case *ssa.ChangeType:
		l.value(v.X, as)
	case *ssa.ChangeInterface:
		l.value(v.X, as)
	case *ssa.Convert:
		if isPointer(v.Type()) && isPointer(v.X.Type()) {
			l.value(v.X, as)
		}
	case *ssa.Parameter:
		if l.caller != nil {
			for i, p := range v.Parent().Params {
				if p == v {
					l.caller.value(l.site.Args[i], as)
				}
			}
		}
	case *ssa.Call:
		l.call(v, as)
	}
}

// isPointer says whether values of a type are pointers, unsafe ones included.
func isPointer(typ types.Type) bool {
	switch t := typ.Underlying().(type) {
	case *types.Pointer:
		return true
	case *types.Basic:
		return t.Kind() == types.UnsafePointer
	}
	return false
}

func (l *literals) add(a *ssa.Alloc, as bytecode.Origin) {
	if _, ok := l.allocs[a]; !ok {
		l.allocs[a] = as
		l.parts(a, as)
	}
}

// parts notes the literals that the parts of a literal point to.
func (l *literals) parts(addr ssa.Value, as bytecode.Origin) {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				l.value(ref.Val, as)
			}
		case *ssa.FieldAddr:
			l.parts(ref, as)
		case *ssa.IndexAddr:
			if ref.X == addr {
				l.parts(ref, as)
			}
		}
	}
}

// call notes the literals in what a function returns.
func (l *literals) call(v *ssa.Call, as bytecode.Origin) {
	fn, how := l.inlines(v)
	if how == bytecode.Variable {
		return
	}
	sub := l.c.newLiterals()
	sub.large, sub.caller, sub.site = l.large, l, &v.Call
	l.calls[&v.Call] = sub
	ret := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
	sub.value(ret.Results[0], max(as, how))
}

// told says whether it makes a difference that a literal of a type is data of the program.
func (l *literals) told(typ types.Type) bool { return l.c.collected || hasWaitGroup(typ) }

// anyTold says whether it does for one that the function has.
func (l *literals) anyTold() bool {
	for a := range l.allocs {
		if l.told(pointee(a)) {
			return true
		}
	}
	for _, sub := range l.calls {
		if sub.anyTold() {
			return true
		}
	}
	return false
}

// hasWaitGroup says whether a sync.WaitGroup is a part of values of a type.
func hasWaitGroup(typ types.Type) bool {
	if n, ok := types.Unalias(typ).(*types.Named); ok {
		if o := n.Obj(); o.Name() == "WaitGroup" && o.Pkg() != nil && o.Pkg().Path() == "sync" {
			return true
		}
	}
	switch t := typ.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if hasWaitGroup(f.Type()) {
				return true
			}
		}
	case *types.Array:
		return hasWaitGroup(t.Elem())
	}
	return false
}

// literal is the address of the variable that a literal has become, 0 if it is none.
func (g *gen) literal(a *ssa.Alloc) uint64 {
	l := g.literals
	if l == nil {
		return 0
	}
	as, ok := l.allocs[a]
	typ := pointee(a)
	if !ok || l.caller == nil && !l.told(typ) {
		return 0
	}
	if g.typ(typ).Size == 0 {
		return bytecode.StaticPtr(bytecode.ObjZero, 0)
	}
	i, ok := l.number[a]
	if !ok {
		i = len(g.c.prog.Globals)
		l.number[a] = i
		g.c.prog.Globals = append(g.c.prog.Globals, bytecode.Global{
			Name:   fmt.Sprintf("%s..stmp_%d", packagePath(packageOf(a.Parent())), i), // as Go calls them
			Type:   g.c.types.index(typ),
			Origin: as,
		})
	}
	return bytecode.StaticPtr(uint32(bytecode.GlobalBase+i), 0)
}

// copyFor is the number of the function that is called instead of another one because its literals are data of the program, 0 if
// there is none.
func (g *gen) copyFor(call *ssa.CallCommon) int {
	if g.literals == nil {
		return 0
	}
	sub := g.literals.calls[call]
	if sub == nil || sub.copied == 0 && !sub.anyTold() {
		return 0
	}
	if sub.copied == 0 {
		sub.copied = g.c.newFunc(job{fn: g.c.body(call.StaticCallee()), literals: sub})
	}
	return sub.copied
}
