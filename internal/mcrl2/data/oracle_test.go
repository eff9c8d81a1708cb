package data

import (
	"fmt"
	"math/big"
	"sort"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"pgregory.net/rapid"
)

// The oracle evaluates expressions in the plainest way: numbers are rationals,
// lists are slices, sets and bags are maps by the text of their elements. It
// knows nothing of terms, so it returns nil for what has no value.

type (
	oracleBag  map[string]oracleItem
	oracleItem struct {
		value any
		n     *big.Int
	}
)

type oracle struct{ env map[*spec.Var]any }

func show(v any, s *spec.Sort) string {
	switch v := v.(type) {
	case nil:
		return "?"
	case bool:
		return fmt.Sprint(v)
	case *big.Rat:
		return v.RatString()
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = show(x, s.Args[0])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case oracleBag:
		items := v.sorted()
		parts := make([]string, len(items))
		for i, x := range items {
			parts[i] = show(x.value, s.Args[0])
			if s.Kind == spec.FBag {
				parts[i] += ": " + x.n.String()
			}
		}
		if len(parts) == 0 && s.Kind == spec.FBag {
			return "{:}"
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("%T", v)
}

func (b oracleBag) sorted() []oracleItem {
	var items []oracleItem
	for _, x := range b {
		if x.n.Sign() > 0 {
			items = append(items, x)
		}
	}
	sort.Slice(items, func(i, j int) bool { return oracleLess(items[i].value, items[j].value) })
	return items
}

// oracleLess is < of booleans, numbers and lists.
func oracleLess(a, b any) bool {
	switch a := a.(type) {
	case bool:
		return !a && b.(bool)
	case *big.Rat:
		return a.Cmp(b.(*big.Rat)) < 0
	case []any:
		b := b.([]any)
		for i := range min(len(a), len(b)) {
			if oracleLess(a[i], b[i]) {
				return true
			}
			if oracleLess(b[i], a[i]) {
				return false
			}
		}
		return len(a) < len(b)
	}
	panic("no order")
}

func (o oracle) eval(x spec.Expr) any {
	switch x := x.(type) {
	case *spec.Var:
		return o.env[x]
	case *spec.Number:
		return x.Value
	case *spec.Func:
		return map[spec.Op]any{spec.OpTrue: true, spec.OpFalse: false, spec.OpNil: []any{}, spec.OpEmptySet: oracleBag{}, spec.OpEmptyBag: oracleBag{}}[x.Op]
	case *spec.Abs:
		// Quantifiers are over Bool, or over naturals below 4 by their first conjunct.
		values := []any{false, true}
		if x.Vars[0].Of.Kind == spec.Nat {
			values = nil
			for n := range int64(4) {
				values = append(values, big.NewRat(n, 1))
			}
		}
		result := any(x.Kind == spec.Forall)
		for _, v := range values {
			o.env[x.Vars[0]] = v
			switch o.eval(x.Body) {
			case nil:
				return nil
			case x.Kind != spec.Forall:
				result = x.Kind != spec.Forall
			}
		}
		return result
	}
	a := x.(*spec.Apply)
	f := a.Head.(*spec.Func)
	if f.Op == spec.OpIf {
		switch o.eval(a.Args[0]) {
		case nil:
			return nil
		case true:
			return o.eval(a.Args[1])
		}
		return o.eval(a.Args[2])
	}
	args := make([]any, len(a.Args))
	for i := range a.Args {
		args[i] = o.eval(a.Args[i])
	}
	switch f.Op {
	case spec.OpAnd:
		if args[0] == false || args[1] == false {
			return false
		}
	case spec.OpOr:
		if args[0] == true || args[1] == true {
			return true
		}
	case spec.OpImplies:
		if args[0] == false || args[1] == true {
			return true
		}
	}
	for _, v := range args {
		if v == nil {
			return nil
		}
	}
	v := o.apply(f, args, a.Args[0].Sort())
	if r, ok := v.(*big.Rat); ok {
		switch f.Of.Result.Kind {
		case spec.Pos:
			if r.Sign() <= 0 || !r.IsInt() {
				return nil
			}
		case spec.Nat:
			if r.Sign() < 0 || !r.IsInt() {
				return nil
			}
		case spec.Int:
			if !r.IsInt() {
				return nil
			}
		}
	}
	return v
}

func (o oracle) apply(f *spec.Func, args []any, first *spec.Sort) any {
	equal := func() bool { return show(args[0], first) == show(args[1], first) }
	switch f.Op {
	case spec.OpEq:
		return equal()
	case spec.OpNe:
		return !equal()
	case spec.OpNot:
		return !args[0].(bool)
	case spec.OpAnd, spec.OpOr:
		return args[1]
	case spec.OpImplies:
		return args[1]
	}
	switch x := args[0].(type) {
	case *big.Rat:
		if b, ok := args[len(args)-1].(oracleBag); ok {
			return o.element(f, args, b)
		}
		if l, ok := args[len(args)-1].([]any); ok {
			switch f.Op {
			case spec.OpCons:
				return append([]any{x}, l...)
			case spec.OpInList:
				for _, y := range l {
					if x.Cmp(y.(*big.Rat)) == 0 {
						return true
					}
				}
				return false
			}
		}
		var y *big.Rat
		if len(args) > 1 {
			y = args[1].(*big.Rat)
		}
		return oracleNumber(f.Op, x, y)
	case []any:
		return oracleList(f.Op, x, args)
	case oracleBag:
		return oracleBags(f, x, args)
	case bool:
		y := args[1].(bool)
		switch f.Op {
		case spec.OpLess:
			return !x && y
		case spec.OpLessEq:
			return !x || y
		}
	}
	panic(fmt.Sprintf("operator %d on %T", f.Op, args[0]))
}

func (o oracle) element(f *spec.Func, args []any, b oracleBag) any {
	x := args[0].(*big.Rat)
	key := x.RatString()
	n := new(big.Int)
	if i, ok := b[key]; ok {
		n = i.n
	}
	switch f.Op {
	case spec.OpIn:
		return n.Sign() > 0
	case spec.OpCount:
		return new(big.Rat).SetInt(n)
	}
	out := oracleBag{}
	for k, i := range b {
		out[k] = i
	}
	if f.Op == spec.OpInsert {
		out[key] = oracleItem{x, big.NewInt(1)}
	} else {
		out[key] = oracleItem{x, new(big.Int).Add(n, args[1].(*big.Rat).Num())}
	}
	return out
}

func oracleNumber(op spec.Op, x, y *big.Rat) any {
	floor := func(r *big.Rat) *big.Rat {
		q := new(big.Int)
		m := new(big.Int)
		q.DivMod(r.Num(), r.Denom(), m)
		return new(big.Rat).SetInt(q)
	}
	switch op {
	case spec.OpLess:
		return x.Cmp(y) < 0
	case spec.OpLessEq:
		return x.Cmp(y) <= 0
	case spec.OpGreater:
		return x.Cmp(y) > 0
	case spec.OpGreaterEq:
		return x.Cmp(y) >= 0
	case spec.OpCast:
		return x
	case spec.OpNeg:
		return new(big.Rat).Neg(x)
	case spec.OpAdd:
		return new(big.Rat).Add(x, y)
	case spec.OpSub:
		return new(big.Rat).Sub(x, y)
	case spec.OpMul:
		return new(big.Rat).Mul(x, y)
	case spec.OpDivide:
		if y.Sign() == 0 {
			return nil
		}
		return new(big.Rat).Quo(x, y)
	case spec.OpDiv:
		return floor(new(big.Rat).Quo(x, y))
	case spec.OpMod:
		q := floor(new(big.Rat).Quo(x, y))
		return new(big.Rat).Sub(x, q.Mul(q, y))
	case spec.OpAbs:
		return new(big.Rat).Abs(x)
	case spec.OpMin:
		if x.Cmp(y) < 0 {
			return x
		}
		return y
	case spec.OpMax:
		if x.Cmp(y) < 0 {
			return y
		}
		return x
	case spec.OpSucc:
		return new(big.Rat).Add(x, big.NewRat(1, 1))
	case spec.OpPred:
		return new(big.Rat).Sub(x, big.NewRat(1, 1))
	case spec.OpFloor:
		return floor(x)
	case spec.OpCeil:
		f := floor(x)
		if f.Cmp(x) < 0 {
			f.Add(f, big.NewRat(1, 1))
		}
		return f
	case spec.OpRound:
		return floor(new(big.Rat).Add(x, big.NewRat(1, 2)))
	}
	panic(fmt.Sprint("number operator ", op))
}

func oracleList(op spec.Op, x []any, args []any) any {
	switch op {
	case spec.OpSnoc:
		return append(append([]any{}, x...), args[1])
	case spec.OpConcat:
		return append(append([]any{}, x...), args[1].([]any)...)
	case spec.OpLen:
		return big.NewRat(int64(len(x)), 1)
	case spec.OpAt:
		n := args[1].(*big.Rat).Num()
		if n.IsInt64() && n.Int64() < int64(len(x)) {
			return x[n.Int64()]
		}
		return nil
	case spec.OpLess:
		return oracleLess(x, args[1])
	case spec.OpLessEq:
		return !oracleLess(args[1], x)
	}
	if len(x) == 0 {
		return nil
	}
	switch op {
	case spec.OpHead:
		return x[0]
	case spec.OpTail:
		return x[1:]
	case spec.OpRHead:
		return x[len(x)-1]
	case spec.OpRTail:
		return x[:len(x)-1]
	}
	panic(fmt.Sprint("list operator ", op))
}

func oracleBags(f *spec.Func, x oracleBag, args []any) any {
	count := func(b oracleBag, k string) *big.Int {
		if i, ok := b[k]; ok {
			return i.n
		}
		return new(big.Int)
	}
	switch f.Op {
	case spec.OpSize:
		n := new(big.Int)
		for _, i := range x {
			n.Add(n, i.n)
		}
		return new(big.Rat).SetInt(n)
	case spec.OpPick:
		if items := x.sorted(); len(items) > 0 {
			return items[0].value
		}
		return nil
	case spec.OpSet2Bag:
		return x
	case spec.OpBag2Set:
		out := oracleBag{}
		for k, i := range x {
			if i.n.Sign() > 0 {
				out[k] = oracleItem{i.value, big.NewInt(1)}
			}
		}
		return out
	}
	y := args[1].(oracleBag)
	isSet := f.Of.Args[0].Kind == spec.FSet
	out, subset, proper := oracleBag{}, true, false
	for _, b := range []oracleBag{x, y} {
		for k, i := range b {
			m, n := count(x, k), count(y, k)
			subset = subset && m.Cmp(n) <= 0
			proper = proper || m.Cmp(n) < 0
			r := new(big.Int)
			switch {
			case f.Op == spec.OpUnion && isSet, f.Op == spec.OpIntersect:
				r.Set(m)
				if (m.Cmp(n) > 0) == (f.Op == spec.OpIntersect) {
					r.Set(n)
				}
			case f.Op == spec.OpUnion:
				r.Add(m, n)
			default:
				if r.Sub(m, n); r.Sign() < 0 {
					r.SetInt64(0)
				}
			}
			if r.Sign() > 0 {
				out[k] = oracleItem{i.value, r}
			}
		}
	}
	switch f.Op {
	case spec.OpLessEq:
		return subset
	case spec.OpLess:
		return subset && proper
	}
	return out
}

// A drawer draws expressions of a sort.
type drawer struct {
	k    *kit
	t    *rapid.T
	vars []*spec.Var
}

func (d *drawer) below(n int) int { return rapid.IntRange(0, n-1).Draw(d.t, "choice") }

func (d *drawer) draw(s *spec.Sort, depth int) spec.Expr {
	k := d.k
	var fitting []*spec.Var
	for _, v := range d.vars {
		if v.Of == s {
			fitting = append(fitting, v)
		}
	}
	if len(fitting) > 0 && d.below(3) == 0 {
		return fitting[d.below(len(fitting))]
	}
	if depth == 0 {
		return d.leaf(s)
	}
	sub := func(s *spec.Sort) spec.Expr { return d.draw(s, depth-1) }
	if d.below(8) == 0 {
		return k.op(spec.OpIf, s, sub(k.bool), sub(s), sub(s))
	}
	list, set, bag := k.of(spec.List, k.nat), k.of(spec.FSet, k.nat), k.of(spec.FBag, k.nat)
	pick := func(ops ...spec.Op) spec.Op { return ops[d.below(len(ops))] }
	switch s {
	case k.bool:
		of := []*spec.Sort{k.bool, k.nat, k.int, k.real, list, set, bag}[d.below(7)]
		switch d.below(6) {
		case 0:
			return k.op(pick(spec.OpAnd, spec.OpOr, spec.OpImplies), s, sub(s), sub(s))
		case 1:
			return k.not(sub(s))
		case 2:
			return k.op(pick(spec.OpIn), s, sub(k.nat), sub([]*spec.Sort{set, bag}[d.below(2)]))
		case 3:
			return k.op(spec.OpInList, s, sub(k.nat), sub(list))
		case 4:
			return d.quantifier(depth)
		}
		ops := []spec.Op{spec.OpEq, spec.OpNe, spec.OpLess, spec.OpLessEq}
		return k.op(ops[d.below(len(ops))], s, sub(of), sub(of))
	case k.nat:
		switch d.below(9) {
		case 0:
			return k.op(spec.OpLen, s, sub(list))
		case 1:
			return k.op(spec.OpAt, s, sub(list), sub(s))
		case 2:
			return k.op(pick(spec.OpHead, spec.OpRHead), s, sub(list))
		case 3:
			return k.op(spec.OpCount, s, sub(s), sub(bag))
		case 4:
			return k.op(spec.OpSize, s, sub([]*spec.Sort{set, bag}[d.below(2)]))
		case 5:
			return k.op(spec.OpCast, s, sub(k.int))
		case 6:
			return k.op(pick(spec.OpDiv, spec.OpMod), s, sub(s), k.n(int64(1+d.below(5)), k.pos))
		case 7:
			return k.op(spec.OpPick, s, sub(set))
		}
		return k.op(pick(spec.OpAdd, spec.OpMul, spec.OpMin, spec.OpMax), s, sub(s), sub(s))
	case k.int:
		switch d.below(5) {
		case 0:
			return k.op(pick(spec.OpNeg, spec.OpSucc, spec.OpPred), s, sub(s))
		case 1:
			return k.op(pick(spec.OpFloor, spec.OpCeil, spec.OpRound, spec.OpCast), s, sub(k.real))
		case 2:
			return k.op(spec.OpDiv, s, sub(s), k.n(int64(1+d.below(5)), k.pos))
		}
		return k.op(pick(spec.OpAdd, spec.OpSub, spec.OpMul, spec.OpMin, spec.OpMax), s, sub(s), sub(s))
	case k.real:
		if d.below(3) == 0 {
			return k.op(spec.OpCast, s, sub(k.int))
		}
		return k.op(pick(spec.OpAdd, spec.OpSub, spec.OpMul, spec.OpDivide, spec.OpMin), s, sub(s), sub(s))
	case list:
		switch d.below(4) {
		case 0:
			return k.op(spec.OpCons, s, sub(k.nat), sub(s))
		case 1:
			return k.op(spec.OpSnoc, s, sub(s), sub(k.nat))
		case 2:
			return k.op(pick(spec.OpTail, spec.OpRTail), s, sub(s))
		}
		return k.op(spec.OpConcat, s, sub(s), sub(s))
	case set:
		switch d.below(4) {
		case 0:
			return k.op(spec.OpBag2Set, s, sub(bag))
		case 1:
			return k.op(spec.OpInsert, s, sub(k.nat), sub(s))
		}
	case bag:
		switch d.below(4) {
		case 0:
			return k.op(spec.OpSet2Bag, s, sub(set))
		case 1:
			return k.op(spec.OpInsertN, s, sub(k.nat), sub(k.nat), sub(s))
		}
	}
	return k.op(pick(spec.OpUnion, spec.OpDifference, spec.OpIntersect), s, sub(s), sub(s))
}

// quantifier draws one over Bool, or over naturals below 4.
func (d *drawer) quantifier(depth int) spec.Expr {
	k := d.k
	kind := []spec.Binder{spec.Forall, spec.Exists}[d.below(2)]
	v := k.v(fmt.Sprint("q", len(d.vars)), []*spec.Sort{k.bool, k.nat}[d.below(2)])
	d.vars = append(d.vars, v)
	body := d.draw(k.bool, depth-1)
	d.vars = d.vars[:len(d.vars)-1]
	if v.Of == k.nat {
		bound := k.less(v, k.n(4, k.nat))
		if kind == spec.Forall {
			body = k.op(spec.OpImplies, k.bool, bound, body)
		} else {
			body = k.and(bound, body)
		}
	}
	return k.abs(kind, body, v)
}

func (d *drawer) leaf(s *spec.Sort) spec.Expr {
	k := d.k
	large := []int64{0, 1, 2, 3, 7, maxSmall, maxSmall - 1}
	switch s {
	case k.bool:
		return k.d.Lib.Bool(d.below(2) == 0)
	case k.nat:
		return k.n(large[d.below(len(large))], s)
	case k.int:
		return k.n(large[d.below(len(large))]*int64(1-2*d.below(2)), s)
	case k.real:
		return k.rat(int64(d.below(9)-4), int64(1+d.below(4)))
	}
	switch s.Kind {
	case spec.List:
		return k.list(k.nat, k.nats([]int64{1, 0, 2}[:d.below(4)]...)...)
	case spec.FSet:
		return k.fset(k.nat, k.nats([]int64{3, 0, 3, 2}[:d.below(5)]...)...)
	}
	return k.fbag(k.nat, k.nats([]int64{3, 1, 0, 2}[:2*d.below(3)]...)...)
}

func TestOracle(t *testing.T) {
	k := newKit()
	e := k.engine(t)
	sorts := []*spec.Sort{k.bool, k.nat, k.int, k.real, k.of(spec.List, k.nat), k.of(spec.FSet, k.nat), k.of(spec.FBag, k.nat)}
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{k: k, t: t}
		s := sorts[d.below(len(sorts))]
		x := d.draw(s, rapid.IntRange(1, 4).Draw(t, "depth"))
		want := oracle{map[*spec.Var]any{}}.eval(x)
		v, err := e.Eval(x, nil)
		if err != nil {
			t.Fatalf("%s: %v", text(x, nil), err)
		}
		delete(e.evals, x)
		got := e.Format(v, s)
		if want == nil {
			return // what stays a term is not the oracle's affair
		}
		if got != show(want, s) {
			t.Fatalf("%s: got %s, want %s", text(x, nil), got, show(want, s))
		}
		// The same through compiled code with variables for the constants.
		if y := e.Expr(v, s); y == nil {
			t.Fatalf("%s has no expression", got)
		} else if w, err := e.Eval(y, nil); err != nil || w != v {
			t.Fatalf("%s as an expression: %v, %v", got, w, err)
		}
	})
}

