// Assembly is a program whose output depends on functions that have assembly in
// the standard library.
package main

import (
	"bytes"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash/adler32"
	"hash/crc32"
	"math"
	"math/big"
	rand2 "math/rand/v2"
	"strings"
)

func main() {
	for _, n := range []int{0, 1, 55, 64, 127, 128, 1000} {
		b := bytes.Repeat([]byte("abc"), n)[:n]
		fmt.Printf("%d %x %x %x %x\n", n, md5.Sum(b), sha1.Sum(b), sha256.Sum256(b), sha512.Sum512(b))
		fmt.Println(crc32.ChecksumIEEE(b), crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)),
			crc32.Checksum(b, crc32.MakeTable(crc32.Koopman)), adler32.Checksum(b))
	}
	h := sha256.New()
	for i := range 100 {
		fmt.Fprint(h, i)
	}
	fmt.Printf("%x\n", h.Sum(nil))

	rng := rand2.New(rand2.NewChaCha8([32]byte{1, 2, 3}))
	for range 300 {
		rng.Uint64()
	}
	fmt.Println(rng.Uint64(), rng.Uint32())
	n, err := rand.Read(make([]byte, 20))
	fmt.Println(n, err)

	for _, x := range []float64{0, 0.5, -2.25, 1e300, math.Inf(1), math.NaN(), math.Copysign(0, -1)} {
		fmt.Println(math.Exp(x), math.Log(x), math.Hypot(x, 3), math.Max(x, 1), math.Min(x, 1), math.Floor(x),
			math.Ceil(x), math.Trunc(x), math.Sqrt(x), math.Sin(x), math.Pow(x, 1.5), math.Mod(x, 2), math.FMA(x, x, 1))
	}
	f := math.Sqrt // as a value too
	fmt.Println(f(2))
	var z big.Int
	fmt.Println(z.Exp(big.NewInt(3), big.NewInt(500), nil))

	s := strings.Repeat("gopher ", 50) + "needle" + strings.Repeat(" x", 20)
	fmt.Println(strings.Index(s, "needle"), strings.Index(s, "nadel"), strings.LastIndex(s, "gopher"), strings.Count(s, "o"),
		strings.IndexByte(s, 'n'), strings.LastIndexByte(s, 'x'), strings.Compare(s, "h"), strings.Index("", ""))
	b := []byte(s)
	fmt.Println(bytes.Index(b, []byte("needle")), bytes.Count(b, []byte("o")), bytes.Equal(b, []byte(s)), bytes.Compare(b, b[1:]),
		bytes.IndexByte(b, '!'), bytes.LastIndex(b, nil))
	var sb strings.Builder
	sb.Grow(100)
	sb.WriteString("x")
	fmt.Println(sb.Len(), sb.Cap())
}
