package randconc

// pooled gets something from a pool, uses it and puts it back, in several routines. A fault is to use it
// afterwards, or to put it back twice.
func pooled(g *generator) []part {
	return g.each(3, func() stmt {
		v := g.local()
		use := g.pick("*"+v+" = r", "r = *"+v, "*"+v+"++", "r += 4 * *"+v)
		get := v + " := $pool.Get().(*int)"
		switch g.rnd.IntN(7) {
		case 0:
			if g.has(Races) {
				return g.stmt(2, get, "$pool.Put("+v+")", use)
			}
		case 1:
			if g.has(Faults) && g.chance(2) {
				return g.stmt(3, get, use, "$pool.Put("+v+")", "$pool.Put("+v+")")
			}
			return g.stmt(2, "func() {", get, "defer $pool.Put("+v+")", use, "}()")
		case 2:
			return g.stmt(1, get, use) // it is not put back
		case 3:
			return g.stmt(2, "if "+v+", _ := $bare.Get().(*int); "+v+" != nil {", use, "}", "$bare.Put(&r)")
		case 4:
			return g.stmt(2, "if "+v+", ok := $bare.Get().(int); ok {", "r += "+v, "} else {", "$bare.Put(r)", "}")
		case 5:
			return twice(g.stmt(2, get, use, "$pool.Put("+v+")"))
		}
		return g.stmt(2, get, use, "$pool.Put("+v+")")
	})
}
