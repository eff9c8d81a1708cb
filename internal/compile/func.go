package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// compile compiles function number n.
func (c *compiler) compile(n int) {
	j := c.jobs[n]
	if isInit(j.fn) && j.needed == nil {
		c.addInit(n, j.fn)
		return
	}
	out := &bytecode.Func{Sig: -1, Recv: -1, Recover: -1}
	switch {
	case j.fn != nil:
		if c.opts.Locals != nil {
			j.scribe = newScribe(j.fn)
		}
		tellRangeStates(j.fn)
		c.noteLocals(j.fn)
		c.describe(out, j.fn)
		c.noteReflection(j.fn)
	case j.builtin == nil && j.made == nil:
		return // it is complete
	}
	if j.fn == nil || len(j.fn.Blocks) > 0 && c.native(j.fn) == "" {
		c.code(out, j)
		if spots := j.scribe.spots(); len(spots) > 0 && out.Code != nil {
			c.opts.Locals.Funcs[n] = spots
		}
	} else if out.Native = c.native(j.fn); out.Native == "" {
		c.missing(n, out, j.fn)
	}
	if out.Native != "" {
		c.bind(out)
		out.Frame = max(out.Params, out.Results)
	}
	c.prog.Funcs[n] = *out
}

// describe fills in what does not depend on the code.
func (c *compiler) describe(out *bytecode.Func, fn *ssa.Function) {
	out.Name = funcName(fn)
	if pkg := packageOf(fn); pkg != nil {
		out.Pkg = packagePath(pkg)
	}
	out.Wrapper = isWrapper(fn)
	if fn.Pos().IsValid() {
		if l, ok := c.line(fn.Pos()); ok {
			out.File, out.Line = int(l.File), int(l.Line)
		}
	}
	sig := fn.Signature
	plain := sig
	if recv := sig.Recv(); recv != nil {
		out.Recv = c.types.index(recv.Type())
		out.ParamT = append(out.ParamT, out.Recv)
		plain = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	}
	out.Sig = c.types.index(plain)
	for v := range sig.Params().Variables() {
		out.ParamT = append(out.ParamT, c.types.index(c.paramType(fn, v.Type())))
	}
	for v := range sig.Results().Variables() {
		out.ResultT = append(out.ResultT, c.types.index(v.Type()))
	}
	for _, t := range out.ResultT {
		out.Results += c.types.at(t).Words
	}
	if len(fn.Blocks) == 0 || c.native(fn) != "" {
		for _, t := range out.ParamT {
			out.Params += c.types.at(t).Words
		}
	}
	out.Closure = len(fn.FreeVars) > 0
	for _, fv := range fn.FreeVars {
		t := c.types.of(fv.Type())
		for w := range int(t.Words) {
			bit := byte(0)
			if w>>6 < len(t.Ptrs) {
				bit = byte(t.Ptrs[w>>6] >> (w & 63) & 1)
			}
			out.FreeMap = append(out.FreeMap, bit)
		}
	}
}

// isWrapper says whether a function was made to call a method, or is one of
// those of package reflect that gc and its assembly mark as wrappers.
func isWrapper(fn *ssa.Function) bool {
	if fn.Pkg != nil && fn.Pkg.Pkg.Path() == "reflect" {
		switch fn.Name() {
		case "call", "callReflect", "callMethod", "makeFuncStub", "methodValueCall":
			return true
		}
	}
	if fn.Synthetic == "" || fn.Parent() != nil || fn.Origin() != nil && fn.Syntax() != nil {
		return false
	}
	return fn.Pkg == nil // the initialiser of a package has one
}

// missing makes a function that nobody implements: executing it is an error.
func (c *compiler) missing(n int, out *bytecode.Func, fn *ssa.Function) {
	out.Code = []bytecode.Instr{{Op: bytecode.OpTrap, Imm: bytecode.TrapUnsupported}}
	out.Frame = max(out.Params, out.Results)
	out.Maps = []bytecode.Map{{Live: make([]uint64, (out.Frame+63)/64), Ptrs: make([]uint64, (out.Frame+63)/64)}}
	out.Points = []bytecode.Safepoint{{PC: 0, Map: 0}}
	if l, ok := c.line(fn.Pos()); ok {
		out.Lines = []bytecode.Line{l}
	}
	c.prog.Missing = append(c.prog.Missing, bytecode.Missing{Func: n, Pos: c.position(fn.Pos()).String()})
}

// code generates a function's code.
func (c *compiler) code(out *bytecode.Func, j job) {
	g := c.newGen(out, j.fn)
	g.needed, g.literals, g.scribe = j.needed, j.literals, j.scribe
	if g.scribe != nil {
		g.scribe.g = g
	}
	defer func() {
		if r := recover(); r != nil {
			b, ok := r.(bail)
			if !ok {
				panic(r)
			}
			c.errs = append(c.errs, b.err)
			*out = bytecode.Func{Name: out.Name, Sig: -1, Recv: -1, Recover: -1}
		}
	}()
	switch {
	case j.builtin != nil:
		g.builtinBody(j.builtin, j.params)
	case j.made != nil:
		j.made(g)
	default:
		g.pos = j.fn.Pos()
		c.noteGlobals(j.fn)
		g.lower()
	}
	g.rotate()
	g.dropFaint()
	g.analyse()
	g.coalesce()
	g.place()
	g.finish()
}

