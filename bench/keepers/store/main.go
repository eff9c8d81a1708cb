// Command store adds one to a value on two connections. The wrong one loses an update.
package main

import (
	"os"
	"strconv"
	"sync"

	"github.com/heddle-mc/heddle/bench/keepers/line"
)

func main() {
	right := os.Args[1] == "right"
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			c := line.Dial()
			defer c.Close()
			if right {
				mu.Lock()
				defer mu.Unlock()
			}
			n, _ := strconv.Atoi(c.Ask("GET"))
			c.Ask("SET " + strconv.Itoa(n+1))
		})
	}
	wg.Wait()
	c := line.Dial()
	defer c.Close()
	if got := c.Ask("GET"); got != "2" {
		panic("an update is lost: " + got)
	}
}
