package data

import (
	"math/big"
	"math/bits"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Numbers of all sorts are alike: an integer that fits is the value itself, a
// larger one is a term of words, a fraction a term of two integers. So to go
// from a sort to a wider one is to do nothing.

// isNumber reports whether a value of a numeric sort is a number.
func (e *Engine) isNumber(v Value) bool {
	if !v.isTerm() {
		return true
	}
	k := e.symbolOf(v).kind
	return k == bigInt || k == rational
}

func (e *Engine) isInteger(v Value) bool { return !v.isTerm() || e.is(v, e.kinds[bigInt]) }

// integer returns the value of an integer.
func (e *Engine) integer(n *big.Int) Value {
	if n.IsInt64() {
		if i := n.Int64(); minSmall <= i && i <= maxSmall {
			return small(i)
		}
	}
	words := []Value{Value(n.Sign() + 1)}
	for _, w := range n.Bits() {
		words = append(words, Value(w))
	}
	return e.makeOf(e.kinds[bigInt], words)
}

// number returns the value of a number.
func (e *Engine) number(r *big.Rat) Value {
	if r.IsInt() {
		return e.integer(r.Num())
	}
	return e.make(e.kinds[rational], e.integer(r.Num()), e.integer(r.Denom()))
}

// bigOf returns an integer.
func (e *Engine) bigOf(v Value) *big.Int {
	if !v.isTerm() {
		return big.NewInt(v.small())
	}
	p := e.parts(v)
	words := make([]big.Word, len(p)-1)
	for i, w := range p[1:] {
		words[i] = big.Word(w)
	}
	n := new(big.Int).SetBits(words)
	if p[0] == 0 {
		n.Neg(n)
	}
	return n
}

// ratOf returns a number.
func (e *Engine) ratOf(v Value) *big.Rat {
	if e.isInteger(v) {
		return new(big.Rat).SetInt(e.bigOf(v))
	}
	p := e.parts(v)
	return new(big.Rat).SetFrac(e.bigOf(p[0]), e.bigOf(p[1]))
}

func (e *Engine) compareNumbers(v, w Value) int {
	if (v|w)&1 == 0 {
		switch {
		case int64(v) < int64(w):
			return -1
		case v == w:
			return 0
		}
		return 1
	}
	return e.ratOf(v).Cmp(e.ratOf(w))
}

// sign returns -1, 0 or 1.
func (e *Engine) sign(v Value) int {
	if !v.isTerm() {
		return e.compareNumbers(v, 0)
	}
	if e.isInteger(v) {
		return int(e.parts(v)[0]) - 1
	}
	return e.sign(e.parts(v)[0])
}

// isIn reports whether a number belongs to a sort.
func (e *Engine) isIn(v Value, k spec.SortKind) bool {
	if !e.isNumber(v) {
		return false
	}
	switch k {
	case spec.Pos:
		return e.isInteger(v) && e.sign(v) > 0
	case spec.Nat:
		return e.isInteger(v) && e.sign(v) >= 0
	case spec.Int:
		return e.isInteger(v)
	}
	return true
}

// wider reports whether each number of sort s is one of sort t.
func wider(t, s *spec.Sort) bool { return t.Kind >= s.Kind }

func nativeCast(e *Engine, s *symbol, a []Value) (Value, bool) {
	return a[0], wider(s.result, s.args[0]) || e.isIn(a[0], s.result.Kind)
}

// arithmetic makes a native of a function of rational numbers. It returns nil
// where the function has no value.
func arithmetic(f func(x, y *big.Rat) *big.Rat) native {
	return func(e *Engine, s *symbol, a []Value) (Value, bool) {
		var args [2]*big.Rat
		for i, v := range a {
			if !e.isNumber(v) {
				return 0, false
			}
			args[i] = e.ratOf(v)
		}
		r := f(args[0], args[1])
		if r == nil {
			return 0, false
		}
		v := e.number(r)
		return v, e.isIn(v, s.result.Kind)
	}
}

func integers(f func(x, y *big.Int) *big.Int) native {
	return arithmetic(func(x, y *big.Rat) *big.Rat {
		if !x.IsInt() || !y.IsInt() {
			return nil
		}
		r := f(x.Num(), y.Num())
		if r == nil {
			return nil
		}
		return new(big.Rat).SetInt(r)
	})
}

var one = big.NewRat(1, 1)

func floor(r *big.Rat) *big.Rat {
	// Denominators are positive, so this rounds down.
	return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom()))
}

