// Stagepipeline hands numbers through a chain of stages, goroutines connected by
// channels without buffer. Each stage adds one. Closing a channel says that no
// more numbers come, and each stage hands that on as well.
//
// heddle check finds nothing: all numbers arrive, in order, and every stage
// ends. In folder buggy the reader loses interest and the stages stay behind.
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
	arrived := 0
	for n := range in {
		verify.Assert(n == arrived+stages, "numbers out of order")
		arrived++
	}
	verify.Assert(arrived == numbers, "a number is lost")
	fmt.Println(arrived, "numbers have passed", stages, "stages")
}
