package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// code evaluates an expression over a frame.
type code func(f []Value) Value

// An operand is a compiled expression: a constant, a place in the frame, or
// code.
type operand struct {
	fn     code // nil for the others
	slot   int  // -1 if it is not a place
	val    Value
	closed bool // has no variables
}

func constantOperand(v Value) operand { return operand{slot: -1, val: v, closed: true} }
func slotOperand(i int) operand       { return operand{slot: i} }
func codeOperand(fn code) operand     { return operand{slot: -1, fn: fn} }

func (o operand) isConst() bool { return o.fn == nil && o.slot < 0 }

func (o operand) code() code {
	switch {
	case o.fn != nil:
		return o.fn
	case o.slot >= 0:
		i := o.slot
		return func(f []Value) Value { return f[i] }
	}
	v := o.val
	return func([]Value) Value { return v }
}

// once makes closed code that is evaluated when it is first needed, wherever that
// is.
func (e *Engine) once(fn code) operand {
	v := unset
	return operand{slot: -1, closed: true, fn: func(f []Value) Value {
		if v == unset {
			open := e.open
			e.open = 0
			w := fn(f)
			v, e.open = w, open
		}
		return v
	}}
}

// compile compiles an expression.
func (e *Engine) compile(x spec.Expr, sc *Scope) operand {
	switch x := x.(type) {
	case *spec.Var:
		i, ok := sc.slots[x]
		if !ok {
			panic(diag.Bugf("%v: variable %s has no place", x.At, x.Name))
		}
		return slotOperand(i)
	case *spec.Number:
		return constantOperand(e.number(x.Value))
	case *spec.Func:
		return e.compileFunc(x)
	case *spec.Apply:
		return e.compileApply(x, sc)
	case *spec.Abs:
		return e.compileAbs(x, sc)
	case *spec.Where:
		return e.compileWhere(x, sc, false)
	}
	panic(diag.Bugf("expression %T", x))
}

// compileFunc compiles a function that is not applied.
func (e *Engine) compileFunc(f *spec.Func) operand {
	if f.Of.Kind != spec.Function {
		switch f.Op {
		case spec.OpTrue:
			return constantOperand(True)
		case spec.OpFalse, spec.OpNil, spec.OpEmptySet, spec.OpEmptyBag:
			return constantOperand(none)
		}
		s := e.symbol(f)
		if len(s.rules) == 0 {
			return constantOperand(e.nullary(s))
		}
		return e.once(func([]Value) Value { return e.invoke(s) })
	}
	if c := e.constants[f]; c != nil {
		return e.once(func([]Value) Value { return e.constantValue(c) })
	}
	return constantOperand(e.makeOf(e.symbol(f), nil))
}

// nullary returns a constant without equations.
func (e *Engine) nullary(s *symbol) Value {
	if s.fn.Con {
		return small(int64(s.fn.Index))
	}
	return e.makeOf(s, nil)
}

func (e *Engine) compileWhere(x *spec.Where, sc *Scope, tail bool) operand {
	values := make([]code, len(x.Values))
	for i, v := range x.Values {
		values[i] = e.compile(v, sc).code()
	}
	first := sc.size
	for _, v := range x.Vars {
		sc.Add(v)
	}
	var body code
	if tail {
		body = e.compileTail(x.Body, sc)
	} else {
		body = e.compile(x.Body, sc).code()
	}
	return codeOperand(func(f []Value) Value {
		for i, v := range values {
			f[first+i] = v(f)
		}
		return body(f)
	})
}

func (e *Engine) compileApply(x *spec.Apply, sc *Scope) operand {
	f, ok := x.Head.(*spec.Func)
	if !ok || e.constants[f] != nil {
		return e.compileUnknown(x, sc)
	}
	args := make([]operand, len(x.Args))
	closed, constant := true, true
	for i, a := range x.Args {
		args[i] = e.compile(a, sc)
		closed = closed && args[i].closed
		constant = constant && args[i].isConst()
	}
	s := e.symbol(f)
	if f.Op == spec.OpCast && wider(f.Of.Result, f.Of.Args[0]) || f.Op == spec.OpToSet || f.Op == spec.OpToBag {
		return args[0]
	}
	o := e.compileCall(s, args)
	if closed && o.fn != nil {
		if constant && len(s.rules) == 0 && (s.native != nil || f.Con) {
			v := unset
			if e.protect(func() { v = o.fn(nil) }) == nil {
				return constantOperand(v)
			}
		}
		return e.once(o.fn)
	}
	return o
}

