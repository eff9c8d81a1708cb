package randspec

import (
	"fmt"
	"slices"
	"strings"
)

// system returns processes side by side with operators around them.
func (g *generator) system() string {
	n := []int{1, 2, 2, 2, 3}[g.below(5)]
	var parts []string
	for range n {
		p := g.call(g.below(2), nil)
		if g.chance(20) {
			p = g.operator(p)
		}
		parts = append(parts, p)
	}
	if n == 3 && g.chance(50) {
		parts = []string{g.operator(parts[0] + " || " + parts[1]), parts[2]}
	}
	out := strings.Join(parts, " || ")
	if n == 3 {
		out = g.allow(g.comm(out)) // without it there are too many multi-actions
	}
	for range g.below(4) {
		out = g.operator(out)
	}
	return out
}

// operator returns body inside of an operator on actions.
func (g *generator) operator(body string) string {
	return g.pick(
		func() string { return fmt.Sprintf("block({%s}, %s)", strings.Join(g.some(2), ", "), body) },
		func() string { return fmt.Sprintf("hide({%s}, %s)", strings.Join(g.some(3), ", "), body) },
		func() string { return g.rename(body) },
		func() string { return g.comm(body) },
		func() string { return g.allow(g.comm(body)) },
	)
}

// some returns at least one and up to n names of actions.
func (g *generator) some(n int) []string {
	var out []string
	for range 1 + g.below(n) {
		f := g.families[g.below(len(g.families))]
		if a := g.oneOf(f.actions...); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
}

func (g *generator) rename(body string) string {
	f := g.families[g.below(len(g.families))]
	from := g.below(len(f.actions))
	out := f.actions[from] + " -> " + g.oneOf(f.actions...)
	if g.chance(30) {
		from = (from + 1) % len(f.actions)
		out += ", " + f.actions[from] + " -> " + g.oneOf(f.actions...)
	}
	return fmt.Sprintf("rename({%s}, %s)", out, body)
}

// comm returns communications. No action is in two of them, and what comes of
// one is not part of another.
func (g *generator) comm(body string) string {
	var rules []string
	for _, f := range g.families {
		if !g.chance(60) {
			continue
		}
		last := len(f.actions) - 1
		from := []string{f.actions[0]}
		for _, a := range f.actions[:last] {
			if len(from) == 1 || g.chance(15) {
				from = append(from, g.oneOf(a, f.actions[last-1]))
			}
		}
		rules = append(rules, strings.Join(from, "|")+" -> "+f.actions[last])
	}
	if rules == nil {
		rules = []string{"a|b -> c"}
	}
	return fmt.Sprintf("comm({%s}, %s)", strings.Join(rules, ", "), body)
}

// allow allows most single actions and some pairs.
func (g *generator) allow(body string) string {
	var sets []string
	for _, f := range g.families {
		for _, a := range f.actions {
			if g.chance(60) {
				sets = append(sets, a)
			}
		}
	}
	for range g.below(4) {
		pair := []string{}
		for range 2 + g.below(2) {
			f := g.families[g.below(len(g.families))]
			pair = append(pair, g.oneOf(f.actions...))
		}
		slices.Sort(pair)
		if s := strings.Join(pair, "|"); !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	if sets == nil {
		sets = []string{"a"}
	}
	return fmt.Sprintf("allow({%s}, %s)", strings.Join(sets, ", "), body)
}
