// want: inconclusive

package main

import "time"

// What comes after three hundred looks at the clock, each an hour later, is not seen: no path comes to the end of main.
func main() {
	for start := time.Now(); time.Since(start) < 300*time.Hour; {
		time.Sleep(time.Hour)
	}
	panic("later")
}
