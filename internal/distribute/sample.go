package distribute

import (
	"crypto/rand"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Assurance says how sure a coordinator is to be that workers have not lied.
type Assurance struct {
	// Confidence is the probability with which Liars forged results are noticed, or more of them.
	Confidence float64
	Liars      Liars
	// Share of the results is examined here in any case.
	Share float64
}

// Liars is a number of forged results, or a share of them.
type Liars struct {
	Number int
	Share  float64 // if Number is 0
}

// String and Set make it a flag.
func (l *Liars) String() string {
	if l.Number > 0 {
		return strconv.Itoa(l.Number)
	}
	return strconv.FormatFloat(100*l.Share, 'g', -1, 64) + "%"
}

// Set reads a number, or a percentage.
func (l *Liars) Set(text string) error {
	if p, ok := strings.CutSuffix(text, "%"); ok {
		x, err := strconv.ParseFloat(p, 64)
		if err != nil || !(x > 0 && x <= 100) {
			return fmt.Errorf("a share is more than 0%% and at most 100%%")
		}
		*l = Liars{Share: x / 100}
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		return fmt.Errorf("say a number of forged results, from 1, or a share of them, as 10%%")
	}
	*l = Liars{Number: n}
	return nil
}

// of returns how many these are of n.
func (l Liars) of(n int) int {
	if l.Number > 0 {
		return min(l.Number, n)
	}
	return max(1, int(l.Share*float64(n)))
}

// missed is the probability that none of m of n things is among s that are drawn.
func missed(n, m, s int) float64 {
	if s > n-m {
		return 0
	}
	p := 1.0
	for i := range m {
		p *= float64(n-s-i) / float64(n-i)
	}
	return p
}

// size returns how many of n results have to be drawn in a round, from 1, so that all
// rounds together miss m forged ones with at most the probability that is left: the first
// has half of it, the second half of the rest, and so on.
func (a *Assurance) size(n, m, round int) int {
	least := int(math.Ceil(a.Share * float64(n)))
	if a.Confidence <= 0 || n == 0 {
		return least
	}
	allowed := math.Ldexp(1-a.Confidence, -round)
	m = min(m, n)
	low, high := 0, n // size high is enough
	for low < high {
		if mid := (low + high) / 2; missed(n, m, mid) <= allowed {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return max(low, least)
}

// draw returns s of n things in the order in which they were drawn. below returns a number
// below another one.
func draw(n, s int, below func(n int) int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for i := range s {
		j := i + below(n-i)
		all[i], all[j] = all[j], all[i]
	}
	return all[:s]
}

// unforeseen returns a number below n that nobody can know before.
func unforeseen(n int) int {
	x, _ := rand.Int(rand.Reader, big.NewInt(int64(n))) // it does not fail
	return int(x.Int64())
}
