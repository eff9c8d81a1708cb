package formula

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// How tightly parts bind, for brackets: state formulas, then regular and action
// formulas.
const (
	bindFix = iota
	bindImplies
	bindOr
	bindAnd
	bindModal
	bindAlt
	bindSeq
	bindIter
)

// Format writes a state formula as it would be read again.
func Format(s State) string { return formatState(s, bindFix) }

// FormatStep writes [R] or <R> before a text that Format gave, which is put into
// brackets if needed.
func FormatStep(must bool, r Regular, then string, modal bool) string {
	open, end := "<", ">"
	if must {
		open, end = "[", "]"
	}
	if !modal {
		then = "(" + then + ")"
	}
	return open + formatRegular(r, bindAlt) + end + then
}

// Modal reports whether a formula needs no brackets behind a modality.
func Modal(s State) bool { return bindOf(s) >= bindModal }

func bindOf(s State) int {
	switch s.(type) {
	case *Fix, *Forall, *Exists:
		return bindFix
	case *Implies:
		return bindImplies
	case *Or:
		return bindOr
	case *And:
		return bindAnd
	}
	return bindModal
}

func formatState(s State, least int) string {
	own := bindOf(s)
	text := ""
	switch s := s.(type) {
	case *Bool:
		text = formatBool(s.Value)
	case *Val:
		text = "val(" + spec.Format(s.E) + ")"
	case *Not:
		text = "!" + formatState(s.X, bindModal)
	case *And:
		text = formatState(s.X, own+1) + " && " + formatState(s.Y, own)
	case *Or:
		text = formatState(s.X, own+1) + " || " + formatState(s.Y, own)
	case *Implies:
		text = formatState(s.X, own+1) + " => " + formatState(s.Y, own)
	case *Forall:
		text = "forall " + formatVars(s.Vars) + ". " + formatState(s.X, bindFix)
	case *Exists:
		text = "exists " + formatVars(s.Vars) + ". " + formatState(s.X, bindFix)
	case *Must:
		text = FormatStep(true, s.R, Format(s.X), Modal(s.X))
	case *May:
		text = FormatStep(false, s.R, Format(s.X), Modal(s.X))
	case *Fix:
		text = formatFix(s)
	case *Var:
		text = s.Fix.Name + formatArgs(s.Args)
	case *Delay:
		text = "delay" + formatTime(s.Time)
	case *Yaled:
		text = "yaled" + formatTime(s.Time)
	}
	if own < least {
		return "(" + text + ")"
	}
	return text
}

func formatBool(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

func formatFix(f *Fix) string {
	text := "mu " + f.Name
	if f.Greatest {
		text = "nu " + f.Name
	}
	if len(f.Params) > 0 {
		var list []string
		for i, p := range f.Params {
			list = append(list, p.Name+": "+p.Of.String()+" = "+spec.Format(f.Init[i]))
		}
		text += "(" + strings.Join(list, ", ") + ")"
	}
	return text + ". " + formatState(f.X, bindFix)
}

func formatVars(vars []*spec.Var) string {
	var list []string
	for _, v := range vars {
		list = append(list, v.Name+": "+v.Of.String())
	}
	return strings.Join(list, ", ")
}

func formatArgs(args []spec.Expr) string {
	if len(args) == 0 {
		return ""
	}
	var list []string
	for _, x := range args {
		list = append(list, spec.Format(x))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

func formatTime(t spec.Expr) string {
	if t == nil {
		return ""
	}
	return "@(" + spec.Format(t) + ")"
}

func formatRegular(r Regular, least int) string {
	own, text := bindIter, ""
	switch r := r.(type) {
	case *Step:
		return formatAction(r.A, least)
	case *Seq:
		own = bindSeq
		text = formatRegular(r.X, own) + " . " + formatRegular(r.Y, own)
	case *Alt:
		own = bindAlt
		text = formatRegular(r.X, own) + " + " + formatRegular(r.Y, own)
	case *Iter:
		text = formatRegular(r.X, bindIter+1)
		if r.Once {
			text += "+"
		} else {
			text += "*"
		}
	}
	if own < least {
		return "(" + text + ")"
	}
	return text
}

// formatAction puts all operators but ! into brackets inside of others, and inside
// of regular formulas.
func formatAction(a Action, least int) string {
	inside := func(a Action) string { return formatAction(a, bindIter) }
	part := func(a Action) string { // of && and ||, for which ! needs no brackets
		if _, ok := a.(*ActNot); ok {
			return formatAction(a, bindAlt)
		}
		return inside(a)
	}
	text := ""
	switch a := a.(type) {
	case *ActBool:
		return formatBool(a.Value)
	case *ActVal:
		return "val(" + spec.Format(a.E) + ")"
	case *Multi:
		if len(a.Actions) == 0 {
			return "tau"
		}
		var list []string
		for _, c := range a.Actions {
			list = append(list, c.Action.Name+formatArgs(c.Args))
		}
		return strings.Join(list, "|")
	case *ActNot:
		text = "!" + inside(a.X)
	case *ActAnd:
		text = part(a.X) + " && " + part(a.Y)
	case *ActOr:
		text = part(a.X) + " || " + part(a.Y)
	case *ActImplies:
		text = inside(a.X) + " => " + inside(a.Y)
	case *ActForall:
		text = "forall " + formatVars(a.Vars) + ". " + inside(a.X)
	case *ActExists:
		text = "exists " + formatVars(a.Vars) + ". " + inside(a.X)
	case *ActAt:
		text = inside(a.X) + "@(" + spec.Format(a.Time) + ")"
	}
	if least > bindAlt {
		return "(" + text + ")"
	}
	return text
}

// String returns an equation system as text that is read as the same again.
func (s *System) String() string {
	var b strings.Builder
	b.WriteString(s.Data.Text())
	b.WriteString("pbes\n")
	for _, e := range s.Equations {
		text := "mu "
		if e.Greatest {
			text = "nu "
		}
		b.WriteString("  " + text + e.Name)
		if len(e.Params) > 0 {
			b.WriteString("(" + formatVars(e.Params) + ")")
		}
		b.WriteString(" =\n    " + Format(e.X) + ";\n")
	}
	b.WriteString("init " + Format(s.Init) + ";\n")
	return b.String()
}
