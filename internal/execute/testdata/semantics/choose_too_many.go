// want: inconclusive
package main

import "github.com/heddle-mc/heddle/verify"

// A step has at most 65,536 alternatives.
func main() {
	if verify.Choose(70_000) == 66_000 {
		panic("chosen")
	}
}
