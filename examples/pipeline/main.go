// Pipeline finds primes with a chain of goroutines, one for each prime found:
// the sieve of Eratosthenes as Go's authors like to show it.
package main

import (
	"fmt"
	"sync"
)

// generate sends 2, 3, 4, … until done is closed.
func generate(done <-chan struct{}) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := 2; ; i++ {
			select {
			case out <- i:
			case <-done:
				return
			}
		}
	}()
	return out
}

// filter passes on what is not a multiple of prime.
func filter(done <-chan struct{}, in <-chan int, prime int, wg *sync.WaitGroup) <-chan int {
	out := make(chan int)
	wg.Go(func() {
		defer close(out)
		for i := range in {
			if i%prime == 0 {
				continue
			}
			select {
			case out <- i:
			case <-done:
				return
			}
		}
	})
	return out
}

func main() {
	var wg sync.WaitGroup
	done := make(chan struct{})
	numbers := generate(done)
	sum := 0
	for range 20 {
		prime := <-numbers
		sum += prime
		fmt.Print(prime, " ")
		numbers = filter(done, numbers, prime, &wg)
	}
	close(done)
	wg.Wait()
	fmt.Println("\nsum", sum)
}
