// Stagepipeline hands numbers through a chain of stages to a reader that wants
// only the first one.
//
// The bug: main returns from its loop, and nobody tells the stages. The last one
// can never send its second number, the one before it waits for the last one,
// and so on: all goroutines of the pipeline leak. A program that ends hides
// this; a server that does it for each request runs out of memory. heddle check
// reports the goroutines that are blocked forever. The cure is to read to the
// end, as in the folder above, or to give the stages a channel that main closes.
//
// Finding: leak.
package main

import (
	"fmt"

	"github.com/heddle-mc/heddle/verify"
)

const (
	stages  = 7
	numbers = 4
)

// A stage knows how many numbers have passed through it.
type stage struct {
	in       <-chan int
	out      chan<- int
	received int
	sent     int
}

// passed is what a property of two states sees of a stage.
type passed struct{ received, sent int }

func newStage(in <-chan int, out chan<- int) *stage {
	s := &stage{in: in, out: out}
	verify.Always(func() bool { return s.sent <= s.received && s.received <= s.sent+1 })
	verify.Always(func() bool { return s.received <= numbers })
	verify.Step(func() passed { return passed{s.received, s.sent} }, func(before, after passed) bool {
		return before.received <= after.received && before.sent <= after.sent
	})
	return s
}

func (s *stage) run() {
	defer close(s.out)
	for n := range s.in {
		s.received++
		s.out <- n + 1
		s.sent++
	}
	verify.Assert(s.sent == numbers, "a stage has ended early")
}

func generate(out chan<- int) {
	defer close(out)
	for n := range numbers {
		out <- n
	}
}

func main() {
	first := make(chan int)
	in := first
	for range stages {
		out := make(chan int)
		go newStage(in, out).run()
		in = out
	}
	go generate(first)
	n := <-in // BUG: the others want to be read, too
	verify.Assert(n == stages, "numbers out of order")
	fmt.Println("the first number is", n)
}