var (
	slowAdd  = arithmetic(func(x, y *big.Rat) *big.Rat { return new(big.Rat).Add(x, y) })
	slowSub  = arithmetic(func(x, y *big.Rat) *big.Rat { return new(big.Rat).Sub(x, y) })
	slowMul  = arithmetic(func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) })
	slowNeg  = arithmetic(func(x, _ *big.Rat) *big.Rat { return new(big.Rat).Neg(x) })
	slowSucc = arithmetic(func(x, _ *big.Rat) *big.Rat { return new(big.Rat).Add(x, one) })
	slowPred = arithmetic(func(x, _ *big.Rat) *big.Rat { return new(big.Rat).Sub(x, one) })
	slowAbs  = arithmetic(func(x, _ *big.Rat) *big.Rat { return new(big.Rat).Abs(x) })

	nativeDivide = arithmetic(func(x, y *big.Rat) *big.Rat {
		if y.Sign() == 0 {
			return nil
		}
		return new(big.Rat).Quo(x, y)
	})
	// Divisors are positive, so that rounding down and Euclid's division agree.
	slowDiv = integers(func(x, y *big.Int) *big.Int {
		if y.Sign() <= 0 {
			return nil
		}
		return new(big.Int).Div(x, y)
	})
	slowMod = integers(func(x, y *big.Int) *big.Int {
		if y.Sign() <= 0 {
			return nil
		}
		return new(big.Int).Mod(x, y)
	})
	nativeFloor = arithmetic(func(x, _ *big.Rat) *big.Rat { return floor(x) })
	nativeCeil  = arithmetic(func(x, _ *big.Rat) *big.Rat {
		r := floor(new(big.Rat).Neg(x))
		return r.Neg(r)
	})
	nativeRound = arithmetic(func(x, _ *big.Rat) *big.Rat { return floor(new(big.Rat).Add(x, big.NewRat(1, 2))) })
	nativeExp   = arithmetic(exponent)
)

// maxPower bounds the bits of a power: beyond, there is no memory for it.
const maxPower = 1 << 27

func exponent(x, y *big.Rat) *big.Rat {
	if !y.IsInt() {
		return nil
	}
	n := new(big.Int).Abs(y.Num())
	if x.Sign() == 0 && y.Sign() < 0 {
		return nil
	}
	width := int64(max(x.Num().BitLen(), x.Denom().BitLen()))
	if width > 1 && (!n.IsInt64() || n.Int64() > maxPower/width) {
		return nil
	}
	if width <= 1 { // 0, 1 and -1
		n.And(n, big.NewInt(1))
		if y.Sign() != 0 && x.Sign() == 0 {
			return new(big.Rat)
		}
	}
	num, den := new(big.Int).Exp(x.Num(), n, nil), new(big.Int).Exp(x.Denom(), n, nil)
	if y.Sign() < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den)
}

func nativeAdd(e *Engine, s *symbol, a []Value) (Value, bool) {
	switch { // only of terms, or of large numbers
	case a[0] == 0 && len(s.rules) == 0:
		return a[1], true
	case a[1] == 0 && len(s.rules) == 0:
		return a[0], true
	}
	if (a[0]|a[1])&1 == 0 {
		x, y := int64(a[0]), int64(a[1])
		if d := x + y; (x^d)&(y^d) >= 0 {
			return Value(d), true
		}
	}
	return slowAdd(e, s, a)
}

func nativeSub(e *Engine, s *symbol, a []Value) (Value, bool) {
	if a[1] == 0 {
		return a[0], true
	}
	if (a[0]|a[1])&1 == 0 {
		x, y := int64(a[0]), int64(a[1])
		if d := x - y; (x^y)&(x^d) >= 0 {
			return Value(d), true
		}
	}
	return slowSub(e, s, a)
}

func nativeMul(e *Engine, s *symbol, a []Value) (Value, bool) {
	if (a[0]|a[1])&1 == 0 {
		x, y := a[0].small(), a[1].small()
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		if hi == 0 && lo <= uint64(maxSmall) {
			return small(x * y), true
		}
	}
	return slowMul(e, s, a)
}

func nativeNeg(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !a[0].isTerm() && a[0].small() != minSmall {
		return small(-a[0].small()), true
	}
	return slowNeg(e, s, a)
}

func nativeSucc(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !a[0].isTerm() && a[0].small() < maxSmall {
		return a[0] + small(1), true
	}
	return slowSucc(e, s, a)
}

func nativePred(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !a[0].isTerm() && a[0].small() > minSmall {
		return a[0] - small(1), true
	}
	return slowPred(e, s, a)
}

func nativeAbs(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !a[0].isTerm() && a[0].small() > minSmall {
		return small(max(a[0].small(), -a[0].small())), true
	}
	return slowAbs(e, s, a)
}

func nativeDiv(e *Engine, s *symbol, a []Value) (Value, bool) {
	if (a[0]|a[1])&1 == 0 && a[1].small() > 0 {
		q := a[0].small() / a[1].small()
		if a[0].small()%a[1].small() < 0 {
			q--
		}
		return small(q), true
	}
	return slowDiv(e, s, a)
}

func nativeMod(e *Engine, s *symbol, a []Value) (Value, bool) {
	if (a[0]|a[1])&1 == 0 && a[1].small() > 0 {
		r := a[0].small() % a[1].small()
		if r < 0 {
			r += a[1].small()
		}
		return small(r), true
	}
	return slowMod(e, s, a)
}

func nativeMin(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !e.isNumber(a[0]) || !e.isNumber(a[1]) {
		return a[0], a[0] == a[1]
	}
	if e.compareNumbers(a[0], a[1]) <= 0 {
		return a[0], true
	}
	return a[1], true
}

func nativeMax(e *Engine, s *symbol, a []Value) (Value, bool) {
	if !e.isNumber(a[0]) || !e.isNumber(a[1]) {
		return a[0], a[0] == a[1]
	}
	if e.compareNumbers(a[0], a[1]) >= 0 {
		return a[0], true
	}
	return a[1], true
}
