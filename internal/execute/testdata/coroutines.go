// iter.Pull, with ends of every kind.
package main

import (
	"fmt"
	"iter"
	"runtime"
	"sync"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Println("done")
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func main() {
	next, stop := iter.Pull(count(5))
	fmt.Println(next())
	fmt.Println(next())
	stop()
	fmt.Println(next())

	next, stop = iter.Pull(count(2))
	for v, ok := next(); ok; v, ok = next() {
		fmt.Println(v)
	}
	stop()

	next, _ = iter.Pull(func(func(int) bool) { panic("inside") })
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		next()
	}()

	var wg sync.WaitGroup
	wg.Go(func() {
		defer fmt.Println("goroutine ends")
		next, _ := iter.Pull(func(yield func(int) bool) { yield(1); runtime.Goexit() })
		fmt.Println(next())
		next()
		fmt.Println("not reached")
	})
	wg.Wait()

	_, stop = iter.Pull2(func(yield func(int, string) bool) { yield(1, "a") })
	stop()
	fmt.Println(runtime.NumGoroutine())
}
