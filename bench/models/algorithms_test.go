package main

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/graph"
)

// A shared is the state of an algorithm for up to three processes, from 1 on: where they stand, what they share.
type shared struct {
	pc, a, b [4]int
	x, y     int
}

// at returns a state in which a process stands elsewhere.
func (s shared) at(i, pc int) shared { s.pc[i] = pc; return s }

func filter() *graph.Graph {
	// a is the level of a process, b the last at a level.
	return made(shared{b: [4]int{1, 1, 1, 1}}, func(s shared, do goes[shared]) {
		for i := 1; i <= 3; i++ {
			free := s.b[s.a[i]] != i
			if !free {
				free = true
				for k := 1; k <= 3; k++ {
					if k != i && s.a[k] >= s.a[i] {
						free = false
					}
				}
			}
			switch to := s; {
			case s.pc[i] == 0:
				to.a[i] = 1
				do(to.at(i, 1), "raise(%d, 1)", i)
			case s.pc[i] == 1:
				to.b[s.a[i]] = i
				do(to.at(i, 2), "mark(%d, %d)", i, s.a[i])
			case s.pc[i] == 2 && free && s.a[i] == 1:
				to.a[i] = 2
				do(to.at(i, 1), "pass(%d, 1)", i)
			case s.pc[i] == 2 && free:
				do(to.at(i, 3), "enter(%d)", i)
			case s.pc[i] == 3:
				to.a[i] = 0
				do(to.at(i, 0), "leave(%d)", i)
			}
		}
	})
}

func dijkstra() *graph.Graph {
	// a is b of the paper, b is c of it, and x is k; 1 is true.
	return made(shared{a: [4]int{1, 1, 1, 1}, b: [4]int{1, 1, 1, 1}, x: 1}, func(s shared, do goes[shared]) {
		for i := 1; i <= 2; i++ {
			to, other := s, 3-i
			switch {
			case s.pc[i] == 0:
				to.a[i] = 0
				do(to.at(i, 1), "want(%d)", i)
			case s.pc[i] == 1 && s.x == i:
				to.b[i] = 0
				do(to.at(i, 2), "see(%d)", i)
			case s.pc[i] == 1:
				to.b[i] = 1
				if s.a[s.x] == 1 {
					to.x = i
					do(to, "take(%d)", i)
				} else {
					do(to, "see(%d)", i)
				}
			case s.pc[i] == 2 && s.b[other] == 0:
				do(to.at(i, 1), "back(%d)", i)
			case s.pc[i] == 2:
				do(to.at(i, 3), "enter(%d)", i)
			case s.pc[i] == 3:
				to.a[i], to.b[i] = 1, 1
				do(to.at(i, 0), "leave(%d)", i)
			}
		}
	})
}

func burns() *graph.Graph {
	return made(shared{}, func(s shared, do goes[shared]) {
		for i := 1; i <= 3; i++ {
			before, behind := false, false
			for k := 1; k <= 3; k++ {
				before = before || k < i && s.a[k] == 1
				behind = behind || k > i && s.a[k] == 1
			}
			to := s
			switch {
			case s.pc[i] == 0:
				to.a[i] = 0
				do(to.at(i, 1), "rest(%d)", i)
			case s.pc[i] == 1 && !before:
				to.a[i] = 1
				do(to.at(i, 2), "raise(%d)", i)
			case s.pc[i] == 2 && before:
				to.a[i] = 0
				do(to.at(i, 1), "drop(%d)", i)
			case s.pc[i] == 2:
				do(to.at(i, 3), "pass(%d)", i)
			case s.pc[i] == 3 && !behind:
				do(to.at(i, 4), "enter(%d)", i)
			case s.pc[i] == 4:
				to.a[i] = 0
				do(to.at(i, 0), "leave(%d)", i)
			}
		}
	})
}

func hyman() *graph.Graph {
	return made(shared{x: 1}, func(s shared, do goes[shared]) {
		for i := 1; i <= 2; i++ {
			to := s
			switch {
			case s.pc[i] == 0:
				to.a[i] = 1
				do(to.at(i, 1), "want(%d)", i)
			case s.pc[i] == 1 && s.x == i:
				do(to.at(i, 4), "enter(%d)", i)
			case s.pc[i] == 1:
				do(to.at(i, 2), "look(%d)", i)
			case s.pc[i] == 2 && s.a[3-i] == 0:
				do(to.at(i, 3), "wait(%d)", i)
			case s.pc[i] == 3:
				to.x = i
				do(to.at(i, 1), "take(%d)", i)
			case s.pc[i] == 4:
				to.a[i] = 0
				do(to.at(i, 0), "leave(%d)", i)
			}
		}
	})
}

