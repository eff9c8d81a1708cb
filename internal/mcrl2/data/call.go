package data

import (
	"github.com/heddle-mc/heddle/internal/diag"
)

// call evaluates a symbol applied to the first values of a frame, which are in
// normal form. The frame has the size that the symbol needs.
func (e *Engine) call(s *symbol, f []Value) Value {
	if s.native != nil {
		if v, ok := s.native(e, s, f[:len(s.args)]); ok {
			return v
		}
	}
	if len(s.rules) == 0 {
		return e.makeOf(s, f[:len(s.args)])
	}
	top := e.top
	if e.depth++; e.depth > e.options.Depth {
		fail(diag.RunUnsupportedf(s.fn.At, "calls of %s are nested more than %d deep", s.name, e.options.Depth))
	}
	for {
		v := e.rewrite(s, f)
		if v != tailCall {
			e.top = top
			e.depth--
			return v
		}
		// The arguments lie above; they move down to where frames of this call
		// begin.
		next := e.tailSymbol
		given := e.tailFrame[:len(next.args)]
		e.top = top
		f = e.frame(next.size)
		copy(f, given)
		s = next
		if len(s.rules) == 0 {
			e.top = top
			e.depth--
			return e.makeOf(s, f[:len(s.args)])
		}
	}
}

// maxOpen bounds the conditionals that are evaluated on both sides because their
// condition has no value. A recursive function whose end is never decided would
// be unfolded for ever otherwise: inside of so many, calls stay as they are.
const maxOpen = 2

// rewrite applies the first equation that fits, or returns the term as it is.
func (e *Engine) rewrite(s *symbol, f []Value) Value {
	if e.steps--; e.steps < 0 {
		e.steps = 0
		fail(diag.RunUnsupportedf(s.fn.At, "rewriting of %s does not end within %d steps", s.name, e.options.Steps))
	}
	if e.open > maxOpen {
		return e.makeOf(s, f[:len(s.args)])
	}
	for _, r := range e.candidates(s, f) {
		if !e.match(r, f) {
			continue
		}
		if r.cond != nil && r.cond(f) != True {
			continue
		}
		return r.right(f)
	}
	return e.makeOf(s, f[:len(s.args)])
}

// invoke calls a symbol without arguments.
func (e *Engine) invoke(s *symbol) Value {
	if !s.ready {
		e.prepare(s)
	}
	f := e.frame(s.size)
	v := e.call(s, f)
	e.top -= s.size
	return v
}

func (e *Engine) call1(s *symbol, a Value) Value {
	if !s.ready {
		e.prepare(s)
	}
	f := e.frame(s.size)
	f[0] = a
	v := e.call(s, f)
	e.top -= s.size
	return v
}

func (e *Engine) call2(s *symbol, a, b Value) Value {
	if !s.ready {
		e.prepare(s)
	}
	f := e.frame(s.size)
	f[0], f[1] = a, b
	v := e.call(s, f)
	e.top -= s.size
	return v
}

func (e *Engine) call3(s *symbol, a, b, c Value) Value {
	if !s.ready {
		e.prepare(s)
	}
	f := e.frame(s.size)
	f[0], f[1], f[2] = a, b, c
	v := e.call(s, f)
	e.top -= s.size
	return v
}
