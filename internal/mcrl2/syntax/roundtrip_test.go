package syntax

import (
	"testing"

	"pgregory.net/rapid"
)

// A generator makes random trees of bounded depth.
type generator struct{ *rapid.T }

func (g generator) pick(list ...string) string { return rapid.SampledFrom(list).Draw(g.T, "word") }

func (g generator) count(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(g.T, "count") }

func (g generator) word() string { return g.pick("a", "b", "x", "y'", "_z", "dist", "P0", "val", "mu") }

func (g generator) name() Name { return Name{Text: g.word()} }

func many[T any](g generator, lo, hi int, f func() T) []T {
	var list []T
	for range g.count(lo, hi) {
		list = append(list, f())
	}
	return list
}

func (g generator) sort(d int) Sort {
	k := g.count(0, 3)
	if d <= 0 {
		k = 0
	}
	switch k {
	case 1:
		return &SortOf{Kind: g.pick("List", "Set", "Bag", "FSet", "FBag"), Elem: g.sort(d - 1)}
	case 2:
		return &SortFunc{Args: many(g, 1, 3, func() Sort { return g.sort(d - 1) }), Result: g.sort(d - 1)}
	case 3:
		return &SortStruct{Cons: many(g, 1, 3, func() *Constructor {
			c := &Constructor{Name: g.name()}
			c.Args = many(g, 0, 2, func() *Projection {
				p := &Projection{Sort: g.sort(d - 1)}
				if g.count(0, 1) == 1 {
					n := g.name()
					p.Name = &n
				}
				return p
			})
			if g.count(0, 1) == 1 {
				n := g.name()
				c.Is = &n
			}
			return c
		})}
	}
	return &SortName{Name: g.pick("Bool", "Pos", "Nat", "Int", "Real", "A", "B")}
}

func (g generator) vars(lo int) []*VarDecl {
	return many(g, lo, 3, func() *VarDecl { return &VarDecl{g.name(), g.sort(1)} })
}

func (g generator) assigns(lo, d int) []*Assign {
	return many(g, lo, 2, func() *Assign { return &Assign{g.name(), g.expr(d)} })
}

func (g generator) exprs(lo, d int) []Expr {
	return many(g, lo, 3, func() Expr { return g.expr(d) })
}

func (g generator) expr(d int) Expr {
	k := g.count(0, 13)
	if d <= 0 {
		k = k % 3
	}
	d--
	switch k {
	case 1:
		return &Number{Text: g.pick("0", "1", "42")}
	case 2:
		return &BoolLit{Value: g.count(0, 1) == 1}
	case 3:
		return &ListLit{Elems: g.exprs(0, d)}
	case 4:
		return &SetLit{Elems: g.exprs(0, d)}
	case 5:
		b := &BagLit{}
		for range g.count(0, 2) {
			b.Elems, b.Counts = append(b.Elems, g.expr(d)), append(b.Counts, g.expr(d))
		}
		return b
	case 6:
		return &Comprehension{Var: g.vars(1)[0], Body: g.expr(d)}
	case 7:
		return &Apply{Fun: g.expr(d), Args: g.exprs(1, d)}
	case 8:
		return &Update{Fun: g.expr(d), Arg: g.expr(d), Value: g.expr(d)}
	case 9:
		return &Unary{Op: g.pick("!", "-", "#"), X: g.expr(d)}
	case 10, 11:
		op := g.pick("=>", "||", "&&", "==", "!=", "<", "<=", ">=", ">", "in", "|>", "<|", "++", "+", "-", "/", "div", "mod", "*", ".")
		return &Binary{Op: op, X: g.expr(d), Y: g.expr(d)}
	case 12:
		return &Quant{Kind: g.pick("forall", "exists", "lambda"), Vars: g.vars(1), Body: g.expr(d)}
	case 13:
		return &Where{Body: g.expr(d), Defs: g.assigns(1, d)}
	}
	return &Ident{Name: g.word()}
}

