// Ksupipeline is a chain of stages with a listener at its end, connected by
// monitors that hold one value each: the pipeline of Kansas State University
// and NASA. Each stage adds one to what it takes and hands it on. After the last
// value comes a stop, which each stage hands on before it ends.
//
// heddle check finds nothing: the listener gets each value, through all stages,
// then the stop, and every stage ends. In folder buggy a value may be lost.
package main

import (
	"fmt"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

const (
	stages = 4
	values = 1 // that go through the pipeline
)

const stop = 0 // says that no more values come

// A connector holds at most one value. One goroutine puts, another one takes,
// so only one of them can be waiting.
type connector struct {
	mu      sync.Mutex
	changed *sync.Cond
	full    bool
	value   int
}

// contents are what a property of two states sees of a connector.
type contents struct {
	full  bool
	value int
}

func newConnector() *connector {
	c := new(connector)
	c.changed = sync.NewCond(&c.mu)
	verify.Always(func() bool { return c.full || c.value == stop })
	verify.Always(func() bool { return 0 <= c.value && c.value <= values+stages })
	verify.Step(func() contents { return contents{c.full, c.value} }, func(before, after contents) bool {
		return !before.full || !after.full || before == after
	})
	return c
}

func (c *connector) put(value int) {
	c.mu.Lock()
	for c.full {
		c.changed.Wait()
	}
	verify.Assert(!c.full, "a value is overwritten")
	c.value, c.full = value, true
	c.changed.Signal()
	c.mu.Unlock()
}

func (c *connector) take() int {
	c.mu.Lock()
	for !c.full {
		c.changed.Wait()
	}
	value := c.value
	c.value, c.full = stop, false
	c.changed.Signal()
	c.mu.Unlock()
	return value
}

// feed puts the values, and a stop after them.
func feed(out *connector) {
	for i := range values {
		out.put(1 + i)
	}
	out.put(stop)
}

func stage(n int, in, out *connector) {
	for {
		value := in.take()
		if value == stop {
			out.put(stop)
			return
		}
		verify.Assert(value > n, "a stage was left out")
		out.put(value + 1)
	}
}

// listen returns how many values have come.
func listen(in *connector) int {
	heard := 0
	for {
		value := in.take()
		if value == stop {
			return heard
		}
		heard++
		verify.Assert(value == heard+stages, "values out of order")
	}
}

// main feeds the pipeline and is the listener at its end then.
func main() {
	var connectors [stages + 1]*connector
	for i := range connectors {
		connectors[i] = newConnector()
	}
	for n := range stages {
		go stage(n, connectors[n], connectors[n+1])
	}
	feed(connectors[0])
	heard := listen(connectors[stages])
	verify.Assert(heard == values, "a value is lost")
	fmt.Println("the listener has heard", heard)
}
