package randconc

var atomicIdioms = []idiom{
	{Atomics, 6, counter},
	{Atomics, 2, compareLoop},
	{Atomics, 3, publish},
	{Atomics, 1, oldStyle},
	{Atomics | Servers, 1, spin},
	{Atomics | Channels, 2, owner},
}

// counter operates on a number without a lock.
func counter(g *generator) []part {
	return g.each(3, func() stmt {
		// What depends on the order of operations multiplies the states, so it is
		// dearer, and it replaces what the routine knew before.
		s := g.stmt(1, g.pick("$a.Add(1)", "$a.Store(3)", "$a.CompareAndSwap(0, 1)"))
		if g.chance(2) {
			s = g.stmt(2, g.pick("r = int($a.Add(1))", "r = int($a.Load())", "r = int($a.Swap(2))", "if $a.CompareAndSwap(0, 1) { r = 4 }"))
		}
		if g.chance(6) {
			return twice(s)
		}
		return s
	})
}

// compareLoop adds by comparing and swapping, or loses an addition.
func compareLoop(g *generator) []part {
	return g.each(2, func() stmt {
		v := g.local()
		if g.chance(3) {
			return g.stmt(3, v+" := $a.Load()", "$a.Store("+v+" + 1)")
		}
		return g.stmt(4, "for {", v+" := $a.Load()", "if $a.CompareAndSwap("+v+", "+v+"+1) {", "break", "}", "}")
	})
}

// publish makes an object known through an atomic variable.
func publish(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	p, q := g.local(), g.local()
	if g.chance(3) {
		return []part{
			{from, g.stmt(1, "$av.Store("+g.number()+")")},
			{to, g.stmt(1, "if "+q+", ok := $av.Load().(int); ok {", "r += "+q, "}")},
		}
	}
	write := []string{p + " := new(int)", "*" + p + " = 5", "$ap.Store(" + p + ")"}
	if g.has(Races) && g.chance(4) {
		write = append(write, "*"+p+" = 6")
	}
	return []part{
		{from, g.stmt(1, write...)},
		{to, g.stmt(1, "if "+q+" := $ap.Load(); "+q+" != nil {", "r = *"+q, "}")},
	}
}

// oldStyle uses the functions of package atomic, and not always.
func oldStyle(g *generator) []part {
	return g.each(2, func() stmt {
		if g.has(Races) && g.chance(3) {
			return g.stmt(1, g.pick("$n++", "r = int($n)"))
		}
		return g.stmt(1, g.pick("atomic.AddInt32(&$n, 1)", "r = int(atomic.LoadInt32(&$n))", "atomic.StoreInt32(&$n, 2)"))
	})
}

// spin waits by looking again and again.
func spin(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	loop := g.stmt(2, "for $a.Load() == 0 {", "}")
	if g.chance(2) {
		loop = g.stmt(2, "for $a.Load() == 0 {", "runtime.Gosched()", "}")
	}
	return []part{{from, g.stmt(1, "$a.Store(1)")}, {to, loop}}
}

// owner lets the one who comes first do the work and close the channel.
func owner(g *generator) []part {
	if !g.mayClose("stop") {
		return nil
	}
	return g.each(2, func() stmt {
		if g.has(Faults) && g.chance(4) {
			return g.stmt(2, "if $a.Load() == 0 {", "$a.Store(1)", "close($stop)", "}")
		}
		return g.stmt(2, "if $a.CompareAndSwap(0, 1) {", "close($stop)", "} else {", "<-$stop", "}")
	})
}
