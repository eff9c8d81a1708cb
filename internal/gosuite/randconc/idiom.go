package randconc

import "fmt"

// An idiom writes operations that belong together into one or more routines.
type idiom struct {
	needs  Features
	weight int
	write  func(g *generator) []part
}

// idioms is filled by init, because the functions refer to the generator.
var idioms []idiom

func init() {
	for _, list := range [][]idiom{chanIdioms, lockIdioms, atomicIdioms, timeIdioms, dataIdioms, loopIdioms} {
		idioms = append(idioms, list...)
	}
}

// choose draws the few idioms that this program mixes. A program about
// everything would hardly ever let two operations meet on one variable.
func (g *generator) choose() {
	var bag []idiom
	for _, d := range idioms {
		if g.has(d.needs) {
			for range d.weight {
				bag = append(bag, d)
			}
		}
	}
	if len(bag) == 0 {
		bag = []idiom{{write: yield}}
	}
	for range 2 + g.rnd.IntN(3) {
		g.idioms = append(g.idioms, bag[g.rnd.IntN(len(bag))])
	}
	if g.o.Draws {
		g.idioms = append(g.idioms, idiom{write: draw})
	}
	if g.o.Pools {
		g.idioms = append(g.idioms, idiom{write: pooled}, idiom{write: pooled})
	}
	if g.o.Memory {
		g.idioms = append(g.idioms, g.of(memoryIdioms)...)
	}
	if g.o.Bubble {
		g.idioms = append(g.idioms, g.of(bubbleIdioms)...)
	}
}

// of draws a few of the idioms that the features allow.
func (g *generator) of(list []idiom) []idiom {
	var bag, drawn []idiom
	for _, d := range list {
		if g.has(d.needs) {
			for range d.weight {
				bag = append(bag, d)
			}
		}
	}
	for range 2 + g.rnd.IntN(2) {
		drawn = append(drawn, bag[g.rnd.IntN(len(bag))])
	}
	return drawn
}

// yield is what is left when all features are off.
func yield(g *generator) []part {
	return []part{{g.one(), g.stmt(1, "runtime.Gosched()", "r++")}}
}

// some returns n different routines that are no servers, or fewer if there are
// not so many. Main is among them once in a while.
func (g *generator) some(n int) []int {
	var who []int
	for _, i := range g.rnd.Perm(len(g.routines)) {
		if g.routines[i].server || i == 0 && !g.chance(3) {
			continue
		}
		who = append(who, i)
	}
	return who[:min(n, len(who))]
}

// one is one routine, main if all others are servers.
func (g *generator) one() int {
	if who := g.some(1); len(who) > 0 {
		return who[0]
	}
	return 0
}

// pair is two routines, and whether there are two.
func (g *generator) pair() (a, b int, ok bool) {
	who := g.some(2)
	if len(who) < 2 {
		return 0, 0, false
	}
	return who[0], who[1], true
}

// number is a small number or what the routine knows.
func (g *generator) number() string { return g.pick("1", "2", "r+1") }

// each gives the same operation, newly written each time, to up to n routines.
func (g *generator) each(n int, write func() stmt) []part {
	var parts []part
	for _, i := range g.some(1 + g.rnd.IntN(n)) {
		parts = append(parts, part{i, write()})
	}
	return parts
}

// twice puts a small loop around an operation.
func twice(s stmt) stmt {
	lines := append([]string{"for range 2 {"}, s.lines...)
	return stmt{lines: append(lines, "}"), cost: 2 * s.cost, also: s.also}
}

// receive is a receive from a channel of numbers into what the routine knows.
func (g *generator) receive(ch string) stmt {
	v := g.local()
	switch g.rnd.IntN(4) {
	case 0:
		return g.stmt(1, "<-$"+ch)
	case 1:
		return g.stmt(1, fmt.Sprintf("if %s, ok := <-$%s; ok {", v, ch), "r += "+v, "}")
	case 2:
		return g.stmt(1, fmt.Sprintf("%s := <-$%s", v, ch), "r += "+v)
	}
	return g.stmt(1, "r += <-$"+ch)
}
