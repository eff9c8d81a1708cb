package data

import "github.com/heddle-mc/heddle/internal/mcrl2/spec"

// A Value is a value of some sort, which is known from where the value stands.
// Even numbers hold the value itself, odd ones are terms of the engine's store.
//
//	Bool             0, 1
//	numbers          the integer, if it has 63 bits
//	named sorts      the index of a constructor without arguments
//	lists, sets …    0 is the empty one
type Value uint64

// The booleans.
const (
	False Value = 0
	True  Value = 2
)

const (
	none     Value = 0              // the empty list, set or bag
	tailCall Value = ^Value(0)      // what code returns that wants a call to be made in its place; see call
	unset    Value = ^Value(0) &^ 2 // no value yet
	maxSmall       = int64(1)<<62 - 1
	minSmall       = -int64(1) << 62
)

func small(n int64) Value { return Value(n << 1) }

func truth(b bool) Value {
	if b {
		return True
	}
	return False
}

func (v Value) isTerm() bool { return v&1 != 0 }

func (v Value) small() int64 { return int64(v) >> 1 }

// isBool reports whether a value of sort Bool is true or false.
func (v Value) isBool() bool { return v&^2 == 0 }

// A term is an applied symbol. Its arguments are args[off:off+n] of the store.
type term struct {
	sym  uint32
	n    uint32 // with groundBit
	off  uint32
	hash uint32
}

// groundBit marks terms that are made of constructors alone. Two of them are
// equal if and only if they are the same.
const groundBit = 1 << 31

func (t *term) len() int { return int(t.n &^ groundBit) }

// A store holds terms, each once. It has no pointers, so that the garbage
// collector has nothing to do with it.
type store struct {
	terms []term
	args  []Value
	table []uint32 // open addressing: number of the term plus one
}

func newStore() store { return store{table: make([]uint32, 1<<10)} }

func hashTerm(sym uint32, args []Value) uint32 {
	h := uint64(sym)*0x9e3779b97f4a7c15 + 1
	for _, a := range args {
		h = (h ^ uint64(a)) * 0xd6e8feb86659fd93
		h ^= h >> 32
	}
	return uint32(h ^ h>>29)
}

// find returns the term with a symbol and arguments, which it makes if it is new.
func (s *store) find(sym uint32, args []Value, ground bool) Value {
	h := hashTerm(sym, args)
	mask := uint32(len(s.table) - 1)
	i := h & mask
	for ; s.table[i] != 0; i = (i + 1) & mask {
		n := s.table[i] - 1
		t := &s.terms[n]
		if t.hash == h && t.sym == sym && equalValues(s.args[t.off:int(t.off)+t.len()], args) {
			return Value(n)<<1 | 1
		}
	}
	n := uint32(len(s.terms))
	t := term{sym: sym, n: uint32(len(args)), off: uint32(len(s.args)), hash: h}
	if ground {
		t.n |= groundBit
	}
	s.args = append(s.args, args...)
	s.terms = append(s.terms, t)
	s.table[i] = n + 1
	if len(s.terms)*4 > len(s.table)*3 {
		s.grow()
	}
	return Value(n)<<1 | 1
}

func (s *store) grow() {
	s.table = make([]uint32, len(s.table)*2)
	mask := uint32(len(s.table) - 1)
	for n := range s.terms {
		i := s.terms[n].hash & mask
		for s.table[i] != 0 {
			i = (i + 1) & mask
		}
		s.table[i] = uint32(n) + 1
	}
}

func equalValues(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// parts returns the arguments of a term. They stay as they are for ever.
func (s *store) parts(v Value) []Value {
	t := &s.terms[v>>1]
	n := int(t.off) + t.len()
	return s.args[t.off:n:n]
}

// is reports whether a value is a term with a symbol.
func (s *store) is(v Value, sym *symbol) bool {
	return v.isTerm() && s.terms[v>>1].sym == sym.id
}

// ground reports whether a value is made of constructors alone.
func (s *store) ground(v Value) bool { return !v.isTerm() || s.terms[v>>1].n&groundBit != 0 }

// make makes a term.
func (e *Engine) make(s *symbol, args ...Value) Value { return e.makeOf(s, args) }

func (e *Engine) makeOf(s *symbol, args []Value) Value {
	ground := s.ground
	if ground && !s.raw {
		for _, a := range args {
			if !e.ground(a) {
				ground = false
				break
			}
		}
	}
	return e.find(s.id, args, ground)
}

// Default returns some value of a sort, the same each time: what a global
// variable stands for. A sort that has no terms has a variable of its own.
func (e *Engine) Default(s *spec.Sort) Value {
	if x := e.data.Witness(s); x != nil {
		if v, err := e.Eval(x, nil); err == nil {
			return v
		}
	}
	return e.anything(s)
}
