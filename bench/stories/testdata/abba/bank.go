// Package abba has a bank that takes the locks of two accounts in the order of its arguments.
package abba

import "sync"

// Account is one account.
type Account struct {
	mu      sync.Mutex
	balance int
}

// Transfer moves an amount from one account to another.
func Transfer(from, to *Account, amount int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= amount
	to.balance += amount
}

// Total returns what lies in both accounts.
func Total(a, b *Account) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	return a.balance + b.balance
}
