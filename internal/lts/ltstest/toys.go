package ltstest

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Grid has n counters from 0 to k that count up independently.
//
//	states       (k+1)^n
//	transitions  n k (k+1)^(n-1)
//	depth        nk, the only state without steps
//
// Reduced, only the first counter that is not at its end counts: nk+1 states.
func Grid(n, k int) Model {
	return Model{
		Start: make([]byte, n),
		Enabled: func(c []byte, dst []lts.Step) []lts.Step {
			for i := range c {
				if int(c[i]) < k {
					dst = append(dst, lts.Step(i))
				}
			}
			return dst
		},
		Reduced: func(c []byte, dst []lts.Step) []lts.Step {
			for i := range c {
				if int(c[i]) < k {
					return append(dst, lts.Step(i))
				}
			}
			return dst
		},
		Take: func(c []byte, s lts.Step) { c[s]++ },
	}
}

// What a philosopher holds.
const (
	nothing = iota
	oneFork
	bothForks
)

// Philosophers has n ≥ 2 philosophers at a round table. Each takes the fork to
// the left, then the one to the right, then puts both down. A state is a ring
// of n letters (nothing, one fork, both) in which a philosopher with both forks
// has a right neighbour with nothing; the matrix of allowed neighbours has the
// eigenvalues 1±√2 and 0, so there are
//
//	states       Q = (1+√2)^n + (1-√2)^n: 6, 14, 34, 82, 198, 478, 1154 from n=2 on
//	transitions  n (Q - P), where P is the n-th Pell number: 2, 5, 12, 29, 70, 169, 408
//	deadlocks    1, n steps away: everybody has the left fork
//
// If polite is set, the last philosopher takes the right fork first and nobody
// deadlocks.
func Philosophers(n int, polite bool) Model {
	// first and second are the forks of philosopher i in the order of taking.
	forks := func(i int) (first, second int) {
		if polite && i == n-1 {
			return 0, i
		}
		return i, (i + 1) % n
	}
	free := func(p []byte, fork int) bool {
		for i := range p {
			first, second := forks(i)
			if p[i] >= oneFork && first == fork || p[i] == bothForks && second == fork {
				return false
			}
		}
		return true
	}
	return Model{
		Start: make([]byte, n),
		Enabled: func(p []byte, dst []lts.Step) []lts.Step {
			for i := range p {
				first, second := forks(i)
				if p[i] == bothForks || p[i] == nothing && free(p, first) || p[i] == oneFork && free(p, second) {
					dst = append(dst, lts.Step(i))
				}
			}
			return dst
		},
		Take:  func(p []byte, s lts.Step) { p[s] = (p[s] + 1) % 3 },
		Final: func(p []byte) bool { return false },
	}
}

// Ring has n stations and a token that goes round. A station without the wish
// to send may get it at any time; the token passes on and fulfils the wish of
// the station that it leaves.
//
//	states       n 2^n
//	transitions  n 2^n (1 + n/2)
func Ring(n int) Model {
	// Byte n is where the token is.
	return Model{
		Start: make([]byte, n+1),
		Enabled: func(r []byte, dst []lts.Step) []lts.Step {
			for i := range n {
				if r[i] == 0 {
					dst = append(dst, lts.Step(i))
				}
			}
			return append(dst, lts.Step(n))
		},
		Take: func(r []byte, s lts.Step) {
			if int(s) < n {
				r[s] = 1
				return
			}
			r[r[n]] = 0
			r[n] = byte((int(r[n]) + 1) % n)
		},
	}
}

// Mutex has n threads that enter a critical section once each. If atomic, a
// thread tests and sets the lock in one step: 3 places a thread, at most one
// thread inside, so
//
//	states  2^n + n 2^(n-1)
//
// Otherwise it looks first and sets the lock in a later step, and two threads
// meet inside after 4 steps and 2 preemptions.
func Mutex(n int, atomic bool) Model {
	const (
		outside = iota
		sawFree
		inside
		done
	)
	// Byte n is the lock.
	return Model{
		Start: make([]byte, n+1),
		Enabled: func(m []byte, dst []lts.Step) []lts.Step {
			for i := range n {
				if m[i] == outside && m[n] == 0 || m[i] == sawFree || m[i] == inside {
					dst = append(dst, lts.Step(i))
				}
			}
			return dst
		},
		Take: func(m []byte, s lts.Step) {
			m[s]++
			if atomic && m[s] == sawFree {
				m[s] = inside
			}
			switch m[s] {
			case inside:
				m[n] = 1
			case done:
				m[n] = 0
			}
		},
		Final: func(m []byte) bool {
			for _, place := range m[:n] {
				if place != done {
					return false
				}
			}
			return true
		},
		Wrong: func(m []byte) string {
			in := 0
			for _, place := range m[:n] {
				if place == inside {
					in++
				}
			}
			if in > 1 {
				return fmt.Sprintf("%d threads in the critical section", in)
			}
			return ""
		},
	}
}

// Tree is a binary tree with d levels of steps.
//
//	states       2^(d+1) - 1, of which 2^d have no steps
//	transitions  2^(d+1) - 2, none of them to a state seen before
func Tree(d int) Model {
	return Model{
		Start: make([]byte, d), // 0: not yet; 1, 2: the way taken
		Enabled: func(w []byte, dst []lts.Step) []lts.Step {
			if w[d-1] == 0 {
				dst = append(dst, 0, 1)
			}
			return dst
		},
		Take: func(w []byte, s lts.Step) {
			for i := range w {
				if w[i] == 0 {
					w[i] = byte(s) + 1
					return
				}
			}
		},
	}
}

// Lasso has a stem of that many states and then a loop.
//
//	states       stem + loop
//	transitions  stem + loop, one of them to a state seen before
func Lasso(stem, loop int) Model {
	return Model{
		Start:   make([]byte, 2),
		Enabled: func(_ []byte, dst []lts.Step) []lts.Step { return append(dst, 0) },
		Take: func(p []byte, _ lts.Step) {
			at := int(p[0]) | int(p[1])<<8
			if at++; at == stem+loop {
				at = stem
			}
			p[0], p[1] = byte(at), byte(at>>8)
		},
	}
}

// Jugs has a jug of 3 and one of 5 gallons: fill one, empty one, pour one into
// the other. To have 4 gallons is wrong and takes 6 steps.
//
//	states       16, as every text on the puzzle says
//	transitions  6 a state: 96
func Jugs() Model {
	return Model{
		Start:   make([]byte, 2), // small, big
		Enabled: func(_ []byte, dst []lts.Step) []lts.Step { return append(dst, 0, 1, 2, 3, 4, 5) },
		Take: func(j []byte, s lts.Step) {
			switch s {
			case 0:
				j[0] = 3
			case 1:
				j[1] = 5
			case 2:
				j[0] = 0
			case 3:
				j[1] = 0
			case 4:
				n := min(j[0], 5-j[1])
				j[0], j[1] = j[0]-n, j[1]+n
			case 5:
				n := min(j[1], 3-j[0])
				j[0], j[1] = j[0]+n, j[1]-n
			}
		},
		Wrong: func(j []byte) string {
			if j[1] == 4 {
				return "4 gallons in the big jug"
			}
			return ""
		},
	}
}
