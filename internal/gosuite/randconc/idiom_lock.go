package randconc

import "fmt"

var lockIdioms = []idiom{
	{Mutexes, 6, critical},
	{Mutexes, 2, twoLocks},
	{RWMutexes, 4, readWrite},
	{WaitGroups, 2, inner},
	{Onces, 3, once},
	{Conds | Mutexes, 4, cond},
}

// critical is a section that a mutex protects, in several routines.
func critical(g *generator) []part {
	return g.each(3, func() stmt {
		access := g.pick("$x++", "$x = r", "r = $x", "$x += 2")
		if g.has(Maps) && g.chance(4) {
			access = g.pick("$m[1]++", "r = $m[1]", "delete($m, 1)", "$s = append($s[:1], r)", "$m[r]++")
		}
		switch g.rnd.IntN(6) {
		case 0:
			return g.stmt(2, "func() {", "$mu.Lock()", "defer $mu.Unlock()", access, "}()")
		case 1:
			return g.stmt(2, "if $mu.TryLock() {", access, "$mu.Unlock()", "} else {", "r += 9", "}")
		case 2:
			return twice(g.stmt(2, "$mu.Lock()", access, "$mu.Unlock()"))
		}
		return g.stmt(2, "$mu.Lock()", access, "$mu.Unlock()")
	})
}

// twoLocks takes one lock inside another, in one order or in both.
func twoLocks(g *generator) []part {
	return g.each(2, func() stmt {
		if g.has(Faults) && g.chance(3) {
			return g.stmt(4, "$mu2.Lock()", "$mu.Lock()", "$w++", "$mu.Unlock()", "$mu2.Unlock()")
		}
		return g.stmt(4, "$mu.Lock()", "$mu2.Lock()", "$w++", "$mu2.Unlock()", "$mu.Unlock()")
	})
}

// readWrite reads and writes under the two sides of a lock.
func readWrite(g *generator) []part {
	return g.each(3, func() stmt {
		switch g.rnd.IntN(6) {
		case 0, 1:
			return g.stmt(2, "$rw.Lock()", g.pick("$y++", "$y = 2"), "$rw.Unlock()")
		case 2:
			if g.has(Faults) && g.chance(3) {
				// A second read lock waits for a writer that waits for the first.
				return g.stmt(4, "$rw.RLock()", "$rw.RLock()", "r = $y", "$rw.RUnlock()", "$rw.RUnlock()")
			}
			return g.stmt(2, "if $rw.TryRLock() {", "r = $y", "$rw.RUnlock()", "}")
		case 3:
			if g.has(Races) && g.chance(2) {
				return g.stmt(2, "$rw.RLock()", "$y++", "$rw.RUnlock()")
			}
			return g.stmt(2, "$rw.RLock()", "defer $rw.RUnlock()", "r = $y")
		}
		return g.stmt(2, "$rw.RLock()", "r = $y", "$rw.RUnlock()")
	})
}

// inner starts a goroutine inside a routine and waits for it with a WaitGroup of
// its own. It is no routine of the program: only its parent knows it.
func inner(g *generator) []part {
	v := g.local()
	lines := []string{
		"var " + v + " sync.WaitGroup", v + ".Add(1)",
		"go func() {", "defer " + v + ".Done()", g.pick("r++", "r += 2"), "}()",
		v + ".Wait()",
	}
	if g.has(Faults|Races) && g.chance(5) {
		lines = []string{"var " + v + " sync.WaitGroup", "go func() {", v + ".Add(1)", "r++", v + ".Done()", "}()", v + ".Wait()"}
	}
	return []part{{g.one(), g.stmt(4, lines...)}}
}

// once initialises a variable that all then read.
func once(g *generator) []part {
	value := g.chance(4)
	return g.each(3, func() stmt {
		if value {
			return g.stmt(3, "r += $value()")
		}
		init := g.pick("$z = 1", "$z++", "$z = r")
		if g.has(Panics) && g.chance(6) {
			init = "panic(\"boom\")"
		}
		return g.stmt(3, "$once.Do(func() {", init, "})", "r += $z")
	})
}

// cond waits for a condition and makes it true.
func cond(g *generator) []part {
	who := g.some(3)
	if len(who) < 2 {
		return nil
	}
	if g.chance(2) {
		who = who[:2]
	}
	wake := "$cond.Broadcast()"
	if g.chance(2) && (len(who) == 2 || g.has(Faults)) {
		wake = "$cond.Signal()"
	}
	signal := []string{"$mu.Lock()", "$ready = true", wake, "$mu.Unlock()"}
	if g.chance(4) {
		signal = []string{"$mu.Lock()", "$ready = true", "$mu.Unlock()", wake}
	}
	parts := []part{{who[0], g.stmt(3, signal...)}}
	for _, i := range who[1:] {
		loop := "for !$ready {"
		if g.has(Faults) && g.chance(6) {
			loop = fmt.Sprintf("if r < %d {", 1+g.rnd.IntN(3)) // waits even if it is too late
		}
		parts = append(parts, part{i, g.stmt(4, "$mu.Lock()", loop, "$cond.Wait()", "}", "r++", "$mu.Unlock()")})
	}
	return parts
}
