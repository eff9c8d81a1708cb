package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// Tickers of a nanosecond, and times that would overflow.
func main() {
	ticker := time.NewTicker(1)
	done := make(chan bool)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				<-ticker.C
			}
		})
	}
	go func() {
		defer close(done)
		wg.Wait()
	}()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		default:
			runtime.GC()
			time.Sleep(time.Nanosecond)
		}
	}
	ticker.Reset(1<<63 - 1)
	late := time.NewTimer(1<<63 - 1)
	fmt.Println(ticker.C != nil, late.Stop())

	for _, async := range []string{"0", "1", "2"} {
		os.Setenv("GODEBUG", "asynctimerchan="+async)
		t := time.NewTimer(1)
		time.Sleep(10 * time.Millisecond)
		fmt.Println(async, len(t.C), cap(t.C), t.Stop())
	}
}
