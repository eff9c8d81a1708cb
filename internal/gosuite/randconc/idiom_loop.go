package randconc

import "fmt"

// What reduction treats in a special way: loops that count and loops that do not,
// variables of the package that some only read, groups that several count down,
// looks at the clock, goroutines that start their successors.
var loopIdioms = []idiom{
	{0, 5, countedLoop},
	{Races | Maps, 3, table},
	{Mutexes | Maps, 3, guardedTable},
	{Races | Servers, 1, flagLoop},
	{WaitGroups, 4, group},
	{Timers, 2, lookAtClock},
	{Atomics, 2, successors},
}

// turnOver is the body of a loop: an operation that others see.
func (g *generator) turnOver() (lines []string, cost int) {
	switch {
	case g.has(Mutexes) && g.chance(2):
		return []string{"$mu.Lock()", g.pick("$x++", "r += $x", "$x = 3"), "$mu.Unlock()"}, 2
	case g.has(Atomics):
		return []string{g.pick("$a.Add(1)", "r = int($a.Load())", "$a.Store(2)")}, 1
	}
	return []string{"runtime.Gosched()", "r++"}, 1
}

// countedLoop repeats an operation in one of the ways to count.
func countedLoop(g *generator) []part {
	return g.each(2, func() stmt {
		v, w := g.local(), g.local()
		op, cost := g.turnOver()
		in := func(head []string, tail ...string) stmt {
			lines := append(head, op...)
			return g.stmt(2*cost, append(lines, tail...)...)
		}
		switch g.rnd.IntN(10) {
		case 0:
			return in([]string{"for " + v + " := range 3 {"}, "if "+v+" == 1 {", "break", "}", "}")
		case 1:
			return in([]string{"for " + v + " := 2; " + v + " > 0; " + v + "-- {"}, "}")
		case 2:
			return in([]string{"for " + v + " := range [...]int{4, 5, 6} {", "if " + v + " == 1 {", "continue", "}"}, "}")
		case 3:
			return in([]string{"for " + v + " := range 2 {", "for " + w + " := range 2 {", "if " + w + " > " + v + " {", "break", "}"}, "}", "}")
		case 4: // A label must not occur twice in a function, also if a fault doubles it.
			return in([]string{"func() {", v + " := 0", "again:"}, "if "+v+"++; "+v+" < 2 {", "goto again", "}", "}()")
		case 5:
			return in([]string{"for " + v + " := 0; ; " + v + "++ {"}, "if "+v+" == 1 {", "break", "}", "}")
		case 6:
			return in([]string{"for " + v + " := uint8(254); " + v + " > 0; " + v + "++ {"}, "}")
		case 7:
			return in([]string{"for " + v + " := 0; " + v + " < 2; {"}, "if r > 1 {", v+"++", "continue", "}", v+" += 2", "}")
		case 8:
			return in([]string{"for {"}, "if r++; r > 1 {", "break", "}", "}")
		}
		return in([]string{"for _, " + v + " := range [...]int{1, 2} {", "r += " + v}, "}")
	})
}

// table reads a table of the package in a loop while another routine may write it.
func table(g *generator) []part {
	v := g.local()
	parts := g.each(2, func() stmt {
		op, cost := g.turnOver()
		return g.stmt(cost, append(op, "for _, "+v+" := range $tab {", "r += "+v, "}")...)
	})
	if g.chance(3) {
		parts = append(parts, part{g.one(), g.stmt(1, g.pick("$tab[1] = 5", "$tab = nil", "$tab = append($tab[:1], 7)", "copy($tab, []int{9})", "clear($tab)"))})
	}
	return parts
}

// guardedTable does so under a lock.
func guardedTable(g *generator) []part {
	write := g.chance(2)
	return g.each(3, func() stmt {
		access := "r += $tab[len($tab)-1]"
		if write && g.chance(2) {
			access = g.pick("$tab[2]++", "$tab = append($tab, 1)")
		}
		return g.stmt(2, "$mu2.Lock()", access, "$mu2.Unlock()")
	})
}

// flagLoop looks at a flag that is mostly never set.
func flagLoop(g *generator) []part {
	op, cost := g.turnOver()
	parts := []part{{g.one(), g.stmt(2*cost, append(append([]string{"for range 2 {"}, op...), "if $flag {", "return", "}", "}")...)}}
	if g.chance(3) {
		parts = append(parts, part{g.one(), g.stmt(1, "$flag = true")})
	}
	return parts
}

// group lets several count a WaitGroup down that main has counted up, or that is
// counted up too late.
func group(g *generator) []part {
	who := g.some(4)
	if len(who) < 2 {
		return nil
	}
	parts := []part{{who[0], g.stmt(1, "$wg2.Wait()", "r += 2")}}
	for _, i := range who[1:] {
		switch {
		case g.has(Faults) && g.chance(6):
			op, cost := g.turnOver()
			parts = append(parts, part{i, g.stmt(2+cost, append(append([]string{"$wg2.Add(1)"}, op...), "$wg2.Done()")...)})
		case g.has(Faults) && g.chance(12):
			parts = append(parts, part{i, g.stmt(1, "$wg2.Done()")})
		default:
			op, cost := g.turnOver()
			s := g.stmt(1+cost, append(op, "$wg2.Done()")...)
			s.counts = 1
			parts = append(parts, part{i, s})
		}
	}
	return parts
}

// lookAtClock looks at the time that an operation takes, which is none unless
// somebody waits for the clock.
func lookAtClock(g *generator) []part {
	return g.each(2, func() stmt {
		v := g.local()
		op, cost := g.turnOver()
		return g.stmt(2+cost, append(append([]string{v + " := time.Now()"}, op...), "if time.Since("+v+") > 0 {", "r += 3", "}")...)
	})
}

// successors is a few goroutines of which each starts the next.
func successors(g *generator) []part {
	v := g.local()
	op, cost := g.turnOver()
	for i, l := range op { // r is the routine's own
		if l == "r += $x" || l == "r = int($a.Load())" || l == "r++" {
			op[i] = "$a.Add(2)"
		}
	}
	lines := append([]string{"var " + v + " func(int)", v + " = func(n int) {"}, op...)
	lines = append(lines, fmt.Sprintf("if n < %d {", 1+g.rnd.IntN(2)), "go "+v+"(n + 1)", "}", "}", "go "+v+"(0)")
	return []part{{g.one(), also(2*cost, g.stmt(1, lines...))}}
}
