package spec

// A RenameRule says that an action becomes another one if a condition holds: From
// becomes To, or goes away if that is nil, or cannot happen if Delta is set. An
// argument of From that is a variable of the rule stands for any value, others have
// to be equal.
type RenameRule struct {
	Vars  []*Var
	Cond  Expr
	From  ActionCall
	To    *ActionCall
	Delta bool
}

// Uses reports whether a variable occurs in the rule.
func (r *RenameRule) Uses(v *Var) bool {
	list := append([]Expr{r.Cond}, r.From.Args...)
	if r.To != nil {
		list = append(list, r.To.Args...)
	}
	for _, x := range list {
		if (Subst{v: &Var{Name: v.Name, Of: v.Of}}).Apply(x) != x {
			return true
		}
	}
	return false
}