// ticketLock is a queue: who came first goes in, and out.
func ticketLock() *graph.Graph {
	type state struct {
		queue  string
		inside bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := 1; i <= 3; i++ {
			there := false
			for _, c := range s.queue {
				there = there || int(c-'0') == i
			}
			if !there {
				do(state{s.queue + fmt.Sprint(i), s.inside}, "ticket(%d)", i)
			}
		}
		if s.queue != "" && s.inside {
			do(state{s.queue[1:], false}, "leave(%c)", s.queue[0])
		} else if s.queue != "" {
			do(state{s.queue, true}, "enter(%c)", s.queue[0])
		}
	})
}

func fastMutex() *graph.Graph {
	return made(shared{x: 1}, func(s shared, do goes[shared]) {
		for i := 1; i <= 2; i++ {
			to, step := s, func(to shared, n int) { do(to, "step(%d, %d)", i, n) }
			switch s.pc[i] {
			case 0:
				to.b[i] = 1
				step(to.at(i, 1), 0)
			case 1:
				to.x = i
				step(to.at(i, 2), 1)
			case 2:
				if s.y != 0 {
					to.b[i] = 0
					step(to.at(i, 3), 2)
				} else {
					step(to.at(i, 4), 4)
				}
			case 3:
				if s.y == 0 {
					step(to.at(i, 0), 3)
				}
			case 4:
				to.y = i
				step(to.at(i, 5), 5)
			case 5:
				if s.x == i {
					do(to.at(i, 9), "enter(%d)", i)
				} else {
					to.b[i] = 0
					step(to.at(i, 6), 6)
				}
			case 6:
				if s.b[1]+s.b[2] == 0 {
					step(to.at(i, 7), 7)
				}
			case 7:
				if s.y == i {
					do(to.at(i, 9), "enter(%d)", i)
				} else {
					step(to.at(i, 3), 8)
				}
			case 9:
				to.y = 0
				do(to.at(i, 10), "leave(%d)", i)
			case 10:
				to.b[i] = 0
				step(to.at(i, 0), 10)
			}
		}
	})
}

func szymanski() *graph.Graph {
	return made(shared{}, func(s shared, do goes[shared]) {
		for i := 1; i <= 2; i++ {
			other := s.a[3-i]
			go_ := func(flag, pc, n int) {
				to := s.at(i, pc)
				to.a[i] = flag
				do(to, "step(%d, %d)", i, n)
			}
			switch s.pc[i] {
			case 0:
				go_(1, 1, 0)
			case 1:
				if other < 3 {
					go_(s.a[i], 2, 1)
				}
			case 2:
				go_(3, 3, 2)
			case 3:
				if other == 1 {
					go_(2, 4, 3)
				} else {
					go_(s.a[i], 5, 5)
				}
			case 4:
				if other == 4 {
					go_(s.a[i], 5, 4)
				}
			case 5:
				go_(4, 6, 6)
			case 6:
				if i == 1 || s.a[1] < 2 {
					do(s.at(i, 7), "enter(%d)", i)
				}
			case 7:
				if i == 2 || s.a[2] < 2 || s.a[2] > 3 {
					to := s.at(i, 0)
					to.a[i] = 0
					do(to, "leave(%d)", i)
				}
			}
		}
	})
}

func fischer() *graph.Graph {
	return made(shared{}, func(s shared, do goes[shared]) {
		for i := 1; i <= 2; i++ {
			to := s
			switch {
			case s.pc[i] == 0 && s.x == 0:
				do(to.at(i, 1), "look(%d)", i)
			case s.pc[i] == 1:
				to.x = i
				do(to.at(i, 2), "write(%d)", i)
			case s.pc[i] == 2 && s.x == i:
				do(to.at(i, 3), "enter(%d)", i)
			case s.pc[i] == 2:
				do(to.at(i, 0), "again(%d)", i)
			case s.pc[i] == 3:
				to.x = 0
				do(to.at(i, 0), "leave(%d)", i)
			}
		}
	})
}

func tokenRing() *graph.Graph {
	type state struct {
		wants  [5]bool
		token  int
		inside bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := range 5 {
			to := s
			if to.wants[i] = true; !s.wants[i] {
				do(to, "want(%d)", i)
			}
		}
		to := s
		switch {
		case s.inside:
			to.inside, to.wants[s.token] = false, false
			do(to, "leave(%d)", s.token)
		case s.wants[s.token]:
			to.inside = true
			do(to, "enter(%d)", s.token)
		default:
			to.token = (s.token + 1) % 5
			do(to, "token(%d)", to.token)
		}
	})
}

