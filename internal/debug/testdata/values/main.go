// Command values has variables of many types, and panics.
package main

import (
	"fmt"
	"sync"
)

type point struct{ x, y int }

func (p point) area() int { return p.x * p.y }

type shape interface{ area() int }

var total int

func add(ch chan int, list []point, scale float64) {
	n := <-ch
	sum := 0
	byName := map[string]*point{"first": &list[0]}
	var s shape = list[1]
	var none error
	text := fmt.Sprintf("%d of %v", n, scale)
	for i := 0; i < n; i++ {
		sum += i
		total = sum
	}
	more := func() {
		sum += byName["first"].x
	}
	more()
	if none == nil && s.area() == 12 && text != "" && len(list) == 2 {
		panic("sum is wrong")
	}
	ch <- sum
}

func main() {
	ch := make(chan int)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		add(ch, []point{{1, 2}, {3, 4}}, 0.5)
	}()
	ch <- 5
	wg.Wait()
}
