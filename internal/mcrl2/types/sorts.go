package types

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/syntax"
)

var basicSorts = map[string]spec.SortKind{"Bool": spec.Bool, "Pos": spec.Pos, "Nat": spec.Nat, "Int": spec.Int, "Real": spec.Real}

var containers = map[string]spec.SortKind{"List": spec.List, "Set": spec.Set, "Bag": spec.Bag, "FSet": spec.FSet, "FBag": spec.FBag}

// bad stands for a sort that there is an error about. It fits everywhere, so that
// there is one error only. hole stands for a sort that is not known yet. There
// is one of each, since sorts made of them are found by their names.
var (
	bad  = &spec.Sort{Kind: spec.Named, Name: "?!"}
	hole = &spec.Sort{Kind: spec.Named, Name: "?"}
)

// A sortTable resolves sort expressions.
type sortTable struct {
	sorts *spec.Sorts
	decls map[string]*syntax.SortDecl
	names map[string]*spec.Sort // of declared sorts that have been resolved
	open  map[string]bool       // being resolved
	// structs are the sorts of structs by what they consist of. Structs that
	// consist of the same are the same sort, as in mCRL2.
	structs map[string]*structSort
	order   []*structSort
	fail    func(at diag.Pos, format string, args ...any)
	// closed is set if no further struct may be declared.
	closed bool
}

// A structSort is a struct and where it was written first.
type structSort struct {
	sort *spec.Sort
	tree *syntax.SortStruct
}

func newSortTable(sorts *spec.Sorts, fail func(diag.Pos, string, ...any)) *sortTable {
	return &sortTable{sorts: sorts, decls: map[string]*syntax.SortDecl{}, names: map[string]*spec.Sort{},
		open: map[string]bool{}, structs: map[string]*structSort{}, fail: fail}
}

// declare takes the declarations of sorts and returns the aliases.
func (t *sortTable) declare(decls []*syntax.SortDecl) []spec.Alias {
	for _, d := range decls {
		if t.decls[d.Name.Text] == nil {
			t.decls[d.Name.Text] = d
		}
	}
	for _, d := range decls {
		if first := t.decls[d.Name.Text]; first != d && !t.equal(first, d) {
			t.fail(d.Name.At, "sort %s is declared twice, and not as the same: first at %s", d.Name.Text, place(first.Name.At))
		}
	}
	t.declareNames(decls)
	var aliases []spec.Alias
	for _, d := range decls {
		if t.decls[d.Name.Text] != d {
			continue
		}
		if s := t.named(d.Name.Text, d.Name.At); s != bad && !(s.Kind == spec.Named && s.Name == d.Name.Text) {
			aliases = append(aliases, spec.Alias{Name: d.Name.Text, Of: s})
		}
	}
	return aliases
}

// equal reports whether two declarations of a sort say the same. The second one
// then means nothing.
func (t *sortTable) equal(d, e *syntax.SortDecl) bool {
	if d.Body == nil || e.Body == nil {
		return d.Body == nil && e.Body == nil
	}
	open := map[string]bool{d.Name.Text: true}
	return t.key(d.Body, nil, open) == t.key(e.Body, nil, open)
}

// declareNames makes the sorts that have a name of their own, in the order of the
// text. Before, it finds declared structs that consist of the same. Names of
// sorts in a struct may stand for structs that have become the same themselves,
// so it goes on until nothing changes.
func (t *sortTable) declareNames(decls []*syntax.SortDecl) {
	canon := map[string]string{}
	for changed := true; changed; {
		changed = false
		first := map[string]string{}
		for _, d := range decls {
			tree, ok := d.Body.(*syntax.SortStruct)
			if !ok || t.decls[d.Name.Text] != d || canon[d.Name.Text] != "" {
				continue
			}
			key := t.key(tree, canon, map[string]bool{})
			if f, ok := first[key]; ok {
				canon[d.Name.Text], changed = f, true
			} else {
				first[key] = d.Name.Text
			}
		}
	}
	for _, d := range decls {
		if t.decls[d.Name.Text] != d {
			continue
		}
		if d.Body == nil {
			t.names[d.Name.Text] = t.sorts.Declare(d.Name.Text)
		}
		if tree, ok := d.Body.(*syntax.SortStruct); ok && canon[d.Name.Text] == "" {
			s := &structSort{t.sorts.Declare(d.Name.Text), tree}
			s.sort.Struct = true
			t.names[d.Name.Text] = s.sort
			t.order = append(t.order, s)
			t.structs[t.key(tree, canon, map[string]bool{})] = s
		}
	}
	for name := range canon {
		t.names[name] = t.names[root(canon, name)]
	}
}