func kState() *graph.Graph {
	type state struct {
		n     [4]int
		begun bool
	}
	return made(state{}, func(s state, do goes[state]) {
		if !s.begun {
			for k := range 256 {
				n := [4]int{k & 3, k >> 2 & 3, k >> 4 & 3, k >> 6}
				do(state{n, true}, "begin(%d, %d, %d, %d)", n[0], n[1], n[2], n[3])
			}
			return
		}
		for i := range 4 {
			to := s
			if i == 0 && s.n[0] == s.n[3] {
				to.n[0] = (s.n[0] + 1) % 4
				do(to, "move(0)")
			} else if i > 0 && s.n[i] != s.n[i-1] {
				to.n[i] = s.n[i-1]
				do(to, "move(%d)", i)
			}
		}
	})
}

func readers() *graph.Graph {
	type state struct {
		in [4]bool
		w  int
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := 1; i <= 3; i++ {
			to := s
			if to.in[i] = !s.in[i]; s.in[i] {
				do(to, "endRead(%d)", i)
			} else if s.w == 0 {
				do(to, "startRead(%d)", i)
			}
		}
		for i := 1; i <= 2; i++ {
			if s.w == i {
				do(state{s.in, 0}, "endWrite(%d)", i)
			} else if s == (state{}) {
				do(state{s.in, i}, "startWrite(%d)", i)
			}
		}
	})
}

func barber() *graph.Graph {
	type state struct {
		where  [4]int // 0 away, 1 at the door, 2 inside
		queue  string
		now    int
		asleep bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := 1; i <= 3; i++ {
			to := s
			switch {
			case s.where[i] == 0:
				to.where[i] = 1
				do(to, "come(%d)", i)
			case s.where[i] == 1 && len(s.queue) == 2:
				to.where[i] = 0
				do(to, "turnAway(%d)", i)
			case s.where[i] == 1:
				to.where[i], to.queue = 2, s.queue+fmt.Sprint(i)
				do(to, "sit(%d)", i)
			case s.now == i:
				to.where[i], to.now = 0, 0
				do(to, "leave(%d)", i)
			}
		}
		to := s
		switch {
		case s.asleep && s.queue != "":
			to.asleep = false
			do(to, "wake")
		case !s.asleep && s.now == 0 && s.queue == "":
			to.asleep = true
			do(to, "sleep")
		case !s.asleep && s.now == 0:
			to.now, to.queue = int(s.queue[0]-'0'), s.queue[1:]
			do(to, "cut(%d)", to.now)
		}
	})
}

func smokers() *graph.Graph {
	type state struct {
		on   [4]bool
		held [4]int
		busy bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := 1; i <= 3; i++ {
			var needs []int
			for k := 1; k <= 3; k++ {
				if k != i {
					needs = append(needs, k)
				}
			}
			if to := s; !s.busy {
				to.on, to.busy = [4]bool{}, true
				to.on[needs[0]], to.on[needs[1]] = true, true
				do(to, "offer(%d)", i)
			}
			to := s
			if n := s.held[i]; n == 2 {
				to.held[i], to.busy = 0, false
				do(to, "smoke(%d)", i)
			} else if s.on[needs[n]] {
				to.held[i], to.on[needs[n]] = n+1, false
				do(to, "take(%d, %d)", i, needs[n])
			}
		}
	})
}

func buffer() *graph.Graph {
	names := map[byte]string{'0': "false", '1': "true"}
	return made("", func(s string, do goes[string]) {
		for b, name := range names {
			if len(s) < 3 {
				do(s+string(b), "put(%s)", name)
			}
		}
		if s != "" {
			do(s[1:], "get(%s)", names[s[0]])
		}
	})
}

func msi() *graph.Graph {
	const invalid, shared, dirty = 0, 1, 2
	return made([3]int{}, func(s [3]int, do goes[[3]int]) {
		for i := range 3 {
			to := s
			if s[i] == invalid {
				for k := range to {
					to[k] = min(to[k], shared)
				}
				to[i] = shared
			}
			do(to, "read(%d)", i+1)
			to = [3]int{}
			to[i] = dirty
			do(to, "write(%d)", i+1)
			to = s
			if to[i] = invalid; s[i] != invalid {
				do(to, "evict(%d)", i+1)
			}
		}
	})
}

// mesi knows what every reader has to see: the last value that was written, whoever has it. What happens to its states is another question.
func mesi() *graph.Graph {
	type state struct {
		has  [2]bool
		last bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := range 2 {
			to := s
			to.has[i] = true
			do(to, "read(%d, %v)", i+1, s.last)
			for _, x := range []bool{false, true} {
				w := state{last: x}
				w.has[i] = true
				do(w, "write(%d, %v)", i+1, x)
			}
			if to.has[i] = false; s.has[i] {
				do(to, "evict(%d)", i+1)
			}
		}
	})
}

