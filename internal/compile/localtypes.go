package compile

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// noteLocals finds the types that an instance of a generic function declares.
// go/ssa makes new ones for each instance; gc names them with the type arguments
// of the function before their own: T[int;string].
func (c *compiler) noteLocals(fn *ssa.Function) {
	origin := fn.Origin()
	if origin == nil || len(fn.TypeArgs()) == 0 || origin.Syntax() == nil {
		return
	}
	l := &localFinder{from: origin, args: fn.TypeArgs(), found: c.types.implicits, seen: make(map[types.Type]bool)}
	l.function(fn)
}

type localFinder struct {
	from  *ssa.Function
	args  []types.Type
	found map[*types.TypeName][]types.Type
	seen  map[types.Type]bool
}

func (l *localFinder) function(fn *ssa.Function) {
	var buf [8]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, op := range instr.Operands(buf[:0]) {
				if *op != nil {
					l.typ((*op).Type())
				}
			}
			switch v := instr.(type) {
			case *ssa.TypeAssert:
				l.typ(v.AssertedType)
			case ssa.Value:
				l.typ(v.Type())
			}
		}
	}
	for _, anon := range fn.AnonFuncs {
		l.function(anon)
	}
}

func (l *localFinder) typ(typ types.Type) {
	if l.seen[typ] {
		return
	}
	l.seen[typ] = true
	switch t := typ.(type) {
	case *types.Alias:
		l.typ(types.Unalias(t))
	case *types.Named:
		obj := t.Obj()
		syntax := l.from.Syntax()
		if obj.Pkg() != nil && syntax.Pos() <= obj.Pos() && obj.Pos() < syntax.End() && l.found[obj] == nil {
			l.found[obj] = l.args
		}
		for arg := range t.TypeArgs().Types() {
			l.typ(arg)
		}
		if l.found[obj] != nil {
			l.typ(t.Underlying())
		}
	case *types.Pointer:
		l.typ(t.Elem())
	case *types.Slice:
		l.typ(t.Elem())
	case *types.Array:
		l.typ(t.Elem())
	case *types.Chan:
		l.typ(t.Elem())
	case *types.Map:
		l.typ(t.Key())
		l.typ(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			l.typ(f.Type())
		}
	case *types.Tuple:
		for v := range t.Variables() {
			l.typ(v.Type())
		}
	case *types.Signature:
		l.typ(t.Params())
		l.typ(t.Results())
	}
}
