// Fannkuch flips the prefixes of all permutations: integer indexing.
package main

func fannkuch(n int) (checksum, maxFlips int) {
	perm1, perm, count := make([]int, n), make([]int, n), make([]int, n)
	for i := range perm1 {
		perm1[i] = i
	}
	r, even := n, true
	for {
		for ; r != 1; r-- {
			count[r-1] = r
		}
		copy(perm, perm1)
		flips := 0
		for k := perm[0]; k != 0; k = perm[0] {
			for i, j := 0, k; i < j; i, j = i+1, j-1 {
				perm[i], perm[j] = perm[j], perm[i]
			}
			flips++
		}
		if flips > maxFlips {
			maxFlips = flips
		}
		if even {
			checksum += flips
		} else {
			checksum -= flips
		}
		even = !even
		for {
			if r == n {
				return checksum, maxFlips
			}
			first := perm1[0]
			for i := 0; i < r; i++ {
				perm1[i] = perm1[i+1]
			}
			perm1[r] = first
			count[r]--
			if count[r] > 0 {
				break
			}
			r++
		}
	}
}

func main() {
	c, m := fannkuch(9)
	println(c, m)
}
