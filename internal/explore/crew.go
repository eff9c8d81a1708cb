package explore

import (
	"fmt"
	"runtime/debug"
	"sync"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A Crash is what a search panics with when a System panicked: a defect of ours,
// with what reproduces it. It comes out of Run also if it happened in a worker.
type Crash struct {
	Value any
	Path  lts.Path // to the state where it happened, or to the one before
	Stack string   // of the worker
}

// Error returns the value, the path and the stack.
func (c *Crash) Error() string {
	return fmt.Sprintf("%v\nafter the steps %v\n%s", c.Value, c.Path, c.Stack)
}

// Unwrap returns the value if it is an error.
func (c *Crash) Unwrap() error {
	err, _ := c.Value.(error)
	return err
}

// crash is to be deferred where systems are used; path tells where the search is.
func crash(path func() lts.Path) {
	switch r := recover().(type) {
	case nil:
	case *Crash:
		panic(r)
	default:
		panic(&Crash{Value: r, Path: path(), Stack: string(debug.Stack())})
	}
}

// together runs n workers and waits for all of them. If one panics, the others
// are told to stop, and then the panic goes on.
func together(n int, stop func(), work func(i int)) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var first any
	for i := range n {
		wg.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					mu.Lock()
					if first == nil {
						first = r
					}
					mu.Unlock()
					stop()
				}
			}()
			work(i)
		})
	}
	wg.Wait()
	if first != nil {
		panic(first)
	}
}