// A normal form does not change when it is evaluated again, and to give a
// variable its value before rewriting or after makes no difference.
func TestOpenTerms(t *testing.T) {
	k := newKit()
	e := k.engine(t)
	x, y, b := k.v("x", k.nat), k.v("y", k.int), k.v("b", k.bool)
	sorts := []*spec.Sort{k.bool, k.nat, k.int, k.of(spec.List, k.nat), k.of(spec.FSet, k.nat)}
	rapid.Check(t, func(t *rapid.T) {
		d := &drawer{k: k, t: t, vars: []*spec.Var{x, y, b}}
		s := sorts[d.below(len(sorts))]
		term := d.draw(s, rapid.IntRange(1, 4).Draw(t, "depth"))
		simple := e.Simplify(term)
		if again := e.Simplify(simple); text(again, nil) != text(simple, nil) {
			t.Fatalf("%s: simplified to %s and then to %s", text(term, nil), text(simple, nil), text(again, nil))
		}
		env := Env{x: small(int64(d.below(3))), y: small(int64(d.below(3) - 1)), b: truth(d.below(2) == 0)}
		v, err := e.Eval(term, env)
		if err != nil {
			t.Fatal(err)
		}
		w, err := e.Eval(simple, env)
		if err != nil {
			t.Fatal(err)
		}
		delete(e.evals, term)
		delete(e.evals, simple)
		if e.ground(v) && v != w {
			t.Fatalf("%s: got %s, want %s; simplified %s", text(term, nil), e.Format(w, s), e.Format(v, s), text(simple, nil))
		}
	})
}
