// want: verified

package main

import "time"

func main() {
	last := time.Now()
	for {
		time.Sleep(time.Second)
		now := time.Now()
		if now.Sub(last) < time.Second {
			panic("early")
		}
		last = now
	}
}
