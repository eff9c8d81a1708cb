// want: violation race
package main

import "weak"

// Who has a weak pointer can reach what it points to.
func main() {
	x := new([8]int)
	w := weak.Make(x)
	go func() {
		if p := w.Value(); p != nil {
			p[0]++
		}
	}()
	x[0]++
}
