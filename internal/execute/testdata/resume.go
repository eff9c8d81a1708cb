// A goroutine that another one has helped on, or that has yielded, still needs
// what its registers hold when memory is collected before it runs again.
package main

import (
	"fmt"
	"runtime"
	"sync"
)

type node struct {
	next *node
	n    int
}

func list(n int) (l *node) {
	for i := range n {
		l = &node{l, i}
	}
	return l
}

func (l *node) sum() (s int) {
	for ; l != nil; l = l.next {
		s += l.n
	}
	return s
}

func join(a, b *node) int { return a.sum() + b.sum() }

func sender(c chan<- *node, done chan<- int) {
	total := 0
	for range 50 {
		mine := list(10)
		c <- list(5)
		total += mine.sum()
	}
	done <- total
}

func receiver(c <-chan *node, done chan<- int) {
	total := 0
	for range 50 {
		mine := list(10)
		total += join(mine, <-c)
	}
	done <- total
}

func chooser(c, d chan *node, done chan<- int) {
	total := 0
	for range 50 {
		mine := list(10)
		select {
		case l := <-c:
			total += join(mine, l)
		case d <- mine:
			total += mine.sum()
		}
	}
	done <- total
}

func yielder(done chan<- int) {
	total := 0
	for range 50 {
		a, b := list(10), list(5)
		runtime.Gosched()
		total += join(a, b)
	}
	done <- total
}

func main() {
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	})
	c, d, done := make(chan *node), make(chan *node), make(chan int)
	go sender(c, done)
	go receiver(c, done)
	fmt.Println(<-done + <-done)
	go chooser(c, d, done)
	go sender(c, done)
	fmt.Println(<-done + <-done)
	go chooser(c, d, done)
	go receiver(d, done)
	fmt.Println(<-done + <-done)
	go yielder(done)
	fmt.Println(<-done)
	close(stop)
	wg.Wait()
}
