package spec

import "slices"

// bare returns the sort that the text of an expression has by itself if casts to
// wider sorts are left out. It is nil if the text does not tell, as for []. Sorts
// that differ from that of the expression are only made for the comparison.
func (u *untyper) bare(e Expr) *Sort {
	switch e := e.(type) {
	case *Number:
		return basicSort(e.Of, bareNumber(e.Value))
	case *Apply:
		f, ok := e.Head.(*Func)
		if !ok {
			break
		}
		switch f.Op {
		case OpCast:
			if u.implicit(e) {
				return f.Of.Args[0]
			}
		case OpToSet, OpToBag:
			return u.bare(e.Args[0])
		case OpCons, OpInsert, OpInsertN:
			if elems, _, ok := literalElems(e); ok {
				return u.bareLiteral(e.Sort(), elems)
			}
		}
		if !u.known(e) {
			return nil
		}
	case *Where:
		return u.bare(e.Body)
	case *Abs:
		if e.Kind == Lambda && u.bare(e.Body) != e.Body.Sort() {
			return nil
		}
	case *Func:
		if e.Op == OpNil || e.Op == OpEmptySet || e.Op == OpEmptyBag {
			return nil
		}
	}
	return e.Sort()
}

// implicit reports whether a cast may be left out where the context fixes the
// sort. It may not over whr, since the checker puts casts inside, nor over what
// does not tell its sort.
func (u *untyper) implicit(cast *Apply) bool {
	f := cast.Head.(*Func)
	_, isWhere := cast.Args[0].(*Where)
	return f.Of.Args[0].Kind < f.Of.Result.Kind && !isWhere && u.known(cast.Args[0])
}

// known reports whether the text of an expression tells its sort at all, casts
// written down: [] ++ [] does not, nor 0 + head([]).
func (u *untyper) known(e Expr) bool {
	switch e := e.(type) {
	case *Func:
		return e.Op != OpNil && e.Op != OpEmptySet && e.Op != OpEmptyBag
	case *Where:
		return u.known(e.Body)
	case *Abs:
		return e.Kind != Lambda || u.known(e.Body)
	case *Apply:
		known, ok := u.tells[e]
		if !ok {
			known = u.knownApply(e)
			u.tells[e] = known
		}
		return known
	}
	return true
}

func (u *untyper) knownApply(e *Apply) bool {
	f, ok := e.Head.(*Func)
	if !ok {
		return true
	}
	switch f.Op {
	case OpToSet, OpToBag:
		return u.known(e.Args[0])
	case OpInsert, OpInsertN:
		return u.known(e.Args[0]) || u.known(e.Args[len(e.Args)-1])
	}
	for i := range signatures[f.Name] {
		if g := &signatures[f.Name][i]; g.Op == f.Op && len(g.Args) == len(e.Args) {
			if g.Generic() || len(signatures[f.Name]) == 1 {
				return !g.Result.IsS && !g.Result.OfS || u.knownArg(g, e.Args)
			}
			return !slices.ContainsFunc(e.Args, func(x Expr) bool { return !u.known(x) }) // which function it is depends on all of them
		}
	}
	return true
}

func (u *untyper) knownArg(g *Signature, args []Expr) bool {
	for i, p := range g.Args {
		if (p.IsS || p.OfS) && u.known(args[i]) {
			return true
		}
	}
	return false
}

var numberSorts = [...]*Sort{Pos: {Kind: Pos}, Nat: {Kind: Nat}, Int: {Kind: Int}, Real: {Kind: Real}}

func basicSort(of *Sort, k SortKind) *Sort {
	if of.Kind == k {
		return of
	}
	return numberSorts[k]
}

// bareLiteral returns the sort of a list, set or bag by its elements: the sort
// itself if an element has the sort of elements, otherwise a sort with a
// narrower number in it, or nil.
func (u *untyper) bareLiteral(of *Sort, elems []Expr) *Sort {
	elem := of.Args[0]
	var widest *Sort
	for _, x := range elems {
		b := u.bare(x)
		switch {
		case b == elem:
			return of
		case b != nil && b.Numeric() && (widest == nil || b.Kind > widest.Kind):
			widest = b
		}
	}
	if widest == nil {
		return nil
	}
	return &Sort{Kind: of.Kind, Args: []*Sort{widest}}
}

// implied reports whether the checker finds the function f of the language for
// arguments whose casts are left out.
func (u *untyper) implied(f *Func, args []Expr) bool {
	for i := range signatures[f.Name] {
		g := &signatures[f.Name][i]
		if g.Op != f.Op || len(g.Args) != len(args) {
			continue
		}
		if g.Generic() {
			return u.impliedGeneric(g, f, args)
		}
		return u.impliedNumbers(f, args)
	}
	return true
}

// impliedGeneric looks for an argument that says what S is.
func (u *untyper) impliedGeneric(g *Signature, f *Func, args []Expr) bool {
	for i, p := range g.Args {
		b := u.bare(args[i])
		if b == nil {
			continue
		}
		if p.IsS && b == f.Of.Args[i] {
			return true
		}
		if p.OfS && len(b.Args) == 1 && b.Args[0] == f.Of.Args[i].Args[0] {
			return true
		}
	}
	return false
}

// impliedNumbers looks for the function that needs the fewest casts, as the
// checker does.
func (u *untyper) impliedNumbers(f *Func, args []Expr) bool {
	best, least := -1, 0
	list := signatures[f.Name]
	for i := range list {
		g := &list[i]
		if g.Generic() || len(g.Args) != len(args) {
			continue
		}
		cost := 0
		for j, p := range g.Args {
			b := u.bare(args[j])
			if b == nil || b.Kind > p.Kind || !b.Numeric() && b.Kind != p.Kind {
				cost = -1
				break
			}
			cost += int(p.Kind - b.Kind)
		}
		if cost >= 0 && (best < 0 || cost < least) {
			best, least = i, cost
		}
	}
	if best < 0 {
		return false
	}
	for j, p := range list[best].Args {
		if f.Of.Args[j].Kind != p.Kind {
			return false
		}
	}
	return true
}
