// Command queue sends a message to itself through the server. The wrong one does not wait until it was sent.
package main

import (
	"os"

	"github.com/heddle-mc/heddle/bench/keepers/line"
)

func main() {
	right := os.Args[1] == "right"
	sent := make(chan bool)
	go func() {
		c := line.Dial()
		defer c.Close()
		c.Ask("PUSH hello")
		sent <- true
	}()
	if right {
		<-sent
	}
	c := line.Dial()
	defer c.Close()
	if got := c.Ask("POP"); got != "hello" {
		panic("got " + got)
	}
	if !right {
		<-sent
	}
}
