// want: violation panic

package main

var lists = map[int]*[2]int{}

func key() int { return 1 }

// With a call or a receive in it, what a loop ranges over is evaluated.
func main() {
	for i := range *lists[key()] {
		_ = i
	}
}
