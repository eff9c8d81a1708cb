// Command counter draws numbers on two connections. The wrong one believes that they come in order.
package main

import (
	"os"
	"strconv"
	"sync"

	"github.com/heddle-mc/heddle/bench/keepers/line"
)

func main() {
	right := os.Args[1] == "right"
	var draw, note sync.Mutex
	last := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c := line.Dial()
			defer c.Close()
			if right {
				draw.Lock()
				defer draw.Unlock()
			}
			n, _ := strconv.Atoi(c.Ask("INCR"))
			note.Lock()
			defer note.Unlock()
			if n != last+1 {
				panic("got " + strconv.Itoa(n) + " after " + strconv.Itoa(last))
			}
			last = n
		})
	}
	wg.Wait()
}
