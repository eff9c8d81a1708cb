package randspec

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A process is declared in a specification. A process calls others of its own
// level at the end only, and those of the next level anywhere: that keeps the
// specification regular.
type process struct {
	name   string
	params []variable
	level  int
}

// A family is a set of actions with the same sorts, so that they can be renamed
// to and communicate with each other.
type family struct {
	sorts   []kind
	actions []string
}

type generator struct {
	rand     *rand.Rand
	families []family
	procs    []process
	vars     int
	sums     int // in the current alternative
	timed    bool
	random   bool
}

func (g *generator) below(n int) int                { return g.rand.IntN(n) }
func (g *generator) chance(p int) bool              { return g.rand.IntN(100) < p }
func (g *generator) oneOf(s ...string) string       { return s[g.below(len(s))] }
func (g *generator) pick(f ...func() string) string { return f[g.below(len(f))]() }

// Text returns a specification. Every fifth has actions at a time.
func Text(seed uint64) string { return text(seed, false) }

// Chances returns a specification with dist.
func Chances(seed uint64) string { return text(seed, true) }

func text(seed uint64, chance bool) string {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 0x6d43524c32)), timed: seed%5 == 4 && !chance, random: chance}
	g.families = []family{
		{nil, []string{"a", "b", "c", "d"}},
		{[]kind{boolean}, []string{"p", "q", "r"}},
		{[]kind{enum}, []string{"s", "t", "u"}},
		{[]kind{small, enum}, []string{"v", "w"}},
	}
	for level := range 2 {
		for range 1 + g.below(2) {
			p := process{name: fmt.Sprintf("P%d", len(g.procs)), level: level}
			for range g.below(3) {
				p.params = append(p.params, g.variable(kind(g.below(int(kinds)))))
			}
			g.procs = append(g.procs, p)
		}
	}
	var b strings.Builder
	b.WriteString(dataText)
	b.WriteString("act  ")
	for _, f := range g.families {
		b.WriteString(strings.Join(f.actions, ", "))
		for i, k := range f.sorts {
			b.WriteString([]string{": ", " # "}[min(i, 1)] + sortNames[k])
		}
		b.WriteString(";\n     ")
	}
	b.WriteString("\n")
	for _, p := range g.procs {
		b.WriteString("proc " + p.name)
		for i, v := range p.params {
			b.WriteString([]string{"(", ", "}[min(i, 1)] + v.name + ": " + sortNames[v.kind])
		}
		if len(p.params) > 0 {
			b.WriteString(")")
		}
		body := g.body(p)
		if g.random && p.level == 0 && g.chance(30) {
			body = g.dist(p.params, func([]variable) string { return "(" + body + ")" })
		}
		b.WriteString(" =\n  " + body + ";\n")
	}
	b.WriteString("init " + g.system() + ";\n")
	return b.String()
}

func (g *generator) variable(k kind) variable {
	g.vars++
	return variable{fmt.Sprintf("x%d", g.vars), k}
}

// body returns the alternatives of a process.
func (g *generator) body(p process) string {
	var alts []string
	for range 1 + g.below(3) {
		g.sums = 0
		alts = append(alts, g.alternative(p.level, p.params, 2))
	}
	return strings.Join(alts, " +\n  ")
}

