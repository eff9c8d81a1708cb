// Command abba has two goroutines that take two locks in different orders.
package main

import (
	"fmt"
	"sync"
)

type account struct {
	mu      sync.Mutex
	name    string
	balance int
	history []int
	owner   map[string]int
}

func transfer(from, to *account, amount int) {
	from.mu.Lock()
	to.mu.Lock()
	from.balance -= amount
	to.balance += amount
	to.mu.Unlock()
	from.mu.Unlock()
}

func main() {
	fmt.Println("begins")
	a := &account{name: "a", balance: 10, history: []int{1, 2, 3}, owner: map[string]int{"x": 7}}
	b := &account{name: "b", balance: 20}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		transfer(a, b, 5)
	}()
	go func() {
		defer wg.Done()
		transfer(b, a, 3)
	}()
	wg.Wait()
	fmt.Println(a.balance, b.balance)
}
