package compile

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An initFunc is the initialiser of a package. Most of what initialisers do is
// to fill tables, of which a program uses few: package unicode's alone has
// 60,000 instructions. So an initialiser is compiled without the instructions
// whose only effect is to initialise variables that no reachable code mentions.
// What a call has made stays in its variable if the program can ask for a collection:
// it may have a finalizer, as os.Stdin has, which must not be called.
// Since its own code may mention further variables, and functions that do, it is
// compiled again as long as it grows.
type initFunc struct {
	c      *compiler
	fn     *ssa.Function
	number int
	vars   []initVar
	needed map[ssa.Instruction]bool
	grown  bool // since it was compiled last
}

// An initVar is a variable and the stores that initialise it and its parts.
type initVar struct {
	global *ssa.Global
	stores []ssa.Instruction
	called bool // a call has made what is stored
	used   bool
}

// addInit registers an initialiser when it is reached.
func (c *compiler) addInit(number int, fn *ssa.Function) {
	f := &initFunc{c: c, fn: fn, number: number, needed: make(map[ssa.Instruction]bool), grown: true}
	c.inits = append(c.inits, f)
	c.jobs[number].needed = f.needed
	c.jobs[number].literals = c.literalsOf(fn)
	vars := make(map[*ssa.Global]int)
	for _, b := range fn.Blocks {
		for i, instr := range b.Instrs {
			switch root := c.initRoot(instr).(type) {
			case nil:
				if i == len(b.Instrs)-1 || initEffect(instr) {
					f.mark(instr)
				}
			case *ssa.Global:
				if isGuard(root) {
					continue
				}
				k, ok := vars[root]
				if !ok {
					k = len(f.vars)
					vars[root] = k
					f.vars = append(f.vars, initVar{global: root})
				}
				f.vars[k].stores = append(f.vars[k].stores, instr)
				if st, ok := instr.(*ssa.Store); ok && madeByCall(st.Val) {
					f.vars[k].called = true
				}
			}
		}
	}
}

// growInits marks the instructions that variables need which came into use, and
// compiles the initialisers that have grown. It reports whether there were any.
func (c *compiler) growInits() bool {
	collects := c.collects()
	if collects && !c.collected {
		c.collected = true
		for _, f := range c.inits {
			f.grown = true // more literals make a difference: see literals.told
		}
	}
	// What an initialiser needs may make another one grow.
	for again := true; again; {
		again = false
		for _, f := range c.inits {
			for i := range f.vars {
				v := &f.vars[i]
				if v.used || !c.usesGlobal(v.global) && !(collects && v.called) {
					continue
				}
				v.used, f.grown, again = true, true, true
				for _, st := range v.stores {
					f.mark(st)
				}
			}
		}
	}
	any := false
	for _, f := range c.inits {
		if f.grown {
			f.grown = false
			any = true
			c.compile(f.number)
		}
	}
	return any
}

// collects says whether the code that is reached up to now can ask for a collection.
func (c *compiler) collects() bool {
	for fn := range c.funcs {
		switch fn.Name() {
		case "GC", "freeOSMemory":
			if p := fn.Package(); p != nil && (p.Pkg.Path() == "runtime" || p.Pkg.Path() == "runtime/debug") {
				return true
			}
		}
	}
	return false
}

// madeByCall says whether a value is what a call has returned.
func madeByCall(v ssa.Value) bool {
	for {
		switch x := v.(type) {
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		case *ssa.ChangeType:
			v = x.X
		case *ssa.Extract:
			v = x.Tuple
		case *ssa.Call:
			return true
		default:
			return false
		}
	}
}

// pruned says whether an instruction of an initialiser is not needed.
func (g *gen) pruned(instr ssa.Instruction) bool {
	if g.needed == nil {
		return false
	}
	// A part of an object is needed if the object is.
	switch v := instr.(type) {
	case *ssa.Store:
		if a, ok := constRoot(v.Addr).(*ssa.Alloc); ok {
			return !g.needed[a]
		}
	case *ssa.FieldAddr:
		if a, ok := constRoot(v).(*ssa.Alloc); ok {
			return !g.needed[a]
		}
	case *ssa.IndexAddr:
		if a, ok := constRoot(v).(*ssa.Alloc); ok {
			return !g.needed[a]
		}
	}
	return !g.needed[instr]
}

// usesGlobal says whether code that was or will be compiled mentions a variable.
func (c *compiler) usesGlobal(v *ssa.Global) bool {
	v = c.linked(v)
	_, ok := c.globals[v]
	return ok || c.mentioned[v]
}

