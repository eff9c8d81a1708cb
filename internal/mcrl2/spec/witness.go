package spec

// Witness returns a closed expression of a sort, always the same, or nil if the
// specification has none: the sort has neither constructors nor maps then.
func (d *Data) Witness(s *Sort) Expr { return d.witness(s, nil) }

// witness does not use the sorts in outer, so that it comes to an end. The
// smallest term of a sort does not have the sort inside of itself.
func (d *Data) witness(s *Sort, outer []*Sort) Expr {
	for _, o := range outer {
		if o == s {
			return nil
		}
	}
	inner := append(outer[:len(outer):len(outer)], s)
	switch s.Kind {
	case Bool:
		return d.Lib.False()
	case Pos:
		return d.Lib.Int(1, Pos)
	case Nat, Int, Real:
		return d.Lib.Int(0, s.Kind)
	case List:
		return d.Lib.Func(OpNil, "[]", s)
	case Set, FSet:
		return d.Lib.Func(OpEmptySet, "{}", s)
	case Bag, FBag:
		return d.Lib.Func(OpEmptyBag, "{:}", s)
	case Function:
		body := d.witness(s.Result, inner)
		if body == nil {
			return nil
		}
		abs := &Abs{Kind: Lambda, Body: body, Of: s}
		for _, a := range s.Args {
			abs.Vars = append(abs.Vars, &Var{Name: "x", Of: a})
		}
		return abs
	}
	for _, cons := range []bool{true, false} {
		for _, f := range d.Funcs {
			if f.Con != cons || f.Op == OpProj || f.Op == OpIs {
				continue
			}
			if e := d.witnessBy(f, s, inner); e != nil {
				return e
			}
		}
	}
	return nil
}

// witnessBy returns a term of s with f outermost, or nil.
func (d *Data) witnessBy(f *Func, s *Sort, outer []*Sort) Expr {
	if f.Of == s {
		return f
	}
	if f.Of.Kind != Function || f.Of.Result != s {
		return nil
	}
	a := &Apply{Head: f}
	for _, arg := range f.Of.Args {
		e := d.witness(arg, outer)
		if e == nil {
			return nil
		}
		a.Args = append(a.Args, e)
	}
	return a
}
