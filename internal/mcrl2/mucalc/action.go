package mucalc

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// A matcher tells whether multi-actions are in action formulas. For a label, an
// action formula is a condition over variables: a(x) says of a(3) that x == 3. So
// quantifiers are left to the engine.
type matcher struct {
	c     *compiler
	sys   *state.System
	known map[matchKey]*data.Code
	parts map[lts.Label][]state.Performed
}

type matchKey struct {
	node  int
	label lts.Label
}

// code returns the condition of a label for a modal node.
func (m *matcher) code(n *node, l lts.Label) (*data.Code, error) {
	key := matchKey{n.id, l}
	code, ok := m.known[key]
	if !ok {
		parts, seen := m.parts[l]
		if !seen {
			parts = m.sys.Performed(l)
			m.parts[l] = parts
		}
		x := m.cond(n.act, parts)
		if m.c.err == nil {
			code = m.c.code(x)
		}
		if m.c.err != nil {
			return nil, m.c.err
		}
		m.known[key] = code
	}
	return code, nil
}

// cond returns the condition under which a multi-action is in a formula.
func (m *matcher) cond(a formula.Action, parts []state.Performed) spec.Expr {
	lib := m.c.lib
	switch a := a.(type) {
	case *formula.ActBool:
		return lib.Bool(a.Value)
	case *formula.ActVal:
		return a.E
	case *formula.ActNot:
		return lib.Not(m.cond(a.X, parts))
	case *formula.ActAnd:
		return lib.And(m.cond(a.X, parts), m.cond(a.Y, parts))
	case *formula.ActOr:
		return lib.Or(m.cond(a.X, parts), m.cond(a.Y, parts))
	case *formula.ActImplies:
		return lib.Or(lib.Not(m.cond(a.X, parts)), m.cond(a.Y, parts))
	case *formula.ActForall:
		return m.quantified(spec.Forall, a.Vars, m.cond(a.X, parts), a.Pos())
	case *formula.ActExists:
		return m.quantified(spec.Exists, a.Vars, m.cond(a.X, parts), a.Pos())
	case *formula.Multi:
		if len(a.Actions) != len(parts) {
			return lib.False()
		}
		return m.assign(a, parts, make([]bool, len(parts)), 0)
	}
	m.c.fail(a.Pos(), "time of an action")
	return lib.False()
}

func (m *matcher) quantified(b spec.Binder, vars []*spec.Var, x spec.Expr, at diag.Pos) spec.Expr {
	if spec.IsOp(x, spec.OpTrue) || spec.IsOp(x, spec.OpFalse) {
		return x
	}
	return &spec.Abs{Kind: b, Vars: vars, Body: x, Of: m.c.lib.Sorts.Basic(spec.Bool), At: at}
}

// assign returns the condition under which the actions from the i-th on are those
// that are not used yet, in some order.
func (m *matcher) assign(a *formula.Multi, parts []state.Performed, used []bool, i int) spec.Expr {
	lib := m.c.lib
	if i == len(a.Actions) {
		return lib.True()
	}
	any := lib.False()
	for k, p := range parts {
		if used[k] || !sameAction(a.Actions[i].Action, p.Action) {
			continue
		}
		same := lib.True()
		for j, x := range a.Actions[i].Args {
			v := m.sys.Engine().Expr(p.Args[j], p.Action.Args[j])
			if v == nil {
				m.c.fail(x.Pos(), "an argument of %s that cannot be written down", p.Action.Name)
				return any
			}
			same = lib.And(same, lib.Eq(x, v))
		}
		used[k] = true
		any = lib.Or(any, lib.And(same, m.assign(a, parts, used, i+1)))
		used[k] = false
	}
	return any
}

func sameAction(a, b *spec.Action) bool {
	if a.Name != b.Name || len(a.Args) != len(b.Args) {
		return false
	}
	for i, s := range a.Args {
		if s != b.Args[i] {
			return false
		}
	}
	return true
}
