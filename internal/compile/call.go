package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// A callForm gives the opcodes for one way to start a function.
type callForm struct{ static, closure, iface bytecode.Op }

var (
	callNow   = callForm{bytecode.OpCall, bytecode.OpCallc, bytecode.OpCalli}
	callGo    = callForm{bytecode.OpGo, bytecode.OpGoc, bytecode.OpGoi}
	callDefer = callForm{bytecode.OpDefer, bytecode.OpDeferc, bytecode.OpDeferi}
)

// call lowers a call that is executed at once.
func (g *gen) call(v *ssa.Call) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		g.builtin(v, b, v.Call.Args)
		return
	}
	if g.intrinsic(v) {
		return
	}
	results := v.Call.Signature().Results()
	outs := make([]ref, results.Len())
	for i := range outs {
		t := results.At(i).Type()
		outs[i] = ref{g.regOf(t), int32(g.words(t))}
	}
	g.start(callNow, &v.Call, outs, reg{})
	g.keepAlive(v.Call.Args)

	// What is used moves out of the window, in the hope that it need not.
	if len(outs) == 1 {
		if refs := v.Referrers(); refs != nil && len(*refs) > 0 {
			g.move(g.def(v), outs[0].reg, int(outs[0].words))
		}
		return
	}
	g.spread(v, outs)
}

// keepAlive keeps the objects whose addresses a call gets as numbers until it
// returns, as gc promises for f(uintptr(unsafe.Pointer(p))): so system calls get
// theirs.
func (g *gen) keepAlive(args []ssa.Value) {
	var uses []ref
	keep := func(v ssa.Value) {
		c, ok := v.(*ssa.Convert)
		if !ok || numOf(c.Type()) != (num{unsigned, 64}) {
			return
		}
		if b, ok := c.X.Type().Underlying().(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			uses = append(uses, ref{g.use(c.X), 1})
		}
	}
	for _, a := range args {
		keep(a)
		if s, ok := a.(*ssa.Slice); ok {
			for _, v := range elements(s) {
				keep(v)
			}
		}
	}
	if len(uses) > 0 {
		g.emit(ins{op: opKeep, x: &extra{uses: uses}})
	}
}

// elements are the values of a variadic argument.
func elements(s *ssa.Slice) (list []ssa.Value) {
	a, ok := s.X.(*ssa.Alloc)
	if !ok || a.Comment != "varargs" {
		return nil
	}
	for _, ref := range *a.Referrers() {
		if ix, ok := ref.(*ssa.IndexAddr); ok {
			for _, use := range *ix.Referrers() {
				if st, ok := use.(*ssa.Store); ok && st.Addr == ssa.Value(ix) {
					list = append(list, st.Val)
				}
			}
		}
	}
	return list
}

// spread gives the components of a tuple registers of their own, where they are
// used. The value's Extract instructions find them in g.tuples.
func (g *gen) spread(v ssa.Value, outs []ref) {
	regs := make([]reg, len(outs))
	for _, ref := range *v.Referrers() {
		if e, ok := ref.(*ssa.Extract); ok && !regs[e.Index].ok() && outs[e.Index].words > 0 {
			o := outs[e.Index]
			d := g.newPtrReg(int(o.words), g.vregs[o.v-1].ptrs)
			g.move(d, o.reg, int(o.words))
			regs[e.Index] = d
		}
	}
	g.tuples[v] = regs
}

// extract makes a component of a tuple a value.
func (g *gen) extract(v *ssa.Extract) {
	regs, ok := g.tuples[v.Tuple]
	if !ok {
		g.c.bug("%s: %s is no tuple", g.fn, v.Tuple.Name())
	}
	g.alias(v, regs[v.Index])
}

