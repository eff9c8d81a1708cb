// Philosophers dine. Each one takes the fork with the lower number first, so
// that no circle of waiting can close.
package main

import (
	"fmt"
	"sync"
)

type philosopher struct {
	id            int
	first, second *sync.Mutex
	meals         int
}

func (p *philosopher) dine(meals int) {
	for range meals {
		p.first.Lock()
		p.second.Lock()
		p.meals++
		p.second.Unlock()
		p.first.Unlock()
	}
}

func main() {
	const seats, meals = 5, 3
	forks := make([]sync.Mutex, seats)
	table := make([]*philosopher, seats)
	var wg sync.WaitGroup
	for i := range table {
		left, right := i, (i+1)%seats
		table[i] = &philosopher{
			id:     i,
			first:  &forks[min(left, right)],
			second: &forks[max(left, right)],
		}
		wg.Go(func() { table[i].dine(meals) })
	}
	wg.Wait()
	for _, p := range table {
		fmt.Printf("philosopher %d has eaten %d times\n", p.id, p.meals)
	}
}
