package abba

import (
	"sync"
	"testing"
)

func TestTransfer(t *testing.T) {
	alice, bob := &Account{balance: 10}, &Account{balance: 10}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		Transfer(alice, bob, 3)
	}()
	if sum := Total(bob, alice); sum != 20 {
		t.Errorf("%d in both accounts", sum)
	}
	wg.Wait()
}
