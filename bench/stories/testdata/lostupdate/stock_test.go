package lostupdate

import (
	"sync"
	"sync/atomic"
	"testing"
)

func TestSell(t *testing.T) {
	s := &Stock{left: 1}
	var sold atomic.Int32
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if s.Sell() {
				sold.Add(1)
			}
		})
	}
	wg.Wait()
	if n := sold.Load(); n != 1 {
		t.Errorf("one in stock, %d sold", n)
	}
}
