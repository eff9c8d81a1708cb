package randconc

import "fmt"

// bubbleIdioms are about the time of a bubble, and about who waits for what in it.
var bubbleIdioms = []idiom{
	{0, 3, settle},
	{0, 3, nap},
	{Timers, 1, afterFunc},
	{Timers | Channels | Selects, 1, timeout},
	{Timers | Channels | Selects, 1, ticking},
}

// bubble is declared by programs whose main function is a bubble. Package testing/synctest has
// it for tests alone. They need -ldflags=-checklinkname=0 and an empty file in assembly to be built by Go.
const bubble = `
//go:linkname bubbled internal/synctest.Run
func bubbled(f func())

//go:linkname settle internal/synctest.Wait
func settle()
`

// settle waits until all others of the bubble wait. Two who do so at once are a fault.
func settle(g *generator) []part {
	if g.settles && !(g.has(Faults) && g.chance(6)) {
		return nil
	}
	g.settles = true
	s := g.stmt(1, "settle()")
	if g.has(Races) && g.chance(3) {
		s = g.stmt(1, "settle()", "r += $h")
	}
	return []part{{g.one(), s}}
}

// nap sleeps in the time of the bubble, and may look at it.
func nap(g *generator) []part {
	return g.each(2, func() stmt {
		d := g.pick("time.Millisecond", "2 * time.Millisecond", "time.Second", "time.Hour")
		if g.chance(3) {
			v := g.local()
			return also(1, g.stmt(1, v+" := time.Now()", "time.Sleep("+d+")", "r += int(time.Since("+v+") / time.Millisecond)"))
		}
		return also(1, g.stmt(1, "time.Sleep("+d+")"))
	})
}

// ticking waits for a ticker once or twice, or for a message.
func ticking(g *generator) []part {
	v := g.local()
	lines := []string{v + " := time.NewTicker(time.Millisecond)", fmt.Sprintf("for range %d {", 1+g.rnd.IntN(2)), "select {", "case <-" + v + ".C:", "r++", "case v := <-$c:", "r += v", "}", "}"}
	if g.chance(2) {
		lines = append(lines, v+".Stop()")
	}
	return []part{{g.one(), also(2, g.stmt(3, lines...))}}
}
