// Package randformula makes small models in mCRL2 and formulas of the modal mu-calculus about them, for tests.
package randformula

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Maker makes random models and formulas, the same of the same seed.
type Maker struct {
	*rand.Rand
	count int
}

// New returns a maker that begins with two numbers.
func New(seed, stream uint64) *Maker { return &Maker{Rand: rand.New(rand.NewPCG(seed, stream))} }

var multiActions = []string{"tau", "a", "b", "a|b", "c(true)", "c(false)"}

// Model returns a specification of a process with at most six states.
func (m *Maker) Model() string {
	n := 1 + m.IntN(6)
	var alternatives []string
	for range m.IntN(3 * n) {
		alternatives = append(alternatives, fmt.Sprintf("(s == %d) -> %s . X(%d)", m.IntN(n), multiActions[m.IntN(len(multiActions))], m.IntN(n)))
	}
	alternatives = append(alternatives, "(s == 99) -> a . X(0)")
	return "act a, b; c: Bool; proc X(s: Nat) = " + strings.Join(alternatives, " + ") + "; init X(0);"
}

// Pair returns a model of two random processes side by side, which synchronise on
// some actions.
func (m *Maker) Pair() string {
	proc := func(name string) string {
		text := strings.NewReplacer("X(", name+"(", "X(s", name+"(s").Replace(m.Model())
		_, text, _ = strings.Cut(text, "proc ")
		text, _, _ = strings.Cut(text, " init")
		return "proc " + text + "\n"
	}
	init := m.pick(
		func() string { return "P(0) || Q(0)" },
		func() string { return "allow({a, b, c, a|b}, P(0) || Q(0))" },
		func() string { return "hide({b}, allow({a, b, c}, comm({a|b -> a}, P(0) || Q(0))))" },
	)
	return "act a, b; c: Bool;\n" + proc("P") + proc("Q") + "init " + init + ";"
}

func (m *Maker) pick(list ...func() string) string { return list[m.IntN(len(list))]() }

// Formula returns a state formula about such models.
func (m *Maker) Formula() string { return m.formula(4, nil, nil, nil) }

// formula returns a state formula. names are those of fixed points that stand
// under an even number of negations, others those under an odd one; vars are
// variables of sort Bool.
func (m *Maker) formula(depth int, names, others, vars []string) string {
	sub := func() string { return m.formula(depth-1, names, others, vars) }
	not := func() string { return m.formula(depth-1, others, names, vars) }
	if depth == 0 {
		if len(names) > 0 && m.IntN(3) > 0 {
			return names[m.IntN(len(names))]
		}
		return []string{"true", "false"}[m.IntN(2)]
	}
	fix := func() string {
		m.count++
		x := fmt.Sprintf("X%d", m.count)
		return fmt.Sprintf("(%s %s. %s)", []string{"mu", "nu"}[m.IntN(2)], x, m.formula(depth-1, append(names[:len(names):len(names)], x), others, vars))
	}
	must := func() string { return fmt.Sprintf("[%s]%s", m.regular(2, vars), sub()) }
	may := func() string { return fmt.Sprintf("<%s>%s", m.regular(2, vars), sub()) }
	quantified := func() string {
		m.count++
		x := fmt.Sprintf("x%d", m.count)
		return fmt.Sprintf("(%s %s: Bool. %s)", []string{"forall", "exists"}[m.IntN(2)], x, m.formula(depth-1, names, others, append(vars[:len(vars):len(vars)], x)))
	}
	return m.pick(fix, fix, fix, must, must, may, may, quantified,
		func() string { return "!" + not() },
		func() string { return fmt.Sprintf("(%s && %s)", sub(), sub()) },
		func() string { return fmt.Sprintf("(%s || %s)", sub(), sub()) },
		func() string { return fmt.Sprintf("(%s => %s)", not(), sub()) })
}

func (m *Maker) regular(depth int, vars []string) string {
	if depth == 0 || m.IntN(3) == 0 {
		return m.action(2, vars)
	}
	sub := func() string { return m.regular(depth-1, vars) }
	return m.pick(
		func() string { return fmt.Sprintf("(%s) . (%s)", sub(), sub()) },
		func() string { return fmt.Sprintf("(%s) + (%s)", sub(), sub()) },
		func() string { return fmt.Sprintf("(%s)*", sub()) },
		func() string { return fmt.Sprintf("(%s)+", sub()) })
}

func (m *Maker) action(depth int, vars []string) string {
	if depth == 0 || m.IntN(2) == 0 {
		if len(vars) > 0 && m.IntN(2) == 0 {
			return fmt.Sprintf("c(%s)", vars[m.IntN(len(vars))])
		}
		return append(multiActions, "true")[m.IntN(len(multiActions)+1)]
	}
	sub := func() string { return m.action(depth-1, vars) }
	return m.pick(
		func() string { return fmt.Sprintf("!(%s)", sub()) },
		func() string { return fmt.Sprintf("((%s) && (%s))", sub(), sub()) },
		func() string { return fmt.Sprintf("((%s) || (%s))", sub(), sub()) },
		func() string { return fmt.Sprintf("(exists y: Bool. c(y) && !(%s))", sub()) })
}
