package main

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/graph"
)

// Programs that make the graphs of specifications without mCRL2: what can be done in a state, and where it leads.
// They are puzzles and games here, algorithms and others in algorithms_test.go.

// goes is called with what can be done and the state behind it.
type goes[S comparable] func(to S, format string, args ...any)

// made searches a graph from its first state.
func made[S comparable](start S, next func(s S, do goes[S])) *graph.Graph {
	var b graph.Builder
	name := func(s S) []byte { return fmt.Appendf(nil, "%#v", s) }
	b.State(nil, name(start), 0)
	seen, list := map[S]bool{start: true}, []S{start}
	for i := 0; i < len(list); i++ {
		next(list[i], func(to S, format string, args ...any) {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
			}
			b.Add(name(list[i]), fmt.Sprintf(format, args...), name(to))
		})
	}
	return b.Graph()
}

// programs are the graphs, by the names of specifications.
var programs = map[string]func() *graph.Graph{
	"missionaries": missionaries, "couples": couples, "bridge": bridge, "jugs": jugs, "sliding": sliding, "lightsout": lightsOut, "nim": nim, "queens": queens,
	"frogs": frogs, "peg": peg, "clobber": clobber, "domineering": domineering, "gossip": gossip, "knights": knights, "pancakes": pancakes, "chomp": chomp, "snake": snake,
	"filter": filter, "dijkstra": dijkstra, "burns": burns, "hyman": hyman, "ticketlock": ticketLock, "fastmutex": fastMutex, "szymanski": szymanski, "fischer": fischer,
	"tokenring": tokenRing, "kstate": kState, "readers": readers, "barber": barber, "smokers": smokers, "buffer": buffer, "msi": msi, "mesi": mesi,
	"crossing": crossing, "trains": trains, "vending": vending, "lights": lights, "barrier": barrier, "lostwakeup": lostWakeup, "termination": termination,
}

func missionaries() *graph.Graph {
	type state struct {
		m, c      int
		left, end bool
	}
	safe := func(m, c int) bool {
		return m >= 0 && c >= 0 && m <= 3 && c <= 3 && (m == 0 || m >= c) && (3-m == 0 || 3-m >= 3-c)
	}
	return made(state{3, 3, true, false}, func(s state, do goes[state]) {
		if s.end {
			return
		}
		for x := range 3 {
			for y := range 3 - x {
				sign := 1
				if s.left {
					sign = -1
				}
				if m, c := s.m+sign*x, s.c+sign*y; x+y > 0 && safe(m, c) {
					do(state{m, c, !s.left, false}, "cross(%d, %d)", x, y)
				}
			}
		}
		if s.m+s.c == 0 {
			do(state{end: true}, "done")
		}
	})
}

func couples() *graph.Graph {
	type state struct {
		here      [7]bool
		left, end bool
	}
	safe := func(here [7]bool, side bool) bool {
		for w := 1; w <= 3; w++ {
			if here[w] == side && here[w+3] != side && (here[4] == side || here[5] == side || here[6] == side) {
				return false
			}
		}
		return true
	}
	all := [7]bool{false, true, true, true, true, true, true}
	return made(state{all, true, false}, func(s state, do goes[state]) {
		if s.end {
			return
		}
		for a := 1; a <= 6; a++ {
			for b := a; b <= 6; b++ {
				to := s.here
				to[a], to[b] = !s.left, !s.left
				if s.here[a] == s.left && s.here[b] == s.left && safe(to, true) && safe(to, false) {
					do(state{to, !s.left, false}, "cross(%d, %d)", a, b)
				}
			}
		}
		if s.here == ([7]bool{}) {
			do(state{end: true}, "done")
		}
	})
}

func bridge() *graph.Graph {
	type state struct {
		near       [4]bool
		torch, end bool
	}
	times := [4]int{1, 2, 5, 10}
	return made(state{[4]bool{true, true, true, true}, true, false}, func(s state, do goes[state]) {
		if s.end {
			return
		}
		for a := range 4 {
			for b := a; b < 4; b++ {
				if s.near[a] == s.torch && s.near[b] == s.torch {
					to := s.near
					to[a], to[b] = !s.torch, !s.torch
					do(state{to, !s.torch, false}, "cross(%d)", times[b])
				}
			}
		}
		if s.near == ([4]bool{}) {
			do(state{end: true}, "done")
		}
	})
}

func jugs() *graph.Graph {
	return made([2]int{}, func(s [2]int, do goes[[2]int]) {
		size := [2]int{3, 5}
		for i := range 2 {
			to := s
			if to[i] = size[i]; s[i] < size[i] {
				do(to, "fill(%d)", size[i])
			}
			if to[i] = 0; s[i] > 0 {
				do(to, "empty(%d)", size[i])
			}
			j := 1 - i
			if n := min(s[i], size[j]-s[j]); n > 0 {
				to[i], to[j] = s[i]-n, s[j]+n
				do(to, "pour(%d, %d)", size[i], size[j])
			}
		}
		if s[1] == 4 {
			do(s, "four")
		}
	})
}