// root returns the struct that a name has been merged into at last.
func root(canon map[string]string, name string) string {
	for canon[name] != "" {
		name = canon[name]
	}
	return name
}

// key is a text that is the same for sort expressions that mean the same.
func (t *sortTable) key(s syntax.Sort, canon map[string]string, open map[string]bool) string {
	switch s := s.(type) {
	case *syntax.SortName:
		if canon[s.Name] != "" {
			return root(canon, s.Name)
		}
		d := t.decls[s.Name]
		if d == nil && t.names[s.Name] != nil {
			return sortKey(t.names[s.Name])
		}
		if d == nil || d.Body == nil || open[s.Name] {
			return s.Name
		}
		if _, ok := d.Body.(*syntax.SortStruct); ok {
			return s.Name
		}
		open[s.Name] = true
		defer delete(open, s.Name)
		return t.key(d.Body, canon, open)
	case *syntax.SortOf:
		return s.Kind + "(" + t.key(s.Elem, canon, open) + ")"
	case *syntax.SortFunc:
		var b strings.Builder
		for _, a := range s.Args {
			b.WriteString("(" + t.key(a, canon, open) + ")#")
		}
		return b.String() + "->(" + t.key(s.Result, canon, open) + ")"
	case *syntax.SortStruct:
		var b strings.Builder
		b.WriteString("struct")
		for _, c := range s.Cons {
			b.WriteString("|" + c.Name.Text + "(")
			for _, a := range c.Args {
				if a.Name != nil {
					b.WriteString(a.Name.Text + ":")
				}
				b.WriteString(t.key(a.Sort, canon, open) + ",")
			}
			b.WriteString(")")
			if c.Is != nil {
				b.WriteString("?" + c.Is.Text)
			}
		}
		return b.String()
	}
	return ""
}

// structKey is the key of a struct that has been declared.
func structKey(s *spec.Sort) string {
	var b strings.Builder
	b.WriteString("struct")
	for _, c := range s.Cons {
		b.WriteString("|" + c.Name + "(")
		for i := range c.Proj {
			if c.Proj[i] != nil {
				b.WriteString(c.Proj[i].Name + ":")
			}
			b.WriteString(sortKey(c.Of.Args[i]) + ",")
		}
		b.WriteString(")")
		if c.Is != nil {
			b.WriteString("?" + c.Is.Name)
		}
	}
	return b.String()
}

// sortKey is the key of a sort that has been resolved.
func sortKey(s *spec.Sort) string {
	if s.Kind != spec.Function {
		if len(s.Args) == 1 {
			name, _, _ := strings.Cut(s.String(), "(")
			return name + "(" + sortKey(s.Args[0]) + ")"
		}
		return s.String()
	}
	var b strings.Builder
	for _, a := range s.Args {
		b.WriteString("(" + sortKey(a) + ")#")
	}
	return b.String() + "->(" + sortKey(s.Result) + ")"
}

// named resolves a declared name.
func (t *sortTable) named(name string, at diag.Pos) *spec.Sort {
	if s := t.names[name]; s != nil {
		return s
	}
	d := t.decls[name]
	switch {
	case d == nil:
		t.fail(at, "sort %s is not declared", name)
		return bad
	case t.open[name]:
		t.fail(d.Name.At, "sort %s is defined by itself", name)
		return bad
	}
	t.open[name] = true
	s := t.resolve(d.Body)
	delete(t.open, name)
	t.names[name] = s
	return s
}

