// Package randmix writes random Go programs that mix what reductions reason about in
// different ways: system calls on numbers of descriptors, timers, connections between
// processes, and crowds of more goroutines than fit into a machine word. They are small:
// two or three actors take two or three steps each, so that a search without reduction sees everything,
// and what a program tells at its end depends on the order of these steps.
//
// The text of a program is only its processes' functions. [Join] makes one main package
// of many, so that they are compiled once. The package knows nothing of the machine.
package randmix

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// CrowdSize is how many goroutines a crowd has at least.
const CrowdSize = 63

// A Program is one or several processes.
type Program struct {
	Parts   []string // the body of each process's function
	Twins   bool     // the last process runs twice
	Crowd   bool     // one process has a crowd
	Timers  bool     // somebody waits for the clock
	Numbers bool     // somebody makes system calls of its own
}

// Generate makes the program of a seed.
func Generate(seed uint64) Program {
	r := rand.New(rand.NewPCG(seed, 0x6d6978))
	var p Program
	n := []int{1, 1, 2, 2, 3}[r.IntN(5)]
	crowded := -1
	if p.Crowd = r.IntN(3) == 0; p.Crowd {
		n = min(n, 2)
		crowded = r.IntN(n)
	}
	p.Twins = n == 2 && !p.Crowd && r.IntN(4) == 0
	tells := r.IntN(n) // this one tells how it went, and perhaps others do
	var list []*process
	for i := range n {
		list = append(list, newProcess(r, &p, i, n, i == crowded))
	}
	// What is done costs states, and so do processes.
	left := []int{0, 6, 5, 4}[n]
	if p.Crowd {
		left = 4 - n
	}
	for left > 0 {
		g := list[r.IntN(n)]
		s := g.choice()
		k := r.IntN(len(g.actors))
		g.actors[k] = append(g.actors[k], g.fill(s))
		if left -= s.cost(); p.Twins && g == list[n-1] {
			left -= s.cost()
		}
	}
	for i, g := range list {
		p.Parts = append(p.Parts, g.text(i == tells || r.IntN(3) == 0))
	}
	return p
}

// A process is written piece by piece.
type process struct {
	rnd    *rand.Rand
	p      *Program
	have   map[string]bool // its things, by the letter that stands for them
	pool   []step          // what its actors do
	silent []step          // what others do, who can tell nothing
	next   int             // number of the next name
	begin  strings.Builder
	wakes  []string   // ways to wake somebody of the crowd
	actors [][]string // the steps of each
}

// newProcess makes process i of n, of which nobody does anything yet.
func newProcess(r *rand.Rand, p *Program, i, n int, crowded bool) *process {
	g := &process{rnd: r, p: p, have: make(map[string]bool)}
	g.begin.WriteString("h := new(hub)\n")
	things := []string{"n", "n", "f", "t"} // raw numbers, files, and a time limit
	actors := 2
	if crowded {
		things[3] = "n"
	}
	if n == 1 {
		g.have[things[r.IntN(len(things))]] = true
		if !crowded {
			actors += r.IntN(2)
		}
	} else {
		g.have["c"] = true
		if actors = 1; n == 2 && r.IntN(3) == 0 {
			actors++
		}
	}
	if r.IntN(3) == 0 {
		g.have[things[r.IntN(len(things))]] = true
	}
	g.actors = make([][]string, actors)
	switch {
	case n > 1 && i == 0:
		fmt.Fprintf(&g.begin, "l := %s(7000)\n", g.one("listen", "listen", "listenRaw"))
		accepts := n - 1
		if p.Twins {
			accepts++
		}
		for k := range accepts {
			fmt.Fprintf(&g.begin, "if !h.accept(%d, l) {\nreturn\n}\n", k)
		}
	case n > 1:
		fmt.Fprintf(&g.begin, "if !h.%s(7000) {\nreturn\n}\n", g.one("dial", "dial", "dialRaw"))
	}
	g.declare()
	g.choose(crowded)
	if crowded {
		g.crowd()
	}
	return g
}