// alternative returns a process that begins with an action.
func (g *generator) alternative(level int, scope []variable, depth int) string {
	if g.sums < 2 && g.chance(30) {
		k := kind(g.below(int(kinds)))
		if k.finite() && (k != record || g.sums == 0 && g.chance(30)) {
			g.sums++
			v := g.variable(k)
			return fmt.Sprintf("(sum %s: %s. %s)", v.name, sortNames[k], g.alternative(level, append(scope[:len(scope):len(scope)], v), depth))
		}
	}
	if g.chance(40) {
		c := g.expr(boolean, scope, 2)
		then := g.alternative(level, scope, depth)
		if g.chance(30) {
			return fmt.Sprintf("((%s) -> %s <> %s)", c, then, g.alternative(level, scope, depth))
		}
		return fmt.Sprintf("((%s) -> %s)", c, then)
	}
	first := g.multi(scope)
	if level == 0 && g.chance(10) {
		first = g.nested(scope, depth)
	}
	if g.timed && g.chance(40) {
		first = fmt.Sprintf("((%s) @ %s)", first, g.time(scope))
	}
	if g.random && g.chance(50) {
		next := func(scope []variable) string { return g.alternative(level, scope, depth-1) }
		if depth == 0 {
			next = func(scope []variable) string { return g.multi(scope) + " . " + g.call(level, scope) }
		}
		switch g.below(4) {
		case 0:
			return fmt.Sprintf("(%s . (%s + %s))", first, g.dist(scope, next), next(scope))
		case 1:
			return fmt.Sprintf("(%s . ((%s) -> %s + %s))", first, g.expr(boolean, scope, 1), g.dist(scope, next), next(scope))
		case 2:
			return fmt.Sprintf("(%s . ((%s) -> %s <> %s))", first, g.expr(boolean, scope, 1), g.dist(scope, next), next(scope))
		}
		return fmt.Sprintf("(%s . %s)", first, g.dist(scope, next))
	}
	switch n := g.below(40); {
	case n < 3:
		return first
	case n < 5:
		return "(" + first + " . delta)"
	case n < 15 && depth > 0:
		return fmt.Sprintf("(%s . (%s + %s))", first, g.alternative(level, scope, depth-1), g.alternative(level, scope, depth-1))
	case n < 22 && level == 0 && depth > 0:
		return fmt.Sprintf("(%s . %s . %s)", first, g.nested(scope, depth-1), g.call(level, scope))
	}
	return fmt.Sprintf("(%s . %s)", first, g.call(level, scope))
}

// time returns a time: a few of them, so that time comes to an end.
func (g *generator) time(scope []variable) string {
	return g.pick(
		func() string { return g.oneOf("0", "1", "2", "3", "(1/2)") },
		func() string { return fmt.Sprintf("(%s + 1)", g.expr(small, scope, 1)) },
		func() string { return fmt.Sprintf("(%s / 2)", g.expr(small, scope, 0)) },
	)
}

// dist returns a distribution and what comes then.
func (g *generator) dist(scope []variable, next func(scope []variable) string) string {
	v := g.variable([]kind{boolean, enum}[g.below(2)])
	weight := fmt.Sprintf("if(%s == e0, 1/2, 1/4)", v.name)
	if v.kind == boolean {
		weight = g.pick(
			func() string { return "1/2" },
			func() string { return fmt.Sprintf("if(%s, 1/3, 2/3)", v.name) },
			func() string { return fmt.Sprintf("if(%s == (%s), 1/4, 3/4)", v.name, g.expr(boolean, scope, 1)) },
			func() string { return fmt.Sprintf("if(%s, 1, 0)", v.name) },
		)
	}
	return fmt.Sprintf("(dist %s: %s[%s]. %s)", v.name, sortNames[v.kind], weight, next(append(scope[:len(scope):len(scope)], v)))
}

// multi returns an action or several at once.
func (g *generator) multi(scope []variable) string {
	if g.chance(5) {
		return "tau"
	}
	out := g.action(scope)
	for g.chance(15) {
		out += "|" + g.action(scope)
	}
	return out
}

func (g *generator) action(scope []variable) string {
	f := g.families[g.below(len(g.families))]
	out := g.oneOf(f.actions...)
	for i, k := range f.sorts {
		out += []string{"(", ", "}[min(i, 1)] + g.expr(k, scope, 1)
	}
	if len(f.sorts) > 0 {
		out += ")"
	}
	return out
}

// call returns a call of a process of a level.
func (g *generator) call(level int, scope []variable) string {
	var of []process
	for _, p := range g.procs {
		if p.level == level {
			of = append(of, p)
		}
	}
	p := of[g.below(len(of))]
	if len(p.params) == 0 {
		return p.name
	}
	var args []string
	for _, v := range p.params {
		e := g.expr(v.kind, scope, 2)
		if v.kind == small {
			e = "add(" + e + ", 0)"
		}
		args = append(args, e)
	}
	return p.name + "(" + strings.Join(args, ", ") + ")"
}

// nested returns a process made of calls of the next level.
func (g *generator) nested(scope []variable, depth int) string {
	call := func() string { return g.call(1, scope) }
	return g.pick(
		call,
		call,
		func() string { return fmt.Sprintf("(%s || %s)", call(), g.multi(scope)) },
		func() string { return fmt.Sprintf("(%s ||_ %s)", call(), call()) },
		func() string { return fmt.Sprintf("(%s | %s)", call(), call()) },
		func() string { return g.operator(fmt.Sprintf("%s || %s", call(), call())) },
		func() string { return g.operator(call()) },
	)
}
