package randconc

import "fmt"

var chanIdioms = []idiom{
	{Channels, 8, message},
	{Channels, 2, closing},
	{Channels, 2, broadcast},
	{Channels, 1, oddReceive},
	{Channels | Pointers, 3, pointer},
	{Channels | Selects, 4, selectTwo},
	{Channels | Selects, 3, selectOne},
	{Channels | Selects | Servers, 2, server},
}

// message sends a number from one routine to another.
func message(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	ch := g.pick("c", "c", "d")
	send, recv := g.stmt(1, fmt.Sprintf("$%s <- %s", ch, g.number())), g.receive(ch)
	if g.chance(5) {
		send, recv = twice(send), twice(recv)
	}
	return []part{{from, send}, {to, recv}}
}

// closing ends a stream of messages.
func closing(g *generator) []part {
	from, to, ok := g.pair()
	if !ok || !g.mayClose("e") {
		return nil
	}
	send := g.stmt(2, "$e <- 1", "close($e)")
	if g.chance(3) {
		send = g.stmt(1, "defer close($e)")
	}
	v := g.local()
	recv := g.stmt(2, fmt.Sprintf("for %s := range $e {", v), "r += "+v, "}")
	if g.chance(4) {
		recv = g.receive("e")
	}
	return []part{{from, send}, {to, recv}}
}

// broadcast closes a channel that several wait for.
func broadcast(g *generator) []part {
	who := g.some(3)
	if len(who) < 2 || !g.mayClose("stop") {
		return nil
	}
	parts := []part{{who[0], g.stmt(1, "close($stop)")}}
	for _, i := range who[1:] {
		parts = append(parts, part{i, g.stmt(1, "<-$stop")})
	}
	return parts
}

// oddReceive looks at a channel without a partner, or at one that is nil.
func oddReceive(g *generator) []part {
	switch g.rnd.IntN(4) {
	case 0:
		if g.has(Faults) {
			return []part{{g.one(), g.stmt(1, g.pick("<-$nc", "$nc <- 1", "close($nc)"))}}
		}
		fallthrough
	case 1:
		if g.has(Selects) {
			return []part{{g.one(), g.stmt(1, "select {", "case r = <-$nc:", "default:", "r++", "}")}}
		}
	case 2:
		return []part{{g.one(), g.stmt(1, "r += len($c)")}}
	}
	return []part{{g.one(), g.stmt(0, "r += cap($c)")}}
}

// pointer hands over an object together with the right to use it.
func pointer(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	p, q := g.local(), g.local()
	send := []string{p + " := new(int)", "*" + p + " = 1", "$pc <- " + p}
	if g.has(Races) {
		switch g.rnd.IntN(6) {
		case 0:
			send = append(send, "*"+p+" = 2")
		case 1:
			send = []string{"$pc <- &$x"}
		}
	}
	return []part{
		{from, g.stmt(1, send...)},
		{to, g.stmt(1, q+" := <-$pc", "*"+q+" += 2", "r += *"+q)},
	}
}

// selectTwo lets one routine choose between messages of two others.
func selectTwo(g *generator) []part {
	who := g.some(3)
	if len(who) < 3 {
		return nil
	}
	body := func(n int) stmt {
		switch {
		case n > 0 && g.chance(4):
			return g.stmt(1, "select {", "case $d <- 1:", "r++", "case r = <-$c:", "}")
		case g.chance(4):
			return g.stmt(1, "select {", "case r = <-$c:", "case r = <-$d:", "default:", "r += 5", "}")
		}
		return g.stmt(1, "select {", "case r = <-$c:", fmt.Sprintf("case v, ok := <-$%s:", g.pick("d", "d", "c")), "if ok {", "r += v", "}", "}")
	}
	parts := []part{
		{who[0], g.stmt(1, "$c <- 1")},
		{who[1], g.stmt(1, "$d <- 2")},
		{who[2], body(0)},
	}
	if g.chance(2) {
		parts = append(parts, part{who[2], body(1)})
	}
	return parts
}

// selectOne chooses between a message and not waiting for it, or the order to
// stop.
func selectOne(g *generator) []part {
	from, to, ok := g.pair()
	if !ok {
		return nil
	}
	switch g.rnd.IntN(4) {
	case 0:
		return []part{
			{from, g.stmt(1, "select {", "case $c <- 1:", "default:", "r += 3", "}")},
			{to, g.receive("c")},
		}
	case 1:
		if !g.mayClose("stop") {
			return nil
		}
		return []part{
			{from, g.stmt(1, "close($stop)")},
			{to, g.stmt(1, "select {", "case <-$stop:", "r += 7", "case $c <- 1:", "}")},
		}
	case 2:
		return []part{
			{from, g.stmt(1, "$c <- 1")},
			{to, g.stmt(1, "select {", "case r = <-$c:", "case <-$stop:", "return", "}")},
		}
	}
	return []part{
		{from, g.stmt(1, "$c <- 2")},
		{to, g.stmt(1, "select {", "case v := <-$c:", "r += v", "default:", "}")},
	}
}

// server turns a routine that does nothing yet into a loop without end. Its body
// only assigns: a counter would make the states without number.
func server(g *generator) []part {
	var idle []int
	for i, r := range g.routines {
		if i > 0 && len(r.stmts) == 0 && !r.server {
			idle = append(idle, i)
		}
	}
	if len(idle) < 2 {
		return nil
	}
	i := idle[g.rnd.IntN(len(idle))]
	s := g.routines[i]
	work := []string{"r = v"}
	cost := 2
	if g.has(Mutexes) && g.chance(2) {
		work = []string{"$mu.Lock()", "$x = v", "$mu.Unlock()"}
		cost = 4
	}
	var lines []string
	switch g.rnd.IntN(4) {
	case 0:
		lines = append([]string{"for v := range $c {"}, work...)
	case 1:
		lines = append([]string{"for {", "v, ok := <-$c", "if !ok {", "return", "}"}, work...)
	case 2:
		lines = append([]string{"for {", "v := <-$c"}, work...)
	default:
		lines = append([]string{"for {", "select {", "case v := <-$c:"}, work...)
		lines = append(lines, "case <-$stop:", "return", "}")
	}
	s.server = true
	s.stmts = append(s.stmts, g.stmt(cost, append(lines, "}")...))
	client := g.one()
	parts := []part{{client, g.stmt(1, "$c <- "+g.number())}}
	if ch := g.pick("c", "stop"); g.chance(2) && g.mayClose(ch) {
		parts = append(parts, part{client, g.stmt(1, "close($"+ch+")")})
	}
	return parts
}
