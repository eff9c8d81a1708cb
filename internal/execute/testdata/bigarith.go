// Vector operations of math/big: carries, shifts in place, long operands.
package main

import (
	"fmt"
	"math/big"
)

func main() {
	one := big.NewInt(1)
	ones := new(big.Int).Sub(new(big.Int).Lsh(one, 320), one)
	fmt.Println(new(big.Int).Add(ones, one))
	fmt.Println(new(big.Int).Sub(new(big.Int).Lsh(one, 320), ones))
	fmt.Println(new(big.Int).Mul(ones, ones))
	for _, s := range []uint{0, 1, 63, 64, 65, 130} {
		x := new(big.Int).Set(ones)
		x.Lsh(x, s)
		fmt.Print(x, " ")
		x.Rsh(x, s+1)
		fmt.Println(x)
	}
	f := big.NewInt(1)
	for i := int64(2); i <= 200; i++ {
		f.Mul(f, big.NewInt(i))
	}
	q, r := new(big.Int).QuoRem(f, ones, new(big.Int))
	fmt.Println(f, q, r)
	fmt.Println(new(big.Int).Exp(big.NewInt(3), f, ones))
	fmt.Println(new(big.Int).Add(new(big.Int).Mul(q, ones), r).Cmp(f))
	fmt.Println(new(big.Int).Sqrt(f), new(big.Int).GCD(nil, nil, f, ones))
}
