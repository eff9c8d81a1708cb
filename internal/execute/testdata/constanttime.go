// Constant-time comparisons, which rest on an instruction of compilers.
package main

import (
	"crypto/subtle"
	"fmt"
)

func main() {
	fmt.Println(subtle.ConstantTimeByteEq(3, 3), subtle.ConstantTimeByteEq(3, 4))
	fmt.Println(subtle.ConstantTimeEq(-1, -1), subtle.ConstantTimeEq(1, 2))
	fmt.Println(subtle.ConstantTimeLessOrEq(1, 2), subtle.ConstantTimeLessOrEq(2, 2), subtle.ConstantTimeLessOrEq(3, 2))
	fmt.Println(subtle.ConstantTimeCompare([]byte("abc"), []byte("abc")), subtle.ConstantTimeCompare([]byte("abc"), []byte("abd")),
		subtle.ConstantTimeCompare([]byte("abc"), []byte("ab")))
	fmt.Println(subtle.ConstantTimeSelect(1, 7, 8), subtle.ConstantTimeSelect(0, 7, 8))
}