// text is the body of the process's function.
func (g *process) text(tells bool) string {
	b := &g.begin
	fmt.Fprintf(b, "var outs [%d]int\nvar wg sync.WaitGroup\n", len(g.actors))
	for a, list := range g.actors {
		if g.wakes != nil && (a == 0 || g.rnd.IntN(4) == 0) {
			list = slices.Insert(list, g.rnd.IntN(len(list)+1), g.one(g.wakes...))
		}
		fmt.Fprintf(b, "wg.Add(1)\ngo func() {\ndefer wg.Done()\nnote := noter(&outs[%d])\n_ = note\n%s}()\n", a, strings.Join(list, ""))
	}
	if g.rnd.IntN(4) == 0 { // main does not only wait
		b.WriteString(g.aside())
	}
	b.WriteString("wg.Wait()\n")
	if g.rnd.IntN(2) == 0 { // also who is not waited for counts
		b.WriteString("outs[0] += 3 * int(h.hits.Load())\n")
	}
	switch {
	case !tells:
	case g.rnd.IntN(4) == 0: // some ends are wrong, and some programs are right
		fmt.Fprintf(b, "if sum(outs[:])%%%d == %d {\npanic(\"one of the ends\")\n}\n", 5+g.rnd.IntN(8), g.rnd.IntN(5))
	default:
		b.WriteString("panic(sum(outs[:]))\n")
	}
	return b.String()
}

// one chooses one of some texts.
func (g *process) one(list ...string) string { return list[g.rnd.IntN(len(list))] }

// declare makes the things that the process has. The first number of a pair is to write to, the second
// one to read from.
func (g *process) declare() {
	b := &g.begin
	if g.have["n"] {
		g.p.Numbers = true
		fmt.Fprintf(b, "h.numbers[0], h.numbers[1] = %s\n", g.one("pair(0)", "pair(syscall.SOCK_NONBLOCK)", "pipe(0)", "pipe(syscall.O_NONBLOCK)"))
		if g.rnd.IntN(4) == 0 {
			fmt.Fprintf(b, "h.numbers[2], h.numbers[3] = %s\n", g.one("pair(0)", "pair(syscall.SOCK_NONBLOCK)", "pipe(0)"))
			g.have["m"] = true
		}
	}
	if g.have["f"] {
		b.WriteString("h.r, h.w, _ = os.Pipe()\n")
	}
	if g.have["t"] {
		g.p.Timers = true
		fmt.Fprintf(b, "h.ctx, h.cancel = context.WithTimeout(context.Background(), %s)\n", g.one(durations...))
	}
	fmt.Fprintf(b, "h.ch, h.handed = make(chan int, %d), make(chan int, 1)\n", g.rnd.IntN(3))
}

// choose makes the pool of steps of which all actors take some, so that they meet. Most have to do with what the
// process has; one is for all.
func (g *process) choose(crowded bool) {
	g.have[g.one("u", "i", "k")] = true
	var own, all []step
	for _, s := range steps {
		switch {
		case crowded && s.timer && g.rnd.IntN(4) > 0: // these are large enough
		case s.needs == "":
			all = append(all, s)
		case g.have[s.needs]:
			own = append(own, s)
			if !strings.Contains(s.text, "note(") {
				g.silent = append(g.silent, s)
			}
		}
	}
	for range 5 {
		g.pool = append(g.pool, own[g.rnd.IntN(len(own))])
	}
	g.pool = append(g.pool, all[g.rnd.IntN(len(all))])
}

