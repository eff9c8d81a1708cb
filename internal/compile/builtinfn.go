package compile

import (
	"fmt"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// startBuiltin lowers go and defer of a built-in function: it becomes a call of
// a function made for this purpose.
func (g *gen) startBuiltin(op bytecode.Op, b *ssa.Builtin, args []ssa.Value, stack reg) {
	idx := g.c.builtinFunc(b, args)
	anchor := g.newPtrReg(0, nil)
	x := &extra{call: g.calls}
	g.calls++
	off := 0
	for _, a := range args {
		words := g.words(a.Type())
		if words == 0 {
			continue
		}
		r := g.regOf(a.Type())
		g.load(r, a)
		g.tie(anchor, r, off)
		x.uses = append(x.uses, ref{r, int32(words)})
		off += words
	}
	i := ins{op: op, a: anchor, c: stack, imm: int64(idx), x: x}
	if stack.ok() {
		i.wc = 1
	}
	g.al.calls = append(g.al.calls, window{anchor: anchor.v - 1})
	g.emit(i)
}

// A builtinParam stands for a parameter of the function made for a built-in.
type builtinParam struct{ typ types.Type }

func (p *builtinParam) Name() string                  { return "_" }
func (p *builtinParam) String() string                { return "parameter" }
func (p *builtinParam) Type() types.Type              { return p.typ }
func (p *builtinParam) Parent() *ssa.Function         { return nil }
func (p *builtinParam) Referrers() *[]ssa.Instruction { return nil }
func (p *builtinParam) Pos() token.Pos                { return token.NoPos }

// builtinFunc is the number of the function that calls a built-in with
// arguments of the given types.
func (c *compiler) builtinFunc(b *ssa.Builtin, args []ssa.Value) int {
	var key strings.Builder
	key.WriteString(b.Name())
	params := make([]types.Type, len(args))
	for i, a := range args {
		params[i] = a.Type()
		fmt.Fprintf(&key, " %d", c.types.index(a.Type()))
	}
	if i, ok := c.builtins[key.String()]; ok {
		return i
	}
	i := c.newFunc(job{builtin: b, params: params})
	c.builtins[key.String()] = i
	return i
}

// builtinBody compiles the function made for a built-in.
func (g *gen) builtinBody(b *ssa.Builtin, params []types.Type) {
	out := g.out
	out.Name = "runtime." + b.Name()
	out.Pkg = "runtime"
	out.Wrapper = true
	g.entry = g.newBlock(0)
	g.blocks = append(g.blocks, g.entry)
	g.cur = g.entry
	args := make([]ssa.Value, len(params))
	for i, typ := range params {
		args[i] = &builtinParam{typ}
		out.ParamT = append(out.ParamT, g.c.types.index(typ))
		g.param(args[i])
	}
	g.finishParams()
	switch b.Name() {
	case "len", "cap", "real", "imag", "complex", "min", "max", "append", "Add", "Slice", "String", "SliceData", "StringData":
		// Their value is dropped, and they have no effect.
	default:
		g.builtin(nil, b, args)
	}
	if b.Name() != "panic" {
		g.emit(ins{op: bytecode.OpRet})
	}
}