// linked is the variable that shares its memory with v to the linker.
func (c *compiler) linked(v *ssa.Global) *ssa.Global {
	if c.lp.Links != nil {
		if other := c.lp.Links.Var(v); other != nil {
			return other
		}
	}
	return v
}

// mark notes that an instruction is needed, with those that compute its operands
// and, if it makes an object, those that fill it.
func (f *initFunc) mark(instr ssa.Instruction) {
	stack := []ssa.Instruction{instr}
	var buf [8]*ssa.Value
	for len(stack) > 0 {
		instr := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if f.needed[instr] {
			continue
		}
		f.needed[instr] = true
		for _, op := range instr.Operands(buf[:0]) {
			switch x := (*op).(type) {
			case ssa.Instruction:
				stack = append(stack, x)
			case *ssa.Global:
				f.c.mentioned[f.c.linked(x)] = true
			}
		}
		switch v := instr.(type) {
		case *ssa.Alloc:
			stack = fillers(v, stack)
		case *ssa.MakeMap:
			stack = fillers(v, stack)
		case *ssa.MakeSlice:
			stack = fillers(v, stack)
		}
	}
}

// fillers appends the instructions that store to an object or its parts.
func fillers(v ssa.Value, list []ssa.Instruction) []ssa.Instruction {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != v {
				continue
			}
			if _, ok := constRoot(v).(*ssa.Alloc); !ok {
				list = append(list, ref)
			} else if x, ok := ref.Val.(ssa.Instruction); ok {
				list = append(list, x) // pruned knows of the store itself
			}
		case *ssa.MapUpdate:
			if ref.Map == v {
				list = append(list, ref)
			}
		case *ssa.FieldAddr:
			list = fillers(ref, list)
		case *ssa.IndexAddr:
			if ref.X == v {
				list = fillers(ref, list)
			}
		case *ssa.Slice:
			list = fillers(ref, list)
		}
	}
	return list
}

// initRoot is the variable or the object that an instruction initialises a part
// of and has no other effect than that; nil if there is none.
func (c *compiler) initRoot(instr ssa.Instruction) ssa.Value {
	var addr ssa.Value
	switch v := instr.(type) {
	case *ssa.Store:
		addr = v.Addr
	case *ssa.MapUpdate:
		if types.IsInterface(v.Map.Type().Underlying().(*types.Map).Key()) {
			return nil // the key may have no hash
		}
		addr = v.Map
	}
	for {
		switch x := addr.(type) {
		case *ssa.FieldAddr:
			addr = x.X
		case *ssa.IndexAddr:
			if _, ok := x.Index.(*ssa.Const); !ok {
				return nil
			}
			addr = x.X
		case *ssa.Slice:
			addr = x.X
		case *ssa.Global, *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
			return x
		default:
			return nil
		}
	}
}

// initEffect says whether an instruction of an initialiser matters even if
// nobody uses its value: it changes something, or may panic.
func initEffect(instr ssa.Instruction) bool {
	isConst := func(v ssa.Value) bool {
		_, ok := v.(*ssa.Const)
		return v == nil || ok
	}
	switch v := instr.(type) {
	case *ssa.Alloc, *ssa.FieldAddr, *ssa.Field, *ssa.MakeClosure, *ssa.MakeInterface, *ssa.ChangeType,
		*ssa.ChangeInterface, *ssa.Convert, *ssa.Phi, *ssa.Extract, *ssa.DebugRef, *ssa.Lookup:
		return false
	case *ssa.MakeMap:
		return !isConst(v.Reserve)
	case *ssa.MakeChan:
		return !isConst(v.Size)
	case *ssa.MakeSlice:
		return !isConst(v.Len) || !isConst(v.Cap)
	case *ssa.IndexAddr:
		return !isConst(v.Index)
	case *ssa.Slice:
		_, ok := v.X.(*ssa.Alloc)
		return !ok || !isConst(v.Low) || !isConst(v.High) || !isConst(v.Max)
	case *ssa.BinOp:
		switch v.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return !isConst(v.Y)
		case token.EQL, token.NEQ:
			return types.IsInterface(v.X.Type())
		}
		return false
	case *ssa.UnOp:
		switch v.Op {
		case token.ARROW:
			return true
		case token.MUL:
			switch addrRoot(v.X).(type) {
			case *ssa.Global, *ssa.Alloc:
				return false
			}
			return true
		}
		return false
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		return !ok || b.Name() != "len" && b.Name() != "cap"
	}
	return true
}

// addrRoot is what an address is computed from.
func addrRoot(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		default:
			return v
		}
	}
}
