package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/model"
)

// A typer holds the actions of a mapping against their declarations in a model. Actions are compared with labels as
// texts, so an argument has to be written as the model prints values of its sort: 1 + 1 is a Pos and never seen.
type typer struct {
	mod    *model.Model
	action named
	text   string
	holes  []execute.Hole
}

// typed has each rule refused, when the types of its places are known, whose action is not one of the model's.
func (m *Mapping) typed(mod *model.Model) {
	for i := range m.Observe.Rules {
		r, action := &m.Observe.Rules[i], m.actions[i]
		r.Fits = func(holes []execute.Hole) error {
			t := typer{mod, action, r.Action, holes}
			return t.check()
		}
	}
}

// check compares with all declarations of the name: one has to fit.
func (t *typer) check() error {
	args, err := t.arguments()
	if err != nil {
		return err
	}
	var first error
	for _, a := range t.mod.LPS.Actions {
		if a.Name != t.action.name {
			continue
		}
		err := t.fits(a, args)
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// fits compares with one declaration.
func (t *typer) fits(a *spec.Action, args []term) error {
	if len(args) != len(a.Args) {
		return t.errorf("%s has %s, not %d: %s", a.Name, counted(len(a.Args)), len(args), declared(a))
	}
	for i, arg := range args {
		if why := t.value(arg, a.Args[i]); why != "" {
			return t.errorf("argument %d of %s: %s: %s", i+1, a.Name, why, declared(a))
		}
	}
	return nil
}

func (t *typer) errorf(format string, args ...any) error {
	return diag.Sourcef(t.action.pos, format, args...)
}

// counted says how many arguments there are.
func counted(n int) string {
	switch n {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// declared tells the declaration of an action.
func declared(a *spec.Action) string {
	text := "act " + a.Name
	for i, s := range a.Args {
		text += [...]string{": ", " # "}[min(i, 1)] + s.String()
	}
	if a.At.Line > 0 {
		text += " at " + a.At.String()
	}
	return text
}

// A term is an argument of an action: a name or number, perhaps with arguments of its own, a list, a place, or anything.
type term struct {
	text string
	head string
	args []term
	call bool
	list bool
	hole *execute.Hole
	any  bool
}

// arguments splits the action.
func (t *typer) arguments() ([]term, error) {
	open := strings.IndexByte(t.text, '(')
	if open < 0 {
		return nil, nil
	}
	end := strings.TrimRight(t.text, " ")
	if !strings.HasSuffix(end, ")") {
		return nil, t.errorf("%s: a ) is missing at the end", t.text)
	}
	return t.list(open+1, len(end)-1)
}

// list reads what is between commas in a part of the text.
func (t *typer) list(from, to int) ([]term, error) {
	if strings.TrimSpace(t.text[from:to]) == "" {
		return nil, nil
	}
	var list []term
	for depth, at, i := 0, from, from; ; i++ {
		if i == to || depth == 0 && t.text[i] == ',' {
			if depth != 0 {
				return nil, t.errorf("%s: brackets do not match", t.text)
			}
			x, err := t.term(at, i)
			if err != nil {
				return nil, err
			}
			if list, at = append(list, x), i+1; i == to {
				return list, nil
			}
			continue
		}
		switch t.text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return nil, t.errorf("%s: brackets do not match", t.text)
			}
		}
	}
}

// term reads one argument.
func (t *typer) term(from, to int) (x term, err error) {
	for from < to && t.text[from] == ' ' {
		from++
	}
	for from < to && t.text[to-1] == ' ' {
		to--
	}
	x.text = t.text[from:to]
	switch i := slices.IndexFunc(t.holes, func(h execute.Hole) bool { return h.At >= from && h.End <= to }); {
	case x.text == "":
		return x, t.errorf("%s: an argument is empty: _ is any", t.text)
	case x.text == "_":
		x.any = true
		return x, nil
	case i >= 0 && t.holes[i].At == from && t.holes[i].End == to:
		x.hole = &t.holes[i]
		return x, nil
	}
	open := strings.IndexAny(x.text, "([{")
	switch {
	case open < 0:
		x.head = x.text
	case x.text[open] == '[' && open == 0 && x.text[len(x.text)-1] == ']':
		x.list = true
		x.args, err = t.list(from+1, to-1)
	case x.text[open] == '(' && open > 0 && x.text[len(x.text)-1] == ')':
		x.head, x.call = x.text[:open], true
		x.args, err = t.list(from+open+1, to-1)
	default: // a place with text beside it, or something that is not written down with brackets alone
		x.any = true
	}
	return x, err
}

var numerals = map[spec.SortKind]*regexp.Regexp{
	spec.Bool: regexp.MustCompile(`^(true|false)$`),
	spec.Pos:  regexp.MustCompile(`^[1-9][0-9]*$`),
	spec.Nat:  regexp.MustCompile(`^(0|[1-9][0-9]*)$`),
	spec.Int:  regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`),
	spec.Real: regexp.MustCompile(`^(0|-?[1-9][0-9]*( ?/ ?[1-9][0-9]*)?)$`),
}

// value returns why an argument is no value of a sort, "" if it is one.
func (t *typer) value(x term, s *spec.Sort) string {
	no := fmt.Sprintf("%s is no %s", x.text, s)
	switch {
	case x.any:
		return ""
	case x.hole != nil:
		return t.hole(x.text, x.hole, s)
	case numerals[s.Kind] != nil:
		if x.list || x.call || !numerals[s.Kind].MatchString(x.head) {
			return no + ", as the model prints it"
		}
	case s.Kind == spec.List:
		if !x.list {
			return no
		}
		for _, e := range x.args {
			if why := t.value(e, s.Args[0]); why != "" {
				return why
			}
		}
	case s.Kind == spec.Named:
		return t.constructed(x, s, no)
	}
	return "" // sets, bags and functions: whatever is printed of them
}

// constructed compares with the constructors of a sort or, if it has none, with the constants and functions that there are.
func (t *typer) constructed(x term, s *spec.Sort, no string) string {
	if x.list {
		return no
	}
	funcs := s.Cons
	if len(funcs) == 0 {
		funcs = t.mod.LPS.Funcs
	}
	var names []string
	for _, f := range funcs {
		var args []*spec.Sort
		of := f.Of
		if of != s && of.Kind == spec.Function {
			of, args = of.Result, of.Args
		}
		if of != s {
			continue
		}
		if f.Name != x.head {
			names = append(names, f.Name)
			continue
		}
		if len(args) != len(x.args) {
			return fmt.Sprintf("%s has %s, not %d", f.Name, counted(len(args)), len(x.args))
		}
		for i := range args {
			if why := t.value(x.args[i], args[i]); why != "" {
				return why
			}
		}
		return ""
	}
	if len(names) == 0 || len(names) > 12 {
		return no
	}
	return no + ", which is " + strings.Join(names, ", ")
}

// hole compares the values of a place with a sort.
func (t *typer) hole(text string, h *execute.Hole, s *spec.Sort) string {
	if h.None != "" {
		if why := t.value(term{text: h.None, head: h.None}, s); why != "" && !strings.ContainsAny(h.None, "([{") {
			return fmt.Sprintf("%s, where a pointer is nil: %s", text, why)
		}
	}
	for _, n := range h.Names {
		if why := t.value(term{text: n, head: n}, s); why != "" && !strings.ContainsAny(n, "([{") {
			return fmt.Sprintf("%s is a %s, of which values has the name %s: %s", text, h.Type, n, why)
		}
	}
	if len(h.Names) > 0 || h.Kind == execute.HoleText {
		return ""
	}
	kind, fits := "", false
	switch h.Kind {
	case execute.HoleNumber, execute.HoleReal:
		kind, fits = "a number", s.Numeric()
	case execute.HoleBool:
		kind, fits = "true or false", s.Kind == spec.Bool
	case execute.HoleList:
		if kind = "a list"; s.Kind == spec.List {
			return t.hole(text, h.Elem, s.Args[0])
		}
	}
	if fits {
		return ""
	}
	of, advice := "", ""
	if h.Type != "" {
		of = " (" + h.Type + ")"
		if s.Kind == spec.Named && h.Kind != execute.HoleList {
			advice = fmt.Sprintf("; name the values of %s under values", h.Type)
		}
	}
	return fmt.Sprintf("%s is %s%s, and a %s is expected%s", text, kind, of, s, advice)
}