// start lowers a call, go or defer of anything but a built-in.
func (g *gen) start(form callForm, call *ssa.CallCommon, outs []ref, stack reg) {
	anchor := g.newPtrReg(0, nil)
	x := &extra{call: g.calls}
	for _, o := range outs {
		if o.words > 0 {
			x.defs = append(x.defs, o)
		}
	}
	g.calls++
	i := ins{a: anchor, x: x, c: stack}
	if stack.ok() {
		i.wc = 1
	}
	off := 0
	switch fn := call.StaticCallee(); {
	case call.IsInvoke():
		g.c.use.call(call.Method)
		i.op, i.b, i.wb = form.iface, g.use(call.Value), 2
		i.imm = int64(g.c.types.methodNumber(call.Value.Type(), call.Method))
		off = 1
	case fn != nil && len(fn.FreeVars) == 0:
		n := g.copyFor(call)
		if n == 0 {
			n = g.c.funcIndex(fn)
		}
		i.op, i.imm = form.static, int64(n)
	default:
		i.op, i.b, i.wb = form.closure, g.use(call.Value), 1
	}
	params := callParams(call)
	for k, arg := range call.Args {
		words := g.words(params[k])
		if words == 0 {
			continue
		}
		r := g.regOf(params[k])
		g.load(r, arg)
		g.tie(anchor, r, off)
		x.uses = append(x.uses, ref{r, int32(words)})
		off += words
	}
	if off > maxFrame {
		g.fail("a call with %d words of arguments", off)
	}
	off = 0
	for _, o := range outs {
		g.tie(anchor, o.reg, off)
		off += int(o.words)
	}
	g.al.calls = append(g.al.calls, window{anchor: anchor.v - 1})
	g.emit(i)
}

// callParams are the types of a call's arguments. Arguments have the types of
// the parameters, except for untyped nils.
func callParams(call *ssa.CallCommon) []types.Type {
	ts := make([]types.Type, len(call.Args))
	for i, a := range call.Args {
		ts[i] = a.Type()
	}
	return ts
}

func (g *gen) goStmt(v *ssa.Go) {
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		g.startBuiltin(bytecode.OpGo, b, v.Call.Args, reg{})
		return
	}
	g.start(callGo, &v.Call, nil, reg{})
}

func (g *gen) deferStmt(v *ssa.Defer) {
	stack := reg{}
	if v.DeferStack != nil {
		stack = g.use(v.DeferStack)
	}
	if b, ok := v.Call.Value.(*ssa.Builtin); ok {
		g.startBuiltin(bytecode.OpDefer, b, v.Call.Args, stack)
		return
	}
	g.start(callDefer, &v.Call, nil, stack)
}

// ret lowers a return. Several results are put side by side first.
func (g *gen) ret(v *ssa.Return) {
	total := 0
	for _, r := range v.Results {
		total += g.words(r.Type())
	}
	var b reg
	var x *extra
	width := total
	if len(v.Results) == 1 {
		b = g.use(v.Results[0])
	} else if total > 0 {
		b, x = g.side(v.Results)
		width = 0
	}
	op := bytecode.OpRetn
	imm := int64(0)
	switch total {
	case 0:
		op = bytecode.OpRet
	case 1:
		op = bytecode.OpRet1
	case 2:
		op = bytecode.OpRet2
	default:
		imm = int64(total)
	}
	g.emit(ins{op: op, b: b, wb: uint16(width), imm: imm, x: g.keep(x)})
}

// side puts values into consecutive words and returns the first one's place.
func (g *gen) side(vals []ssa.Value) (reg, *extra) {
	anchor := g.newPtrReg(0, nil)
	x := &extra{}
	off := 0
	for _, v := range vals {
		words := g.words(v.Type())
		if words == 0 {
			continue
		}
		r := g.regOf(v.Type())
		g.load(r, v)
		g.tie(anchor, r, off)
		x.uses = append(x.uses, ref{r, int32(words)})
		off += words
	}
	return anchor, x
}

// makeClosure lowers the creation of a func value with captured values.
func (g *gen) makeClosure(v *ssa.MakeClosure) {
	fn := v.Fn.(*ssa.Function)
	idx := g.c.funcIndex(fn)
	words := 0
	for _, b := range v.Bindings {
		words += g.words(b.Type())
	}
	anchor, x := g.side(v.Bindings)
	if len(v.Bindings) == 1 && words > 0 {
		g.emit(ins{op: bytecode.OpMkclosure, a: g.def(v), wa: 1, b: x.uses[0].reg, wb: uint16(words), n: uint16(words), imm: int64(idx)})
		return
	}
	g.emit(ins{op: bytecode.OpMkclosure, a: g.def(v), wa: 1, b: anchor, n: uint16(words), imm: int64(idx), x: x})
}
