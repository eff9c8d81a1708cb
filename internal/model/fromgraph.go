package model

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/graph"
)

// FromGraph returns a graph as the text of a linear process, with a parameter that is
// the number of the state. The sorts of the actions' arguments are those of their
// texts: truth values, numbers, and names, which are all of one sort. The name is for
// errors.
func FromGraph(name string, g *graph.Graph) (string, error) {
	t := &graphText{name: name, sorts: map[string][]argSort{}, sort: "D", proc: "P", state: "s"}
	for _, text := range g.Labels {
		if err := t.label(text); err != nil {
			return "", err
		}
	}
	for _, own := range []*string{&t.sort, &t.proc, &t.state} {
		for t.sorts[*own] != nil || slices.Contains(t.names, *own) {
			*own += "_"
		}
	}
	var b strings.Builder
	if len(t.names) > 0 {
		slices.Sort(t.names)
		fmt.Fprintf(&b, "sort %s = struct %s;\n", t.sort, strings.Join(slices.Compact(t.names), " | "))
	}
	for i, action := range t.actions {
		if i == 0 {
			b.WriteString("act\n")
		}
		fmt.Fprintf(&b, "  %s;\n", t.declaration(action))
	}
	fmt.Fprintf(&b, "proc %s(%s: Nat) =\n", t.proc, t.state)
	for i, e := range g.Transitions {
		mark := "  +"
		if i == 0 {
			mark = "   "
		}
		fmt.Fprintf(&b, "%s (%s == %d) -> %s . %s(%d)\n", mark, t.state, e.From, g.Labels[e.Label], t.proc, e.To)
	}
	if len(g.Transitions) == 0 {
		b.WriteString("    delta\n")
	}
	fmt.Fprintf(&b, "  ;\ninit %s(%d);\n", t.proc, g.Initial)
	return b.String(), nil
}

// An argSort is what the texts of an argument have in common.
type argSort uint8

const (
	noArg argSort = iota
	boolArg
	natArg
	intArg
	realArg
	nameArg
)

var argSorts = []struct {
	sort argSort
	form *regexp.Regexp
}{
	{boolArg, regexp.MustCompile(`^(true|false)$`)},
	{natArg, regexp.MustCompile(`^(0|[1-9][0-9]*)$`)},
	{intArg, regexp.MustCompile(`^-[1-9][0-9]*$`)},
	{realArg, regexp.MustCompile(`^-?(0|[1-9][0-9]*)( ?/ ?[1-9][0-9]*)?$`)},
	{nameArg, regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_']*$`)},
}

// A graphText collects what the labels of a graph are made of.
type graphText struct {
	name    string
	actions []string // with the number of arguments
	sorts   map[string][]argSort
	names   []string // that are arguments

	sort, proc, state string // names for what is declared
}

// label looks at one label.
func (t *graphText) label(text string) error {
	if text == TauText {
		return nil
	}
	for _, part := range split(text, '|') {
		action, rest, args := strings.Cut(strings.TrimSpace(part), "(")
		var list []string
		if args {
			inside, closed := strings.CutSuffix(rest, ")")
			if !closed {
				return t.refuse(text, part)
			}
			list = split(inside, ',')
		}
		if !argSorts[nameArg-boolArg].form.MatchString(action) {
			return t.refuse(text, part)
		}
		key := fmt.Sprintf("%s/%d", action, len(list))
		if t.sorts[key] == nil {
			t.sorts[key], t.sorts[action] = make([]argSort, len(list)), []argSort{}
			t.actions = append(t.actions, key)
		}
		for i, x := range list {
			x = strings.TrimSpace(x)
			k := slices.IndexFunc(argSorts, func(s struct {
				sort argSort
				form *regexp.Regexp
			}) bool {
				return s.form.MatchString(x)
			})
			if k < 0 {
				return t.refuse(text, x)
			}
			now, of := t.sorts[key][i], argSorts[k].sort
			switch number := func(s argSort) bool { return s >= natArg && s <= realArg }; {
			case now == noArg || number(now) && number(of):
				t.sorts[key][i] = max(now, of)
			case now != of:
				return t.refuse(text, x)
			}
			if of == nameArg {
				t.names = append(t.names, x)
			}
		}
	}
	return nil
}

func (t *graphText) refuse(label, part string) error {
	return diag.Usagef("%s: label %q: the sort of %q is not plain from the graph: arguments are truth values, numbers and names, each always of one kind", t.name, label, part)
}

// declaration returns the declaration of an action.
func (t *graphText) declaration(key string) string {
	name, _, _ := strings.Cut(key, "/")
	var list []string
	for _, s := range t.sorts[key] {
		list = append(list, []string{"", "Bool", "Nat", "Int", "Real", t.sort}[s])
	}
	if len(list) == 0 {
		return name
	}
	return name + ": " + strings.Join(list, " # ")
}

// split cuts a text at marks that are not in brackets.
func split(text string, mark byte) []string {
	var list []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case mark:
			if depth == 0 {
				list = append(list, text[start:i])
				start = i + 1
			}
		}
	}
	return append(list, text[start:])
}
