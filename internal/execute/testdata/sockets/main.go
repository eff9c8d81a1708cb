// This program does what a script on its standard input says with sockets of
// package net, and prints what came of it. It is compiled for the host and for
// the machine; both must print the same.
//
// A line of the script is the name of an operation and three numbers. The first
// chooses a connection or listener among those that were ever made; what the
// others mean depends on the operation.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"slices"
	"time"
)

// settle is how long an operation may take that does not have to wait. It is
// what tells on the host that one waits; in the machine time costs nothing.
var settle = flag.Duration("settle", time.Millisecond, "how long to wait for an operation")

// A pending operation runs in a goroutine of its own. When it is over, what is
// to be printed of it is told by the function that it has sent.
type pending struct {
	num  int // of the line of the script
	name string
	done chan func() string
}

// A world is all that the script has made so far.
type world struct {
	num       int // of the line of the script
	conns     []*conn
	listeners []*listener
	packets   []*packetConn
	waiting   []*pending

	dialed map[string][]*end // by address: those that connected and were not accepted yet
	ports  int               // counts the ports that the system has chosen

	senders names // of the sockets for datagrams
}

func main() {
	flag.Parse()
	w := &world{dialed: map[string][]*end{}}
	sc := bufio.NewScanner(os.Stdin)
	for sc.Scan() {
		w.num++
		var name string
		var a, b, n int
		if _, err := fmt.Sscan(sc.Text(), &name, &a, &b, &n); err != nil {
			fmt.Println("bad line:", sc.Text())
			os.Exit(2)
		}
		op, ok := operations[name]
		if !ok {
			fmt.Println("no such operation:", name)
			os.Exit(2)
		}
		w.print(name, op(w, a, b, n))
		w.settle(*settle)
	}
	w.end()
}

func (w *world) print(name, text string) {
	if text != "" {
		fmt.Printf("%d %s: %s\n", w.num, name, text)
	}
}

// start runs f in a goroutine. Whether it is over soon is for settle to say.
func (w *world) start(name string, f func() func() string) string {
	p := &pending{num: w.num, name: name, done: make(chan func() string, 1)}
	w.waiting = append(w.waiting, p)
	go func() { p.done <- f() }()
	return ""
}

// within waits for the operation, nil if that takes too long.
func (p *pending) within(limit time.Duration) func() string {
	select {
	case f := <-p.done:
		return f
	case <-time.After(limit):
		return nil
	}
}

// settle prints the results of the operations that are over, and of the last one
// that it waits if it does. Those that accept come last: they want to know who
// has dialed.
func (w *world) settle(limit time.Duration) {
	var rest []*pending
	slices.SortStableFunc(w.waiting, func(p, q *pending) int { return p.rank() - q.rank() })
	for _, p := range w.waiting {
		if f := p.within(limit); f != nil {
			fmt.Printf("%d %s of %d: %s\n", w.num, p.name, p.num, f())
			continue
		}
		rest = append(rest, p)
		if p.num == w.num {
			fmt.Printf("%d %s: waits\n", w.num, p.name)
		}
	}
	w.waiting = rest
}

func (p *pending) rank() int {
	if p.name == "accept" {
		return 1
	}
	return 0
}

// end closes everything, so that nothing waits any more.
func (w *world) end() {
	for _, c := range w.conns {
		w.num++
		w.print("end", c.show(c.Close()))
		w.settle(*settle)
	}
	for _, l := range w.listeners {
		w.num++
		w.print("end", l.show(l.Close()))
		w.settle(*settle)
	}
	for _, c := range w.packets {
		w.num++
		w.print("end", c.show(c.Close()))
		w.settle(*settle)
	}
	w.settle(10 * time.Second)
	for _, p := range w.waiting {
		fmt.Printf("%s of %d still waits\n", p.name, p.num)
	}
}
