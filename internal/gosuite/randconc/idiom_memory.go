package randconc

// memoryIdioms are about what becomes of memory that nobody uses any more.
var memoryIdioms = []idiom{
	{0, 1, collection},
	{0, 2, dying},
	{0, 2, watched},
	{0, 2, dropped},
}

// thing is declared by programs that have something to collect. It has a pointer, since small things without one are
// allocated together, and it is not made by a literal, since that of a package variable may never be collected.
const thing = `
type thing struct {
	next *thing
	n    int
}

//go:noinline
func newThing(n int) *thing { return &thing{n: n} }
`

// collection collects what nobody uses.
func collection(g *generator) []part {
	return g.each(2, func() stmt { return also(1, g.stmt(1, "runtime.GC()")) })
}

// last is what somebody does when a thing is collected.
func (g *generator) last() []string {
	switch g.rnd.IntN(6) {
	case 0:
		if g.has(Channels) {
			return []string{g.pick("$c <- 4", "<-$c", "select {\ncase $c <- 4:\ndefault:\n}")}
		}
	case 1:
		if g.has(Mutexes) {
			return []string{"$mu.Lock()", "$x += 4", "$mu.Unlock()"}
		}
	case 2:
		if g.has(Races) {
			return []string{g.pick("$x = 4", "$h++")}
		}
	case 3:
		if g.has(Channels) && g.mayClose("stop") {
			return []string{"close($stop)"}
		}
	}
	return []string{"$a.Add(4)"}
}

// dying is a thing with a finalizer or cleanups, which is collected some time.
func dying(g *generator) []part {
	v, u := g.local(), g.local()
	lines := []string{v + " := newThing(r)"}
	what := g.rnd.IntN(3)
	if what == 0 {
		lines = append(lines, "runtime.SetFinalizer("+v+", func(t *thing) {")
		lines = append(append(lines, g.last()...), g.pick("t.n++", "_ = t.n", "$keep = t"), "})")
	} else {
		lines = append(lines, u+" := runtime.AddCleanup("+v+", func(n int) {")
		lines = append(append(lines, g.last()...), "}, r)")
		if what == 2 && g.chance(2) {
			lines = append(lines, "runtime.AddCleanup("+v+", func(n int) {")
			lines = append(append(lines, g.last()...), "}, 1)")
		}
	}
	cost := 2
	if g.chance(4) {
		lines, cost = append(lines, "r += "+v+".n", "runtime.KeepAlive("+v+")"), cost+1
	}
	switch {
	case g.chance(3):
		lines, cost = append(lines, "runtime.GC()"), cost+1
		if what == 0 && g.chance(2) {
			lines = append(lines, "runtime.KeepAlive("+v+")")
		}
	case what == 0 && g.chance(2):
		lines, cost = append(lines, "runtime.SetFinalizer("+v+", nil)"), cost+1
	}
	if what > 0 {
		if g.chance(3) {
			lines, cost = append(lines, u+".Stop()"), cost+1
		} else {
			lines = append(lines, "_ = "+u)
		}
	}
	parts := []part{{g.one(), also(3, g.stmt(cost, lines...))}}
	if g.chance(2) {
		parts = append(parts, part{g.one(), also(1, g.stmt(1, "runtime.GC()"))})
	}
	return parts
}

// watched looks at a thing by a weak pointer.
func watched(g *generator) []part {
	v, w := g.local(), g.local()
	lines := []string{v + " := newThing(2)", w + " := weak.Make(" + v + ")"}
	if g.chance(2) {
		lines = append(lines, "runtime.GC()")
	}
	lines = append(lines, "if p := "+w+".Value(); p != nil {", "r += p.n", "}")
	if g.chance(2) {
		lines = append(lines, "runtime.KeepAlive("+v+")")
	}
	return []part{{g.one(), also(1, g.stmt(2, lines...))}}
}

// dropped is a thing that all can see until somebody drops it. Mostly its lock protects it.
func dropped(g *generator) []part {
	drop := []string{"$keep = " + g.pick("nil", "nil", "newThing(5)")}
	if !g.has(Races) || !g.chance(5) {
		drop = append([]string{"$kmu.Lock()"}, append(drop, "$kmu.Unlock()")...)
	}
	parts := []part{{g.one(), g.stmt(2, drop...)}}
	if g.chance(2) {
		parts[0].stmt = also(1, g.stmt(3, append(drop, "runtime.GC()")...))
	} else {
		parts = append(parts, part{g.one(), also(1, g.stmt(1, "runtime.GC()"))})
	}
	look := []string{"if p := $wk.Value(); p != nil {", g.pick("r += p.n", "r++", "$kmu.Lock()\n$keep = p\n$kmu.Unlock()"), "}"}
	for range 1 + g.rnd.IntN(2) {
		parts = append(parts, part{g.one(), g.stmt(1, look...)})
	}
	if g.chance(3) {
		parts = append(parts, part{g.one(), g.stmt(2, "$kmu.Lock()", "if $keep != nil && $wk == weak.Make($keep) {", "r += 3", "}", "$kmu.Unlock()")})
	}
	return parts
}
