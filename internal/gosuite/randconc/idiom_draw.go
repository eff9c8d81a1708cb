package randconc

// draw lets a random number decide what a routine knows or does.
func draw(g *generator) []part {
	return g.each(2, func() stmt {
		lines := []string{"r += rand.IntN(3)"}
		switch g.rnd.IntN(6) {
		case 0:
			lines = []string{"r = oldrand.Intn(2)"}
		case 1:
			lines = []string{"r += oldrand.Perm(2)[0]"}
		case 2:
			if g.has(Atomics) {
				lines = []string{"if rand.IntN(2) == 0 {", "$a.Add(1)", "}"}
			}
		case 3:
			if g.has(Channels) {
				lines = []string{"if oldrand.Int31n(2) == 1 {", "select {", "case $c <- 1:", "default:", "}", "}"}
			}
		case 4:
			if g.has(Races) {
				lines = []string{"if rand.N(2) > 0 {", "$x++", "}"}
			}
		}
		return g.stmt(2, lines...)
	})
}
