// Command session logs in on one connection and uses that on another. The wrong one does both at
// the same time.
package main

import (
	"os"
	"sync"

	"github.com/heddle-mc/heddle/bench/keepers/line"
)

func main() {
	right := os.Args[1] == "right"
	first, second := line.Dial(), line.Dial()
	defer first.Close()
	defer second.Close()
	if right {
		first.Ask("LOGIN joe")
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if got := second.Ask("WHO token-joe"); got != "joe" {
			panic("got " + got)
		}
	})
	wg.Go(func() { first.Ask("LOGIN joe") })
	wg.Wait()
}