// crowd starts a crowd, one after the other, so that no orders of beginnings have to be searched. Those who are not woken wait at package variables, so that they are not told as leaks.
func (g *process) crowd() {
	b := &g.begin
	size := CrowdSize + g.rnd.IntN(12)
	b.WriteString("started := make(chan bool)\n")
	if g.rnd.IntN(3) == 0 { // all alike: they stand at one channel
		fmt.Fprintf(b, "gate = make(chan bool)\nfor range %d {\ngo func() {\nstarted <- true\nif <-gate {\n%s}\n}()\n<-started\n}\n", size, g.aside())
		g.wakes = []string{"wake(gate)\n", "wake(gate)\n", "close(gate)\n"}
		return
	}
	late := []int{0, size - 1, 1 + g.rnd.IntN(size-2)} // who does something when it is woken
	fmt.Fprintf(b, "gates = make([]chan bool, %d)\n", size)
	b.WriteString("for i := range gates {\ngates[i] = make(chan bool)\ngo func() {\nstarted <- true\nif !<-gates[i] {\nreturn\n}\nswitch i {\n")
	for _, i := range late {
		fmt.Fprintf(b, "case %d:\n%s", i, g.aside())
		g.wakes = append(g.wakes, fmt.Sprintf("wake(gates[%d])\n", i))
	}
	b.WriteString("}\n}()\n<-started\n}\n")
}

// choice chooses a step of an actor. Those with notes are preferred.
func (g *process) choice() step {
	s := g.pool[g.rnd.IntN(len(g.pool))]
	if !strings.Contains(s.text, "note(") {
		s = g.pool[g.rnd.IntN(len(g.pool))]
	}
	return s
}

// aside is a step of somebody who is no actor.
func (g *process) aside() string { return g.fill(g.silent[g.rnd.IntN(len(g.silent))]) }

// durations are shorter than somebody who can run may be kept waiting, alone or together, or longer.
var durations = []string{
	"20*time.Millisecond", "60*time.Millisecond", "80*time.Millisecond",
	"time.Second", "2*time.Second", "3*time.Second",
}

// fill replaces what stands for things: $w and $r are numbers of descriptors to write to and to read from, $n any of
// them, $c is a connection, $d a duration, and $x and $y are new names.
func (g *process) fill(s step) string {
	g.p.Timers = g.p.Timers || s.timer
	g.p.Numbers = g.p.Numbers || strings.Contains(s.text, "syscall.") || strings.Contains(s.text, "number(")
	g.next++
	text := s.text
	pairs := 1
	if g.have["m"] {
		pairs = 2
	}
	var b strings.Builder
	for k := 0; k < len(text); k++ {
		if text[k] != '$' {
			b.WriteByte(text[k])
			continue
		}
		k++
		switch c := text[k]; c {
		case 'n', 'w', 'r':
			end := map[byte]int{'n': g.rnd.IntN(2), 'w': 0, 'r': 1}[c]
			if g.rnd.IntN(8) == 0 {
				end = 1 - end
			}
			fmt.Fprintf(&b, "h.numbers[%d]", 2*g.rnd.IntN(pairs)+end)
		case 'c':
			b.WriteString("h.conns[0]")
		case 'd':
			b.WriteString(g.one(durations...))
		default:
			fmt.Fprintf(&b, "%c%d", c, g.next)
		}
	}
	return b.String()
}

// Join is the text of a main package that has all programs. Its first argument is the number of one of
// them, and its name, which is PartName of something, says which process.
func Join(list []Program) string {
	var b, cases strings.Builder
	b.WriteString(prelude)
	for i, p := range list {
		for k, body := range p.Parts {
			fmt.Fprintf(&b, "func program%dpart%d() {\n%s}\n\n", i, k, body)
			fmt.Fprintf(&cases, "case \"%d %s\":\nprogram%dpart%d()\n", i, PartName(k), i, k)
		}
	}
	fmt.Fprintf(&b, "func main() {\nswitch os.Args[1] + \" \" + os.Args[0] {\n%s}\n}\n", cases.String())
	return b.String()
}

// PartName is what the k-th process of a program is called.
func PartName(k int) string { return fmt.Sprint("part", k) }
