package semantics

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A term is a state: one of closure, seq, alt, par, wrap, ended and halted.
type term interface{}

type (
	// A closure is a process expression of the specification with values for its
	// variables.
	closure struct {
		p   spec.Proc
		env data.Env
	}
	// A seq is first . then.
	seq struct{ first, then term }
	// An alt is left + right.
	alt struct{ left, right term }
	// A par is left || right.
	par struct{ left, right term }
	// A wrap is a block, hide, rename, comm or allow around a term.
	wrap struct {
		op   spec.Proc
		body term
	}
	// ended is a process that has ended.
	ended struct{}
	// halted is a process that has ended and said so.
	halted struct{}
)

func seqOf(first, then term) term {
	if isEnded(first) {
		return then
	}
	return seq{first, then}
}

func parOf(left, right term) term {
	switch {
	case isEnded(left):
		return right
	case isEnded(right):
		return left
	}
	return par{left, right}
}

func wrapOf(op spec.Proc, body term) term {
	if isEnded(body) {
		return body
	}
	return wrap{op, body}
}

func isEnded(t term) bool {
	_, ok := t.(ended)
	return ok
}

// appendKey appends an encoding that tells terms apart.
func (s *System) appendKey(b []byte, t term) []byte {
	switch t := t.(type) {
	case closure:
		b = binary.AppendUvarint(append(b, 'c'), uint64(s.ids[t.p]))
		for _, v := range s.free[t.p] {
			b = s.engine.AppendKey(b, t.env[v])
		}
	case seq:
		b = s.appendKey(s.appendKey(append(b, 's'), t.first), t.then)
	case alt:
		b = s.appendKey(s.appendKey(append(b, '+'), t.left), t.right)
	case par:
		b = s.appendKey(s.appendKey(append(b, 'p'), t.left), t.right)
	case wrap:
		b = binary.AppendUvarint(append(b, 'w'), uint64(s.ids[t.op]))
		b = s.appendKey(b, t.body)
	case ended:
		b = append(b, 'e')
	case halted:
		b = append(b, 'h')
	}
	return b
}