func sliding() *graph.Graph {
	return made([6]int{1, 2, 3, 4, 5, 0}, func(s [6]int, do goes[[6]int]) {
		for h := range 6 {
			for i := range 6 {
				if s[h] == 0 && (i/3 == h/3 && (i-h)*(i-h) == 1 || i%3 == h%3 && i != h) {
					to := s
					to[h], to[i] = s[i], 0
					do(to, "move(%d)", s[i])
				}
			}
		}
		if s == [6]int{1, 2, 3, 4, 5, 0} {
			do(s, "solved")
		}
	})
}

func lightsOut() *graph.Graph {
	return made(1<<9-1, func(s int, do goes[int]) {
		for i := range 9 {
			to := s
			for k := range 9 {
				if dx, dy := i%3-k%3, i/3-k/3; dx*dx+dy*dy <= 1 {
					to ^= 1 << k
				}
			}
			do(to, "press(%d)", i)
		}
		if s == 0 {
			do(s, "dark")
		}
	})
}

// players are the names of two of them.
var players = [2]string{"first", "second"}

func nim() *graph.Graph {
	type state struct {
		p    int
		heap [3]int
	}
	return made(state{0, [3]int{3, 4, 5}}, func(s state, do goes[state]) {
		for h := range 3 {
			for n := 1; n <= s.heap[h]; n++ {
				to := state{1 - s.p, s.heap}
				to.heap[h] -= n
				do(to, "take(%s, %d, %d)", players[s.p], h+1, n)
			}
		}
	})
}

func queens() *graph.Graph {
	type state struct {
		n   int
		col [8]int
	}
	return made(state{}, func(s state, do goes[state]) {
		if s.n > 8 {
			return
		}
		if s.n == 8 {
			do(state{n: 9}, "done")
			return
		}
	next:
		for c := range 8 {
			for r := range s.n {
				if d := s.n - r; s.col[r] == c || s.col[r]+d == c || s.col[r]-d == c {
					continue next
				}
			}
			to := s
			to.col[s.n], to.n = c, s.n+1
			do(to, "place(%d)", c)
		}
	})
}

func frogs() *graph.Graph {
	const goal = "222.111"
	return made("111.222", func(s string, do goes[string]) {
		move := func(from, to int, what string) {
			if from >= 0 && from < 7 && to >= 0 && to < 7 && s[to] == '.' {
				b := []byte(s)
				b[from], b[to] = '.', s[from]
				do(string(b), "%s(%d)", what, from)
			}
		}
		for i := range s {
			step := map[byte]int{'1': 1, '2': -1}[s[i]]
			if step == 0 {
				continue
			}
			move(i, i+step, "slide")
			if k := i + step; k >= 0 && k < 7 && s[k] != '.' && s[k] != s[i] {
				move(i, k+step, "leap")
			}
		}
		if s == goal {
			do("end", "done")
		}
	})
}

func peg() *graph.Graph {
	type state struct {
		on  [4][4]bool // by row and place in it
		end bool
	}
	var start state
	for r := range 4 {
		for c := range r + 1 {
			start.on[r][c] = true
		}
	}
	start.on[1][0] = false
	number := func(r, c int) int { return r*(r+1)/2 + c + 1 }
	return made(start, func(s state, do goes[state]) {
		pegs := 0
		for r := range 4 {
			for c := range r + 1 {
				if !s.on[r][c] {
					continue
				}
				pegs++
				for _, d := range [][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {-1, -1}} {
					r1, c1, r2, c2 := r+d[0], c+d[1], r+2*d[0], c+2*d[1]
					if r2 >= 0 && r2 < 4 && c2 >= 0 && c2 <= r2 && s.on[r1][c1] && !s.on[r2][c2] {
						to := s
						to.on[r][c], to.on[r1][c1], to.on[r2][c2] = false, false, true
						do(to, "jump(%d, %d)", number(r, c), number(r2, c2))
					}
				}
			}
		}
		if pegs == 1 {
			do(state{end: true}, "one")
		}
	})
}

func clobber() *graph.Graph {
	type state struct {
		p     byte
		board [6]byte
	}
	names := map[byte]string{'b': "black", 'w': "white"}
	return made(state{'b', [6]byte{'b', 'w', 'b', 'w', 'b', 'w'}}, func(s state, do goes[state]) {
		other := byte('b' + 'w' - s.p)
		for i := range 6 {
			for j := range 6 {
				if dx, dy := i%3-j%3, i/3-j/3; dx*dx+dy*dy == 1 && s.board[i] == s.p && s.board[j] == other {
					to := state{other, s.board}
					to.board[i], to.board[j] = 0, s.p
					do(to, "move(%s, %d, %d)", names[s.p], i, j)
				}
			}
		}
	})
}

