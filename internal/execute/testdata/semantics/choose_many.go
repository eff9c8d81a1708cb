// want: violation panic
package main

import "github.com/heddle-mc/heddle/verify"

// The last of as many alternatives as a step can have.
func main() {
	if verify.Choose(1<<16) == 1<<16-1 {
		panic("chosen")
	}
}
