package randconc

var timeIdioms = []idiom{
	{Contexts, 4, cancelled},
	{Contexts | Channels | Selects, 3, cancellable},
	{Timers, 2, sleep},
	{Timers | Channels | Selects, 3, timeout},
	{Timers, 2, afterFunc},
}

// also gives an operation others that happen besides.
func also(n int, s stmt) stmt {
	s.also = n
	return s
}

// cancel ends the context. It takes locks and tells the clock.
func (g *generator) cancel(text string) stmt {
	if g.timeout {
		return also(2, g.stmt(6, text))
	}
	return g.stmt(5, text)
}

// cancelled waits for a context that another routine cancels.
func cancelled(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	wait := g.stmt(2, "<-$ctx.Done()")
	switch g.rnd.IntN(4) {
	case 0:
		wait = g.stmt(2, "if $ctx.Err() != nil {", "r += 2", "}")
	case 1:
		wait = g.stmt(3, "<-$ctx.Done()", "if context.Cause($ctx) == context.Canceled {", "r++", "}")
	}
	return []part{{from, g.cancel(g.pick("$cancel()", "$cancel()", "defer $cancel()"))}, {to, wait}}
}

// cancellable waits for a message or the end of the context.
func cancellable(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	parts := []part{{to, g.stmt(2, "select {", "case v := <-$c:", "r += v", "case <-$ctx.Done():", g.pick("r = -1", "return"), "}")}}
	switch g.rnd.IntN(3) {
	case 0:
		return append(parts, part{from, g.cancel("$cancel()")})
	case 1:
		return append(parts, part{from, g.stmt(1, "select {", "case $c <- 1:", "case <-$ctx.Done():", "}")})
	}
	return append(parts, part{from, g.stmt(1, "$c <- 1")})
}

// sleep waits for the clock.
func sleep(g *generator) []part {
	return []part{{g.one(), also(1, g.stmt(2, "time.Sleep("+g.duration()+")"))}}
}

func (g *generator) duration() string {
	return g.pick("time.Millisecond", "time.Millisecond", "time.Second")
}

// timeout waits for a message, but not for ever.
func timeout(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	send := part{from, g.stmt(1, "$c <- 1")}
	if g.chance(2) {
		t := g.local()
		return []part{send, {to, also(1, g.stmt(3, t+" := time.NewTimer("+g.duration()+")", "select {", "case v := <-$c:", t+".Stop()", "r += v", "case <-"+t+".C:", "r = -1", "}"))}}
	}
	return []part{send, {to, also(1, g.stmt(2, "select {", "case v := <-$c:", "r += v", "case <-time.After("+g.duration()+"):", g.pick("r = -1", "return"), "}"))}}
}

// afterFunc starts a goroutine later, and perhaps stops it before.
func afterFunc(g *generator) []part {
	var does []string
	switch {
	case g.has(Channels) && g.chance(2):
		does = []string{g.pick("close($stop)", "$c <- 8", "<-$c")}
		if does[0] == "close($stop)" && !g.mayClose("stop") {
			return nil
		}
	case g.has(Mutexes) && g.chance(2):
		does = []string{"$mu.Lock()", "$x = 8", "$mu.Unlock()"}
	case g.has(Races) && g.chance(3):
		does = []string{"$x = 9"}
	case g.has(Atomics):
		does = []string{"$a.Add(8)"}
	}
	who, t := g.one(), g.local()
	lines := append([]string{t + " := time.AfterFunc(" + g.duration() + ", func() {"}, does...)
	lines = append(lines, "})")
	parts := []part{{who, also(4, g.stmt(3, append(lines, "_ = "+t)...))}}
	if g.chance(2) {
		parts = []part{{who, also(3, g.stmt(4, append(lines, "if "+t+".Stop() {", "r += 2", "}")...))}}
	}
	if len(does) == 1 && does[0] == "close($stop)" && g.chance(2) {
		parts = append(parts, part{g.one(), g.stmt(1, "<-$stop")})
	}
	return parts
}