func domineering() *graph.Graph {
	type state struct {
		flat  bool
		board [3][3]bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for r := range 3 {
			for c := range 3 {
				r2, c2, name := r+1, c, "upright"
				if s.flat {
					r2, c2, name = r, c+1, "flat"
				}
				if r2 < 3 && c2 < 3 && !s.board[r][c] && !s.board[r2][c2] {
					to := state{!s.flat, s.board}
					to.board[r][c], to.board[r2][c2] = true, true
					do(to, "lay(%s, %d)", name, 3*r+c)
				}
			}
		}
	})
}

func gossip() *graph.Graph {
	return made([4]int{1, 2, 4, 8}, func(s [4]int, do goes[[4]int]) {
		for i := range 4 {
			for j := i + 1; j < 4; j++ {
				to := s
				to[i], to[j] = s[i]|s[j], s[i]|s[j]
				do(to, "call(%d, %d)", i+1, j+1)
			}
		}
		if s == [4]int{15, 15, 15, 15} {
			do(s, "done")
		}
	})
}

// knights is played on the board itself. The squares in the order of a knight's walk around it are the numbers of the specification.
func knights() *graph.Graph {
	walk := [][2]int{{0, 0}, {1, 2}, {2, 0}, {0, 1}, {2, 2}, {1, 0}, {0, 2}, {2, 1}}
	type state struct {
		board [3][3]byte
		end   bool
	}
	var start, goal state
	for i, colour := range map[int]byte{0: 'w', 6: 'w', 2: 'b', 4: 'b'} {
		start.board[walk[i][0]][walk[i][1]] = colour
		goal.board[walk[i][0]][walk[i][1]] = 'b' + 'w' - colour
	}
	return made(start, func(s state, do goes[state]) {
		if s.end {
			return
		}
		for i, from := range walk {
			for j, to := range walk {
				dx, dy := from[0]-to[0], from[1]-to[1]
				if colour := s.board[from[0]][from[1]]; dx*dx+dy*dy == 5 && colour != 0 && s.board[to[0]][to[1]] == 0 {
					n := s
					n.board[from[0]][from[1]], n.board[to[0]][to[1]] = 0, colour
					do(n, "move(%d, %d)", i, j)
				}
			}
		}
		if s == goal {
			do(state{end: true}, "done")
		}
	})
}

func pancakes() *graph.Graph {
	return made([4]int{4, 2, 1, 3}, func(s [4]int, do goes[[4]int]) {
		for k := 2; k <= 4; k++ {
			to := s
			for i := range k {
				to[i] = s[k-1-i]
			}
			do(to, "flip(%d)", k)
		}
		if s == [4]int{1, 2, 3, 4} {
			do(s, "sorted")
		}
	})
}

func chomp() *graph.Graph {
	type state struct {
		p     int
		there [3][4]bool
	}
	start := state{}
	for r := range 3 {
		start.there[r] = [4]bool{true, true, true, true}
	}
	return made(start, func(s state, do goes[state]) {
		for r := range 3 {
			for c := range 4 {
				if !s.there[r][c] || r+c == 0 {
					continue
				}
				to := state{1 - s.p, s.there}
				for i := r; i < 3; i++ {
					for k := c; k < 4; k++ {
						to.there[i][k] = false
					}
				}
				do(to, "bite(%s, %d, %d)", players[s.p], r+1, c)
			}
		}
	})
}

func snake() *graph.Graph {
	type state struct {
		n    int // squares of the body, 0 after a crash
		body [4][2]int
	}
	start := state{n: 1}
	start.body[0] = [2]int{1, 1}
	return made(start, func(s state, do goes[state]) {
		if s.n == 0 {
			return
		}
		for d, by := range [][2]int{{-1, 0}, {0, 1}, {1, 0}, {0, -1}} {
			to := [2]int{s.body[0][0] + by[0], s.body[0][1] + by[1]}
			crash := to[0] < 0 || to[0] > 2 || to[1] < 0 || to[1] > 3
			for _, x := range s.body[:s.n-1] { // the tail makes room
				crash = crash || x == to
			}
			if crash {
				do(state{}, "crash")
				continue
			}
			next := state{n: s.n}
			next.body[0] = to
			copy(next.body[1:s.n], s.body[:])
			do(next, "move(%d)", d)
			if tail := s.body[s.n-1]; s.n < 4 && to != tail {
				next.body[s.n], next.n = tail, s.n+1
				do(next, "eat")
			}
		}
	})
}
