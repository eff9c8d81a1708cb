package symbolic

import (
	"cmp"
	"slices"
)

// order returns an order of n parameters in which those that summands use
// together stand close to each other: sets get small if what depends on each other
// is near. Each of uses is a list of parameters.
//
// It is FORCE (F. Aloul, I. Markov, K. Sakallah, GLSVLSI 2003): each summand
// stands in the middle of its parameters, and each parameter goes to where the
// summands that use it stand on average, as long as that makes summands span less.
func order(n int, uses [][]int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	best, least := slices.Clone(list), span(list, uses)
	place := make([]float64, n)
	for range 100 {
		at := positions(list)
		sum, count := make([]float64, n), make([]float64, n)
		for _, u := range uses {
			middle := 0.0
			for _, p := range u {
				middle += float64(at[p])
			}
			middle /= float64(len(u))
			for _, p := range u {
				sum[p] += middle
				count[p]++
			}
		}
		for p := range n {
			place[p] = float64(at[p])
			if count[p] > 0 {
				place[p] = sum[p] / count[p]
			}
		}
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(place[a], place[b]) })
		s := span(list, uses)
		if s >= least {
			break
		}
		best, least = slices.Clone(list), s
	}
	return best
}

// positions returns where each parameter stands in a list.
func positions(list []int) []int {
	at := make([]int, len(list))
	for i, p := range list {
		at[p] = i
	}
	return at
}

// span returns over how many places summands span, together.
func span(list []int, uses [][]int) int {
	at := positions(list)
	sum := 0
	for _, u := range uses {
		low, high := len(list), -1
		for _, p := range u {
			low, high = min(low, at[p]), max(high, at[p])
		}
		sum += max(high-low, 0)
	}
	return sum
}
