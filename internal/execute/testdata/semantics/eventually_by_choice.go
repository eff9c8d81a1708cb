// want: violation liveness

package main

import (
	"github.com/heddle-mc/heddle/verify"
)

func main() {
	over := false
	verify.Eventually(func() bool { return over })
	go func() {}()
	for !over {
		over = verify.Bool() // may be false each time
	}
}