func (g generator) proc(d int) Proc {
	k := g.count(0, 13)
	if d <= 0 {
		k = k % 4
	}
	d--
	multi := func() []Name { return many(g, 1, 3, g.name) }
	switch k {
	case 1:
		return &CallAssign{Name: g.word(), Args: g.assigns(0, 1)}
	case 2:
		return &Delta{}
	case 3:
		return &Tau{}
	case 4, 5:
		return &BinaryProc{Op: g.pick("+", "||", "||_", "<<", ".", "|"), X: g.proc(d), Y: g.proc(d)}
	case 6:
		return &Sum{Vars: g.vars(1), Body: g.proc(d)}
	case 7:
		return &Dist{Vars: g.vars(1), Weight: g.expr(1), Body: g.proc(d)}
	case 8:
		return &Cond{If: g.expr(2), Then: g.proc(d)}
	case 9:
		return &Cond{If: g.expr(2), Then: g.proc(d), Else: g.proc(d)}
	case 10:
		return &At{Body: g.proc(d), Time: g.expr(2)}
	case 11:
		if g.count(0, 1) == 1 {
			r := &Rename{Body: g.proc(d)}
			for range g.count(0, 2) {
				r.From, r.To = append(r.From, g.name()), append(r.To, g.name())
			}
			return r
		}
		return &NameSet{Op: g.pick("block", "hide"), Names: many(g, 0, 3, g.name), Body: g.proc(d)}
	case 12:
		c := &Comm{Body: g.proc(d)}
		for range g.count(0, 2) {
			c.From, c.To = append(c.From, multi()), append(c.To, Name{Text: g.pick("a", "b", "tau")})
		}
		return c
	case 13:
		return &Allow{Sets: many(g, 0, 3, multi), Body: g.proc(d)}
	}
	return &Call{Name: g.word(), Args: g.exprs(0, 2)}
}

func (g generator) spec() *Spec {
	fun := func() *FuncDecl { return &FuncDecl{g.name(), g.sort(2)} }
	return &Spec{
		Includes: many(g, 0, 1, func() Include { return Include{Path: g.pick("a.mcrl2", "b c/d.mcrl2", "")} }),
		Sorts: many(g, 0, 2, func() *SortDecl {
			d := &SortDecl{Name: g.name()}
			if g.count(0, 1) == 1 {
				d.Body = g.sort(3)
			}
			return d
		}),
		Cons: many(g, 0, 2, fun),
		Maps: many(g, 0, 2, fun),
		Eqns: many(g, 0, 2, func() *EqnSection {
			return &EqnSection{g.vars(0), many(g, 1, 2, func() *Eqn {
				e := &Eqn{Left: g.expr(2), Right: g.expr(2)}
				if g.count(0, 1) == 1 {
					e.Cond = g.expr(2)
				}
				return e
			})}
		}),
		Globals: g.vars(0),
		Actions: many(g, 0, 2, func() *ActDecl { return &ActDecl{g.name(), many(g, 0, 2, func() Sort { return g.sort(2) })} }),
		Procs:   many(g, 0, 2, func() *ProcDecl { return &ProcDecl{g.name(), g.vars(0), g.proc(3)} }),
		Init:    g.proc(4),
	}
}

// TestRoundTrip prints random trees and reads them back.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := generator{t}.spec()
		text := Print(s)
		back, err := Parse("t", []byte(text))
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, text)
		}
		if got, want := dump(back), dump(s); got != want {
			t.Fatalf("%s\ngot  %s\nwant %s", text, got, want)
		}
	})
}

// FuzzParse looks for texts on which the parser fails, or whose tree does not
// survive printing.
func FuzzParse(f *testing.F) {
	f.Add("include \"a b.mcrl2\"; act include; include \"\"; init include;")
	f.Add("act a: Nat; proc P(n: Nat) = sum m: Nat. (m < n) -> a(m) . P(n = m) <> delta; init hide({a}, P(3));")
	f.Add("sort D = struct d1?is1 | d2(p: Nat); map f: D # D -> Bool; var x: D; eqn f(x, x) = true; x == d1 -> f(x, d1) = false; init tau;")
	f.Add("init allow({a|b}, comm({a|b -> c}, a || b @ 3 ||_ c << d)); eqn x = {y: Nat | y in {1, 2}} + {} whr z = {:} end;")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("t", []byte(text))
		if err != nil {
			return
		}
		printed := Print(s)
		back, err := Parse("t", []byte(printed))
		if err != nil {
			t.Fatalf("%v\nin\n%s", err, printed)
		}
		if got, want := dump(back), dump(s); got != want {
			t.Fatalf("%s\ngot  %s\nwant %s", printed, got, want)
		}
	})
}
