package compile

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// The initialiser of a package variable may call a function whose literals become data of the program: for
//
//	func newServer() *server { return &server{} }
//	var s = newServer()
//
// Go's compiler puts the literal in the place of the call, if it inlines the function, and then allocates nothing. It does so with a
// function that is one return statement, if neither the arguments nor the order in which they are computed can matter. Whether it
// inlines is a matter of how large a function is to the compiler. Small ones are inlined for certain; of others it is not known here what
// becomes of their literals.

// sureNodes is up to how many nodes of syntax a function is inlined for certain. The compiler counts otherwise: it has a node for
// each conversion that is not written, and one for each field. It inlines up to 80 of its nodes.
const sureNodes = 30

// sureInit is up to how many instructions an initialiser is small: into functions of more than 5,000 nodes the compiler
// inlines only the smallest ones.
const sureInit = 1500

// body is the function that runs when fn is called.
func (c *compiler) body(fn *ssa.Function) *ssa.Function {
	return c.implementation(c.declared(c.wrapped(fn)))
}

// inlines says what the literals are that a call for the initialiser of a variable returns: literals of the program,
// perhaps so, or what a function has allocated. It returns the function that is called.
func (l *literals) inlines(v *ssa.Call) (*ssa.Function, bytecode.Origin) {
	const not = bytecode.Variable
	fn := v.Call.StaticCallee()
	if fn == nil || v.Call.IsInvoke() || len(fn.FreeVars) > 0 {
		return nil, not
	}
	fn = l.c.body(fn)
	if len(fn.Blocks) != 1 || l.c.native(fn) != "" || !returnsOnly(fn) || l.within(fn) {
		return nil, not
	}
	how := bytecode.Literal
	if nodes, ok := l.c.nodes(fn, 0); !ok || nodes > sureNodes || l.large {
		how = bytecode.Inlined
	}
	for _, instr := range fn.Blocks[0].Instrs {
		if m, ok := instr.(*ssa.MakeClosure); ok {
			if m.Fn.(*ssa.Function).Synthetic == "" {
				return nil, not // it keeps the parameters
			}
			how = bytecode.Inlined
		}
		if x, ok := instr.(*ssa.Convert); ok && !isInteger(x.Type()) {
			how = bytecode.Inlined // of a constant it may be left to the program
		}
	}
	for i, arg := range v.Call.Args {
		switch simple(arg) {
		case no:
			return nil, not
		case perhaps:
			how = bytecode.Inlined
		}
		again := repeatable(arg)
		if again == yes {
			continue
		}
		switch uses, plain := usesOf(fn.Params[i]); {
		case !plain, uses > 1 && again == perhaps:
			how = bytecode.Inlined
		case uses > 1:
			return nil, not
		}
	}
	return fn, how
}

// within says whether a function calls itself.
func (l *literals) within(fn *ssa.Function) bool {
	for ; l.caller != nil; l = l.caller {
		if l.c.body(l.site.StaticCallee()) == fn {
			return true
		}
	}
	return false
}

// returnsOnly says whether a function is one return statement with one result that has no name, and may be inlined.
func returnsOnly(fn *ssa.Function) bool {
	var body *ast.BlockStmt
	switch s := fn.Syntax().(type) {
	case *ast.FuncLit:
		body = s.Body
	case *ast.FuncDecl:
		body = s.Body
		if s.Doc != nil {
			for _, c := range s.Doc.List {
				if strings.HasPrefix(c.Text, "//go:noinline") {
					return false
				}
			}
		}
	}
	if body == nil || len(body.List) != 1 {
		return false
	}
	ret, ok := body.List[0].(*ast.ReturnStmt)
	results := fn.Signature.Results()
	return ok && len(ret.Results) == 1 && results.Len() == 1 && results.At(0).Name() == ""
}

// nodes counts the nodes of what a function returns, with those of the functions that this calls. It reports false if one of them
// may not be inlined.
func (c *compiler) nodes(fn *ssa.Function, depth int) (n int, ok bool) {
	if depth > 4 {
		return 0, false
	}
	ast.Inspect(fn.Syntax(), func(x ast.Node) bool {
		switch x.(type) {
		case nil, *ast.FieldList, *ast.CommentGroup:
			return false
		}
		n++
		return true
	})
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, isCall := instr.(ssa.CallInstruction)
			if !isCall {
				continue
			}
			if b, ok := call.Common().Value.(*ssa.Builtin); ok {
				switch b.Name() {
				case "len", "cap", "min", "max", "complex", "real", "imag":
					continue
				}
				return n, false
			}
			callee := call.Common().StaticCallee()
			if callee == nil || call.Common().IsInvoke() {
				return n, false
			}
			if callee = c.body(callee); c.native(callee) != "" || !returnsOnly(callee) {
				return n, false
			}
			k, ok := c.nodes(callee, depth+1)
			if n += k; !ok {
				return n, false
			}
		}
	}
	return n, true
}

