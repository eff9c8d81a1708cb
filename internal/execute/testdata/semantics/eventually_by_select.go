// want: verified

package main

import (
	"github.com/heddle-mc/heddle/verify"
)

func main() {
	x, y := make(chan bool), make(chan bool)
	served := false
	verify.Eventually(func() bool { return served })
	for _, c := range []chan bool{x, y} {
		go func() {
			for {
				c <- true
			}
		}()
	}
	for {
		select {
		case <-x:
		case <-y:
			served = true
		}
	}
}
