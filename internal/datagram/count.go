package datagram

import "math/big"

// Count returns how many sequences of packets a receiver may get of n different
// ones that are sent.
//
// In three cases there is a formula, with |M| for the length of Multiply:
//
//	window 1                     |M|^n
//	Multiply 1, window w < n     w! · w^(n-w), and n! from there on
//	window n or more             the sum over all (m1 … mn) of M^n of (m1+…+mn)! / (m1! · … · mn!)
//
// With losses, Multiply 0 and 1, the second becomes the sum over r of (n over r)
// times it for r. In general it is a recurrence over how many packets of the window
// have how many copies left, which packets they are does not matter. With a[j] for
// those with j left and r for the packets that are not in the window yet,
//
//	F(a, r) = Σ_j a[j] · F(a with one of j less and one of j-1 more, r)
//
// where F(a, r) is Σ_m F(a with one of m more, r-1) as long as there is room in the
// window and r > 0, and F(0, 0) = 1. It takes polynomial time in n.
func Count(d Direction, n int) *big.Int {
	c := counter{d: d, known: map[string]*big.Int{}}
	return c.fill(make([]int, maxTimes+1), n)
}

type counter struct {
	d     Direction
	known map[string]*big.Int
}

// fill is F with room in the window, perhaps.
func (c *counter) fill(a []int, r int) *big.Int {
	size := 0
	for _, n := range a[1:] {
		size += n
	}
	if size >= c.d.Places() || r == 0 {
		return c.take(a, r, size)
	}
	key := keyOf('f', a, r)
	if v := c.known[key]; v != nil {
		return v
	}
	sum := new(big.Int)
	for _, times := range c.d.Times() {
		a[times]++
		sum.Add(sum, c.fill(a, r-1))
		a[times]--
	}
	c.known[key] = sum
	return sum
}

// take is F with a full window, or nothing to fill it with.
func (c *counter) take(a []int, r, size int) *big.Int {
	if size == 0 {
		return big.NewInt(1)
	}
	key := keyOf('t', a, r)
	if v := c.known[key]; v != nil {
		return v
	}
	sum := new(big.Int)
	for j := 1; j < len(a); j++ {
		if a[j] == 0 {
			continue
		}
		ways := big.NewInt(int64(a[j]))
		a[j]--
		a[j-1]++
		if j == 1 {
			ways.Mul(ways, c.fill(a, r))
		} else {
			ways.Mul(ways, c.take(a, r, size))
		}
		a[j-1]--
		a[j]++
		sum.Add(sum, ways)
	}
	c.known[key] = sum
	return sum
}

// keyOf leaves out a[0]: packets that are gone.
func keyOf(kind byte, a []int, r int) string {
	key := []byte{kind, byte(r), byte(r >> 8)}
	for _, n := range a[1:] {
		key = append(key, byte(n))
	}
	return string(key)
}
