package randconc

import "fmt"

var dataIdioms = []idiom{
	{Races, 3, plain},
	{Races, 2, first},
	{Races | Maps, 2, plainMap},
	{Maps, 1, ownElement},
	{Channels, 2, handOver},
	{Panics, 3, panics},
	{Panics, 1, goexit},
}

// plain accesses a variable that may be protected elsewhere.
func plain(g *generator) []part {
	return g.each(2, func() stmt {
		return g.stmt(1, g.pick("$x = 1", "$x++", "r = $x", "$y = 1", "r = $y", "r = $w", "r = $z", "$h = 2"))
	})
}

// first lets the values of a race decide what happens next.
func first(g *generator) []part {
	return g.each(2, func() stmt {
		if g.has(Atomics) && g.chance(2) {
			return g.stmt(2, "if $x == 0 {", "$x = 1", "$a.Add(1)", "}")
		}
		return g.stmt(2, "if $x == 0 {", "$x = 1", "} else {", "r += 6", "}")
	})
}

// plainMap accesses a map or a slice without protection.
func plainMap(g *generator) []part {
	return g.each(2, func() stmt {
		return g.stmt(1, g.pick("$m[1] = 4", "r = $m[1]", "delete($m, 1)", "r = len($m)", "for k := range $m { r += k }",
			"$s[0]++", "$s[1] = 3", "r = $s[0]", "$s = append($s, 1)", "r = len($s)"))
	})
}

// ownElement accesses a slice at an element that no other routine uses.
func ownElement(g *generator) []part {
	a, b, ok := g.pair()
	if !ok {
		return nil
	}
	if !g.has(Races) {
		// Critical sections append to the slice.
		return nil
	}
	return []part{{a, g.stmt(1, "$s[0] += 1")}, {b, g.stmt(1, "$s[1] += 2")}}
}

// handOver writes, tells, and lets the other one read: no race, unless a fault
// is planted.
func handOver(g *generator) []part {
	if !g.has(Races) {
		return nil
	}
	a, b, ok := g.pair()
	if !ok {
		return nil
	}
	return []part{
		{a, g.stmt(1, "$h = "+g.number(), "$hc <- 1")},
		{b, g.stmt(1, "<-$hc", "r += $h", g.pick("$h = 0", "r++"))},
	}
}

// panics ends a routine with a panic, at times only on some schedules.
func panics(g *generator) []part {
	i := g.one()
	g.routines[i].recovers = g.chance(2)
	cond := ""
	switch g.rnd.IntN(5) {
	case 0:
		cond = fmt.Sprintf("if r > %d {", g.rnd.IntN(4))
	case 1:
		if g.has(Atomics) {
			cond = "if $a.Add(1) > 1 {"
		}
	case 2:
		if g.has(Channels) {
			cond = "if len($c) > 0 {"
		}
	case 3:
		if g.has(Maps) {
			return []part{{i, g.stmt(1, fmt.Sprintf("if r > %d {", g.rnd.IntN(2)), "out[r+9]++", "}")}}
		}
	}
	if cond == "" {
		cond = "if r != 0 {"
	}
	return []part{{i, g.stmt(1, cond, "panic(\"boom\")", "}")}}
}

// goexit ends a routine but not the program. Main has to return: otherwise the
// program could not end.
func goexit(g *generator) []part {
	i := g.one()
	if i == 0 {
		return nil
	}
	return []part{{i, g.stmt(1, "if r > 0 {", "runtime.Goexit()", "}")}}
}