// An answer about code that Go's compiler has in another form.
type answer uint8

const (
	yes answer = iota
	perhaps
	no
)

// simple says whether the compiler takes it that it does not matter when a value is computed: there is no call in it, nothing that may panic, and no
// func literal. See isSideEffect in cmd/compile/internal/staticinit.
func simple(v ssa.Value) answer {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Parameter:
		return yes
	case *ssa.Function:
		if v.Parent() != nil {
			return no
		}
		return yes
	case *ssa.Alloc:
		if v.Comment == "complit" || v.Comment == "slicelit" || v.Comment == "varargs" {
			return simpleParts(v)
		}
		return perhaps
	case *ssa.FieldAddr:
		return simple(v.X)
	case *ssa.Slice:
		if a, ok := v.X.(*ssa.Alloc); ok && v.Low == nil && v.High == nil && v.Max == nil {
			return simple(a)
		}
		return no
	case *ssa.MakeInterface:
		return simple(v.X)
	case *ssa.ChangeType:
		return simple(v.X)
	case *ssa.ChangeInterface:
		return simple(v.X)
	case *ssa.Convert:
		return simple(v.X)
	case *ssa.Field:
		return simple(v.X)
	case *ssa.BinOp:
		if v.Op == token.QUO || v.Op == token.REM {
			if k, ok := v.Y.(*ssa.Const); !ok || k.Value == nil || constant.Sign(k.Value) == 0 {
				return no
			}
		}
		return max(simple(v.X), simple(v.Y))
	case *ssa.UnOp:
		switch {
		case v.Op == token.ARROW:
			return no
		case v.Op != token.MUL:
			return simple(v.X)
		}
		switch root := addrRoot(v.X).(type) {
		case *ssa.Global:
			if constRoot(v.X) != root || root != v.X && !onlyFields(v.X) {
				return no
			}
			return yes
		case *ssa.Alloc:
			if !root.Heap && root == v.X {
				return simple(root)
			}
			return no
		}
		return no
	case *ssa.MakeMap:
		if v.Reserve != nil {
			return perhaps
		}
		return simpleParts(v)
	case *ssa.MakeChan:
		if k, ok := v.Size.(*ssa.Const); ok && k.Int64() == 0 {
			return yes
		}
		return no
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") {
			return simple(v.Call.Args[0])
		}
		return no
	case *ssa.Phi:
		return perhaps
	}
	return no
}

// onlyFields says whether an address is that of a field of a field, and so on, of a variable.
func onlyFields(v ssa.Value) bool {
	for {
		f, ok := v.(*ssa.FieldAddr)
		if !ok {
			_, ok = v.(*ssa.Global)
			return ok
		}
		v = f.X
	}
}

// simpleParts says so of the values that a literal is made of.
func simpleParts(addr ssa.Value) answer {
	a := yes
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == addr {
				a = max(a, simple(ref.Val))
			}
		case *ssa.MapUpdate:
			if ref.Map == addr {
				a = max(a, simple(ref.Key), simple(ref.Value))
			}
		case *ssa.FieldAddr:
			a = max(a, simpleParts(ref))
		case *ssa.IndexAddr:
			if ref.X == addr {
				a = max(a, simpleParts(ref))
			}
		}
	}
	return a
}

// repeatable says whether a value can be computed again for each use, which must not make another object. See canRepeat there.
func repeatable(v ssa.Value) answer {
	switch v := v.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function, *ssa.Parameter:
		return yes
	case *ssa.MakeInterface:
		return repeatable(v.X)
	case *ssa.ChangeType:
		return repeatable(v.X)
	case *ssa.ChangeInterface:
		return repeatable(v.X)
	case *ssa.Convert:
		if isInteger(v.Type()) || isPointer(v.Type()) {
			return repeatable(v.X)
		}
	case *ssa.BinOp:
		return max(repeatable(v.X), repeatable(v.Y))
	case *ssa.UnOp:
		if g, ok := addrRoot(v.X).(*ssa.Global); ok {
			return repeatable(g)
		}
	case *ssa.Call:
		if _, ok := v.Call.Value.(*ssa.Builtin); ok {
			return repeatable(v.Call.Args[0])
		}
	case *ssa.Alloc:
		if v.Heap {
			return no
		}
	case *ssa.Slice, *ssa.MakeChan, *ssa.MakeMap:
		return no
	}
	return perhaps
}

// usesOf counts the uses of a parameter. It is not plain what they are if the parameter lies in memory.
func usesOf(p *ssa.Parameter) (n int, plain bool) {
	for _, ref := range *p.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
		case *ssa.Store:
			if a, ok := ref.Addr.(*ssa.Alloc); ok && a.Comment == p.Name() {
				return 0, false
			}
			n++
		default:
			n++
		}
	}
	return n, true
}

func isInteger(typ types.Type) bool {
	b, ok := typ.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
