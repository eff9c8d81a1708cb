// want: violation liveness

package main

import (
	"github.com/heddle-mc/heddle/verify"
)

func main() {
	x, y := make(chan bool), make(chan bool)
	served := false
	verify.Eventually(func() bool { return served })
	go func() {
		for {
			x <- true
		}
	}()
	for {
		select {
		case <-x:
		case <-y: // nobody sends
			served = true
		}
	}
}