// compileUnknown compiles the application of something other than a function
// symbol.
func (e *Engine) compileUnknown(x *spec.Apply, sc *Scope) operand {
	head := e.compile(x.Head, sc)
	closed := head.closed
	args := make([]code, len(x.Args))
	for i, a := range x.Args {
		o := e.compile(a, sc)
		args[i], closed = o.code(), closed && o.closed
	}
	h := head.code()
	fn := func(f []Value) Value {
		fv := h(f)
		fr := e.frame(len(args))
		for i, a := range args {
			fr[i] = a(f)
		}
		v := e.apply(fv, fr)
		e.top -= len(args)
		return v
	}
	if closed {
		return e.once(fn)
	}
	return codeOperand(fn)
}

// compileTail compiles an expression whose value is that of an equation: a call
// is left to who evaluates the equation, so that recursion at the end of
// functions needs no stack.
func (e *Engine) compileTail(x spec.Expr, sc *Scope) code {
	switch x := x.(type) {
	case *spec.Where:
		return e.compileWhere(x, sc, true).code()
	case *spec.Apply:
		f, ok := x.Head.(*spec.Func)
		if !ok || e.constants[f] != nil {
			break
		}
		s := e.symbol(f)
		switch {
		case f.Op == spec.OpIf:
			return e.ifCode(s, e.compile(x.Args[0], sc).code(), e.compileTail(x.Args[1], sc), e.compileTail(x.Args[2], sc), true)
		case f.Op == spec.User && !f.Con:
			args := make([]code, len(x.Args))
			closed := true
			for i, a := range x.Args {
				o := e.compile(a, sc)
				args[i], closed = o.code(), closed && o.closed
			}
			if closed {
				break
			}
			return func(f []Value) Value {
				if !s.ready {
					e.prepare(s)
				}
				fr := e.frame(s.size)
				for i, a := range args {
					fr[i] = a(f)
				}
				e.tailSymbol, e.tailFrame = s, fr
				return tailCall
			}
		}
	}
	return e.compile(x, sc).code()
}

// ifCode is if. Both sides are evaluated only if the condition has no value.
func (e *Engine) ifCode(s *symbol, c, yes, no code, tail bool) code {
	return func(f []Value) Value {
		v := c(f)
		switch v {
		case True:
			return yes(f)
		case False:
			return no(f)
		}
		e.open++
		x := yes(f)
		if tail {
			x = e.settle(x)
		}
		y := no(f)
		if tail {
			y = e.settle(y)
		}
		e.open--
		return e.call3(s, v, x, y)
	}
}

// settle makes the call that tail code wanted.
func (e *Engine) settle(v Value) Value {
	if v != tailCall {
		return v
	}
	s, fr := e.tailSymbol, e.tailFrame
	v = e.call(s, fr)
	e.top -= s.size
	return v
}

// compileCall compiles the application of a symbol.
func (e *Engine) compileCall(s *symbol, args []operand) operand {
	if fast := e.fast(s, args); fast != nil {
		return codeOperand(fast)
	}
	switch len(args) {
	case 1:
		a := args[0].code()
		return codeOperand(func(f []Value) Value {
			if !s.ready {
				e.prepare(s)
			}
			fr := e.frame(s.size)
			fr[0] = a(f)
			v := e.call(s, fr)
			e.top -= s.size
			return v
		})
	case 2:
		a, b := args[0].code(), args[1].code()
		return codeOperand(func(f []Value) Value {
			if !s.ready {
				e.prepare(s)
			}
			fr := e.frame(s.size)
			fr[0] = a(f)
			fr[1] = b(f)
			v := e.call(s, fr)
			e.top -= s.size
			return v
		})
	}
	codes := make([]code, len(args))
	for i := range args {
		codes[i] = args[i].code()
	}
	return codeOperand(func(f []Value) Value {
		if !s.ready {
			e.prepare(s)
		}
		fr := e.frame(s.size)
		for i, a := range codes {
			fr[i] = a(f)
		}
		v := e.call(s, fr)
		e.top -= s.size
		return v
	})
}
