package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// fast returns code for the functions that conditions are made of, or nil. It
// deals with values that are no terms and leaves the rest to the native
// functions.
func (e *Engine) fast(s *symbol, args []operand) code {
	f := s.fn
	switch f.Op {
	case spec.OpIf:
		return e.ifCode(s, args[0].code(), args[1].code(), args[2].code(), false)
	case spec.OpNot:
		if s.result.Kind == spec.Bool {
			a := args[0].code()
			return func(f []Value) Value {
				if v := a(f); v.isBool() {
					return v ^ True
				} else {
					return e.call1(s, v)
				}
			}
		}
	case spec.OpAnd, spec.OpOr, spec.OpImplies:
		return e.connective(s, args[0].code(), args[1].code())
	case spec.OpEq, spec.OpNe:
		if e.info(s.args[0]).plain {
			return e.equality(s, args)
		}
	case spec.OpLess, spec.OpLessEq, spec.OpGreater, spec.OpGreaterEq:
		if s.args[0].Numeric() {
			return e.comparison(s, args)
		}
	case spec.OpAdd, spec.OpSub, spec.OpSucc, spec.OpPred:
		return e.sum(s, args)
	case spec.OpCons:
		if len(s.rules) == 0 {
			a, b := args[0].code(), args[1].code()
			k := e.kinds[cons]
			return func(f []Value) Value {
				fr := e.frame(2)
				fr[0] = a(f)
				fr[1] = b(f)
				v := e.makeOf(k, fr)
				e.top -= 2
				return v
			}
		}
	case spec.OpProj:
		a, own, i := args[0].code(), e.symbol(f.Owner), f.Index
		return func(f []Value) Value {
			v := a(f)
			if e.is(v, own) {
				return e.args[int(e.terms[v>>1].off)+i]
			}
			return e.call1(s, v)
		}
	case spec.OpIs:
		a, index, own := args[0].code(), small(int64(f.Owner.Index)), e.symbol(f.Owner)
		if len(own.args) > 0 {
			break
		}
		return func(f []Value) Value {
			v := a(f)
			if !v.isTerm() {
				return truth(v == index)
			}
			return e.call1(s, v)
		}
	}
	return nil
}

// connective is && and || and =>: the right side is evaluated only if the left
// does not decide.
func (e *Engine) connective(s *symbol, a, b code) code {
	decides, then := False, False
	switch s.fn.Op {
	case spec.OpOr:
		decides, then = True, True
	case spec.OpImplies:
		decides, then = False, True
	}
	return func(f []Value) Value {
		v := a(f)
		if v == decides {
			return then
		}
		w := b(f)
		if v.isBool() {
			return w
		}
		return e.call2(s, v, w)
	}
}

func (e *Engine) equality(s *symbol, args []operand) code {
	yes, no := True, False
	if s.fn.Op == spec.OpNe {
		yes, no = False, True
	}
	if args[0].slot >= 0 && args[1].isConst() && e.ground(args[1].val) {
		i, c := args[0].slot, args[1].val
		return func(f []Value) Value {
			v := f[i]
			if v == c {
				return yes
			}
			if e.ground(v) {
				return no
			}
			return e.call2(s, v, c)
		}
	}
	a, b := args[0].code(), args[1].code()
	return func(f []Value) Value {
		v, w := a(f), b(f)
		if v == w {
			return yes
		}
		if e.ground(v) && e.ground(w) {
			return no
		}
		return e.call2(s, v, w)
	}
}

func (e *Engine) comparison(s *symbol, args []operand) code {
	a, b := args[0].code(), args[1].code()
	switch s.fn.Op {
	case spec.OpLess, spec.OpGreater:
		if s.fn.Op == spec.OpGreater {
			return func(f []Value) Value {
				v, w := a(f), b(f)
				if (v|w)&1 == 0 {
					return truth(int64(v) > int64(w))
				}
				return e.call2(s, v, w)
			}
		}
		return func(f []Value) Value {
			v, w := a(f), b(f)
			if (v|w)&1 == 0 {
				return truth(int64(v) < int64(w))
			}
			return e.call2(s, v, w)
		}
	case spec.OpLessEq:
		return func(f []Value) Value {
			v, w := a(f), b(f)
			if (v|w)&1 == 0 {
				return truth(int64(v) <= int64(w))
			}
			return e.call2(s, v, w)
		}
	}
	return func(f []Value) Value {
		v, w := a(f), b(f)
		if (v|w)&1 == 0 {
			return truth(int64(v) >= int64(w))
		}
		return e.call2(s, v, w)
	}
}

func (e *Engine) sum(s *symbol, args []operand) code {
	a := args[0].code()
	b := constantOperand(small(1)).code()
	if len(args) == 2 {
		b = args[1].code()
	}
	slow := func(v, w Value) Value {
		if len(args) == 2 {
			return e.call2(s, v, w)
		}
		return e.call1(s, v)
	}
	if s.fn.Op == spec.OpSub || s.fn.Op == spec.OpPred {
		return func(f []Value) Value {
			v, w := a(f), b(f)
			if (v|w)&1 == 0 {
				d := int64(v) - int64(w)
				if (int64(v)^int64(w))&(int64(v)^d) >= 0 {
					return Value(d)
				}
			}
			return slow(v, w)
		}
	}
	return func(f []Value) Value {
		v, w := a(f), b(f)
		if (v|w)&1 == 0 {
			d := int64(v) + int64(w)
			if (int64(v)^d)&(int64(w)^d) >= 0 {
				return Value(d)
			}
		}
		return slow(v, w)
	}
}
