// Functions of math/bits that are instructions, against their definitions.
package main

import (
	"fmt"
	"math/bits"
)

var values = []uint64{0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, 0x7fffffff,
	0x80000000, 0xffffffff, 1 << 32, 0x123456789abcdef0, 1<<63 - 1, 1 << 63, 1<<64 - 1}

func main() {
	for _, x := range values {
		fmt.Println(x, bits.Len(uint(x)), bits.Len64(x), bits.Len32(uint32(x)), bits.Len16(uint16(x)), bits.Len8(uint8(x)),
			bits.LeadingZeros(uint(x)), bits.LeadingZeros64(x), bits.LeadingZeros32(uint32(x)), bits.LeadingZeros16(uint16(x)), bits.LeadingZeros8(uint8(x)),
			bits.TrailingZeros(uint(x)), bits.TrailingZeros64(x), bits.TrailingZeros32(uint32(x)), bits.TrailingZeros16(uint16(x)), bits.TrailingZeros8(uint8(x)),
			bits.OnesCount(uint(x)), bits.OnesCount64(x), bits.OnesCount32(uint32(x)), bits.OnesCount16(uint16(x)), bits.OnesCount8(uint8(x)),
			bits.ReverseBytes(uint(x)), bits.ReverseBytes64(x), bits.ReverseBytes32(uint32(x)), bits.ReverseBytes16(uint16(x)),
			bits.RotateLeft64(x, 7), bits.RotateLeft64(x, -7), bits.RotateLeft32(uint32(x), 7), bits.RotateLeft16(uint16(x), 7), bits.RotateLeft8(uint8(x), 7))
		for _, y := range values {
			hi, lo := bits.Mul64(x, y)
			fmt.Print(hi, lo)
			for carry := range uint64(2) {
				sum, c1 := bits.Add64(x, y, carry)
				diff, c2 := bits.Sub64(x, y, carry)
				fmt.Print(" ", sum, c1, diff, c2)
			}
			sum, c1 := bits.Add64(x, y, 0)
			diff, c2 := bits.Sub64(x, y, 0)
			fmt.Println("", sum, c1, diff, c2)
		}
	}

	// Results that become operands of the next call.
	var s, c, d, b, l uint64
	h := uint64(1)
	for _, x := range values {
		s, c = bits.Add64(s, x, c)
		d, b = bits.Sub64(d, x, b)
		h, l = bits.Mul64(h|x, l+x)
	}
	_, only := bits.Add64(s, d, 1)
	first, _ := bits.Sub64(s, d, 1)
	fmt.Println(s, c, d, b, h, l, only, first)

	// As func values they are functions.
	f, g := bits.Len64, bits.Add64
	fmt.Println(f(1 << 40))
	fmt.Println(g(1<<63, 1<<63, 1))
}
