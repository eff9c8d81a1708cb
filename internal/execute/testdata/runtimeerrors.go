// Errors of the runtime that math/bits links to.
package main

import (
	"fmt"
	"math/bits"
)

func try(f func()) {
	defer func() { fmt.Println(recover()) }()
	f()
}

func main() {
	try(func() { bits.Div(1, 0, 1) })
	try(func() { bits.Div64(1, 0, 0) })
	try(func() { bits.Div32(1, 0, 1) })
}
