// Command lock takes a lock of the server on two connections. The wrong one does not
// expect that somebody else has it.
package main

import (
	"os"
	"sync"

	"github.com/heddle-mc/heddle/bench/keepers/line"
)

func main() {
	right := os.Args[1] == "right"
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c := line.Dial()
			defer c.Close()
			if c.Ask("LOCK") != "OK" {
				if right {
					return
				}
				panic("it is locked")
			}
			c.Ask("UNLOCK")
		})
	}
	wg.Wait()
}