// initBody makes the function that runs the initialisers of all packages.
func (g *gen) initBody() {
	g.begin0("runtime.doInit")
	for _, p := range g.c.lp.Packages {
		if p.SSA == nil || g.c.opts.SkipInit(p.Path) {
			continue
		}
		g.embeds(p)
		if fn := p.SSA.Func("init"); fn != nil && !emptyInit(fn) {
			g.callStatic(g.c.funcIndex(fn))
		}
	}
	g.emit(ins{op: bytecode.OpRet})
}

// entryBody makes the function that a program starts with. It is compiled last,
// when it is known which variables the program uses.
func (g *gen) entryBody() {
	g.c.newFunc(job{made: (*gen).gopanicBody})
	g.c.newFunc(job{made: (*gen).goexitBody})
	g.pos = g.c.lp.Calls["main"]
	g.begin0("runtime.main")
	g.skippedConsts()
	g.callStatic(g.c.prog.Init)
	g.callStatic(g.c.prog.Main)
	g.emit(ins{op: bytecode.OpRet})
}

// skippedConsts sets the variables that begin as a constant, or as a constant
// string in an interface (the errors of the runtime, which other packages
// linkname), of those packages whose initialisers are not run.
func (g *gen) skippedConsts() {
	for _, p := range g.c.lp.Packages {
		if p.SSA == nil || !g.c.opts.SkipInit(p.Path) {
			continue
		}
		for _, b := range p.SSA.Func("init").Blocks {
			for _, instr := range b.Instrs {
				st, ok := instr.(*ssa.Store)
				if !ok || isGuard(st.Addr) {
					continue
				}
				v, ok := st.Addr.(*ssa.Global)
				if _, used := g.c.globals[v]; !ok || !used {
					continue
				}
				to := place{kind: placeStatic, static: g.c.global(v)}
				switch x := st.Val.(type) {
				case *ssa.Const:
					if x.Value != nil {
						g.storeAt(to, g.use(x), x.Type())
					}
				case *ssa.MakeInterface:
					if c, ok := x.X.(*ssa.Const); ok {
						if s, ok := stringConst(c); ok {
							d := g.newReg(2)
							g.constIface(d, x.Type(), c.Type(), s)
							g.storeAt(to, d, x.Type())
						}
					}
				}
			}
		}
	}
}

// gopanicBody makes a function that is never called: it stands in tracebacks
// between a deferred call and the function that panics, where Go's runtime
// calls the former.
func (g *gen) gopanicBody() {
	g.pos = g.c.lp.Calls["gopanic"]
	g.begin0("runtime.gopanic")
	if l, ok := g.c.line(g.pos); ok {
		g.out.File, g.out.Line = int(l.File), int(l.Line)
	}
	g.emit(ins{op: bytecode.OpUnreachable})
}

// goexitBody makes a function that is never called either: it is what is below
// the first function of each goroutine.
func (g *gen) goexitBody() {
	if pkg := g.c.runtime; pkg != nil && pkg.Func("goexit") != nil {
		g.pos = pkg.Func("goexit").Pos()
	}
	g.begin0("runtime.goexit")
	if l, ok := g.c.line(g.pos); ok {
		g.out.File, g.out.Line = int(l.File), int(l.Line)
	}
	g.emit(ins{op: bytecode.OpUnreachable})
}

// begin0 begins a function without parameters that the compiler makes.
func (g *gen) begin0(name string) {
	g.out.Name, g.out.Pkg = name, "runtime"
	g.entry = g.newBlock(0)
	g.blocks = append(g.blocks, g.entry)
	g.cur = g.entry
	g.finishParams()
}

// callStatic calls a function without parameters and results.
func (g *gen) callStatic(fn int) {
	anchor := g.newPtrReg(0, nil)
	g.al.calls = append(g.al.calls, window{anchor: anchor.v - 1})
	g.emit(ins{op: bytecode.OpCall, a: anchor, imm: int64(fn), x: &extra{call: g.calls}})
	g.calls++
}

// emptyInit says whether the initialiser of a package only initialises others.
func emptyInit(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Jump, *ssa.Return, *ssa.If:
			case *ssa.UnOp:
				if !isGuard(v.X) {
					return false
				}
			case *ssa.Store:
				if !isGuard(v.Addr) {
					return false
				}
			case *ssa.Call:
				if !isInit(v.Call.StaticCallee()) {
					return false
				}
			default:
				return false
			}
		}
	}
	return true
}

// isGuard recognises the variable that says whether a package is initialised.
// The machine runs every initialiser once, so it is not needed.
func isGuard(v ssa.Value) bool {
	g, ok := v.(*ssa.Global)
	return ok && g.Name() == "init$guard"
}

// isInit recognises the initialiser of a package.
func isInit(fn *ssa.Function) bool {
	return fn != nil && fn.Synthetic == "package initializer"
}