func crossing() *graph.Graph {
	type state struct {
		train [2]int
		shut  bool
	}
	return made(state{}, func(s state, do goes[state]) {
		for i := range 2 {
			to := s
			to.train[i] = (s.train[i] + 1) % 3
			if s.train[i] != 1 || s.shut {
				do(to, "%s(%d)", []string{"near", "cross", "out"}[s.train[i]], i+1)
			}
		}
		if s.train == [2]int{} && s.shut {
			do(state{s.train, false}, "up")
		} else if s.train != [2]int{} && !s.shut {
			do(state{s.train, true}, "down")
		}
	})
}

func trains() *graph.Graph {
	return made([2]int{0, 5}, func(s [2]int, do goes[[2]int]) {
		for i := range 2 {
			step, last := 1, 5
			if i == 1 {
				step, last = -1, 0
			}
			to := s
			switch to[i] += step; {
			case s[i] == 6:
			case s[i] == last:
				to[i] = 6
				do(to, "arrive(%d)", i+1)
			case to[i] != s[1-i] || to[i] == 2:
				do(to, "move(%d, %d)", i+1, to[i])
			}
		}
	})
}

func vending() *graph.Graph {
	table := [][]struct {
		label string
		to    int
	}{{{"in2p", 1}, {"in1p", 3}}, {{"large", 0}, {"small", 2}}, {{"out1p", 0}}, {{"small", 0}, {"in1p", 4}}, {{"large", 0}, {"in1p", 5}}, {}}
	return made(0, func(s int, do goes[int]) {
		for _, x := range table[s] {
			do(x.to, "%s", x.label)
		}
	})
}

func lights() *graph.Graph {
	return made(0, func(s int, do goes[int]) {
		do((s+1)%6, "show(%d, %s)", s/3+1, []string{"green", "yellow", "red"}[s%3])
	})
}

// barrier counts: who has come and waits for others, and who may go.
func barrier() *graph.Graph {
	type state struct{ waits, free [4]bool }
	return made(state{}, func(s state, do goes[state]) {
		waiting := 0
		for i := 1; i <= 3; i++ {
			if s.waits[i] {
				waiting++
			}
		}
		for i := 1; i <= 3; i++ {
			to := s
			switch {
			case s.free[i]:
				to.free[i] = false
				do(to, "go(%d)", i)
			case !s.waits[i] && waiting == 2:
				to.free = s.waits
				to.free[i] = true
				for k := range s.free {
					to.free[k] = to.free[k] || s.free[k]
				}
				to.waits = [4]bool{}
				do(to, "come(%d)", i)
			case !s.waits[i]:
				to.waits[i] = true
				do(to, "come(%d)", i)
			}
		}
	})
}

func lostWakeup() *graph.Graph {
	type state struct {
		consumer, producer string
		full               bool
	}
	return made(state{"looks", "puts", false}, func(s state, do goes[state]) {
		to := s
		switch s.consumer {
		case "looks":
			if to.consumer = "decides"; s.full {
				to.consumer = "goes"
				do(to, "go")
			} else {
				do(to, "look")
			}
		case "decides":
			to.consumer = "sleeps"
			do(to, "wait")
		case "goes":
			do(s, "gone")
		}
		to = s
		switch s.producer {
		case "puts":
			to.producer, to.full = "wakes", true
			do(to, "put")
		case "wakes":
			if to.producer = "ends"; s.consumer == "sleeps" {
				to.consumer = "looks"
			}
			do(to, "wake")
		}
	})
}

func termination() *graph.Graph {
	type state struct {
		active, black [3]bool
		token         int
		dark, over    bool
	}
	return made(state{active: [3]bool{true, true, true}, dark: true}, func(s state, do goes[state]) {
		if s.over {
			return
		}
		for i := range 3 {
			if !s.active[i] {
				continue
			}
			for j := range 3 {
				if i != j {
					to := s
					to.active[j], to.black[i] = true, s.black[i] || j > i
					do(to, "work(%d, %d)", i, j)
				}
			}
			to := s
			to.active[i] = false
			do(to, "rest(%d)", i)
		}
		t := s.token
		if s.active[t] {
			return
		}
		to := s
		to.black[t] = false
		switch dark := s.dark || s.black[t]; {
		case t > 0:
			to.token, to.dark = t-1, dark
			do(to, "pass(%d)", t)
		case dark:
			to.token, to.dark = 2, false
			do(to, "pass(0)")
		default:
			do(state{over: true}, "over")
		}
	})
}