// resolve returns the sort that an expression means.
func (t *sortTable) resolve(s syntax.Sort) *spec.Sort {
	switch s := s.(type) {
	case *syntax.SortName:
		if k, ok := basicSorts[s.Name]; ok {
			return t.sorts.Basic(k)
		}
		return t.named(s.Name, s.At)
	case *syntax.SortOf:
		elem := t.resolve(s.Elem)
		if elem == bad {
			return bad
		}
		return t.sorts.Of(containers[s.Kind], elem)
	case *syntax.SortFunc:
		args := t.resolveAll(s.Args)
		result := t.resolve(s.Result)
		for _, a := range append(args, result) {
			if a == bad {
				return bad
			}
		}
		return t.sorts.Function(args, result)
	case *syntax.SortStruct:
		return t.anonymous(s)
	}
	panic(diag.Bugf("sort expression %T", s))
}

func (t *sortTable) resolveAll(list []syntax.Sort) []*spec.Sort {
	var sorts []*spec.Sort
	for _, s := range list {
		sorts = append(sorts, t.resolve(s))
	}
	return sorts
}

// anonymous returns the sort of a struct that is written where a sort is used. It
// gets a name that nobody else has.
func (t *sortTable) anonymous(tree *syntax.SortStruct) *spec.Sort {
	key := t.key(tree, map[string]string{}, map[string]bool{})
	if s := t.structs[key]; s != nil {
		return s.sort
	}
	if t.closed {
		t.fail(tree.At, "the specification has no such struct")
		return bad
	}
	name := ""
	for n := len(t.order) + 1; ; n++ {
		name = fmt.Sprintf("Struct%d", n)
		if t.decls[name] == nil && t.names[name] == nil && t.sorts.Lookup(name) == nil {
			break
		}
	}
	s := &structSort{t.sorts.Declare(name), tree}
	s.sort.Struct = true
	t.names[name] = s.sort
	t.structs[key] = s
	t.order = append(t.order, s)
	return s.sort
}

// has reports whether s is x or is made of it.
func has(s, x *spec.Sort) bool {
	if s == x {
		return true
	}
	for _, a := range s.Args {
		if has(a, x) {
			return true
		}
	}
	return s.Result != nil && has(s.Result, x)
}

// join returns the least sort that expressions of the sorts a and b may both
// have, where elements of lists, sets and bags and results of functions are
// taken to adapt. It is nil if there is none.
func (t *sortTable) join(a, b *spec.Sort) *spec.Sort {
	switch {
	case a == b, b == hole, b == bad:
		return a
	case a == hole, a == bad:
		return b
	case a.Numeric() && b.Numeric():
		return t.sorts.Basic(max(a.Kind, b.Kind))
	case a.Kind == spec.Function && b.Kind == spec.Function && len(a.Args) == len(b.Args):
		args := make([]*spec.Sort, len(a.Args))
		for i := range args {
			x := t.join(a.Args[i], b.Args[i])
			if x == nil || a.Args[i] != b.Args[i] && !has(a.Args[i], hole) && !has(b.Args[i], hole) {
				return nil
			}
			args[i] = x
		}
		if r := t.join(a.Result, b.Result); r != nil {
			return t.sorts.Function(args, r)
		}
		return nil
	}
	k, ok := joinContainers(a.Kind, b.Kind)
	if !ok {
		return nil
	}
	if e := t.join(a.Args[0], b.Args[0]); e != nil {
		return t.sorts.Of(k, e)
	}
	return nil
}

func joinContainers(a, b spec.SortKind) (spec.SortKind, bool) {
	switch {
	case a == b && spec.List <= a && a <= spec.FBag:
		return a, true
	case a == spec.Set && b == spec.FSet, a == spec.FSet && b == spec.Set:
		return spec.Set, true
	case a == spec.Bag && b == spec.FBag, a == spec.FBag && b == spec.Bag:
		return spec.Bag, true
	}
	return 0, false
}

// casts returns how many steps there are from a to b, or -1 if there is no cast.
func (t *sortTable) casts(a, b *spec.Sort) int {
	switch {
	case a == b, has(a, bad), has(b, bad):
		return 0
	case a.Numeric() && b.Numeric() && a.Kind < b.Kind:
		return int(b.Kind - a.Kind)
	case (a.Kind == spec.FSet && b.Kind == spec.Set || a.Kind == spec.FBag && b.Kind == spec.Bag) && a.Args[0] == b.Args[0]:
		return 1
	}
	return -1
}

// place is a position without its file, for the second position of a message.
func place(p diag.Pos) string { return strings.TrimPrefix(p.String(), p.File+":") }
