// want: verified

package main

import "time"

func main() {
	a := time.Now()
	b := time.Now()
	if !b.After(a) || time.Since(a) <= 0 {
		panic("time stands still")
	}
}
