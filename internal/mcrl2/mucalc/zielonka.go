package mucalc

// A player chooses at its vertices.
type player uint8

const (
	verifier player = iota // wins if the highest priority that comes again and again is even
	refuter
)

// A game is a parity game. A player who is stuck has lost.
type game struct {
	owner    []player
	priority []int8
	first    []int32 // of the successors of each vertex in succ
	succ     []int32

	before []int32 // predecessors, in the same form
	pred   []int32
}

// A solver solves a game by Zielonka's recursive algorithm.
type solver struct {
	*game
	winner   []player
	strategy []int32
	in       []bool  // vertices of the subgame that is being solved
	taken    []int32 // the last attractor that a vertex was put into
	counted  []int32 // the last attractor for which degree was counted
	degree   []int32 // successors of a vertex that the attractor does not have
	round    int32   // number of the attractor
}

// solve returns who wins from each vertex, and for vertices of the winner where it
// goes, -1 if it goes nowhere.
func (g *game) solve() ([]player, []int32) {
	n := len(g.owner)
	g.reverse()
	s := &solver{game: g, winner: make([]player, n), strategy: make([]int32, n), in: make([]bool, n),
		taken: make([]int32, n), counted: make([]int32, n), degree: make([]int32, n)}
	all := make([]int32, n)
	for v := range all {
		all[v], s.strategy[v], s.in[v] = int32(v), -1, true
	}
	// Whoever is stuck has lost, and so has who is led there.
	for _, p := range []player{verifier, refuter} {
		var stuck []int32
		for _, v := range all {
			if g.owner[v] != p && g.first[v] == g.first[v+1] {
				stuck = append(stuck, v)
			}
		}
		s.give(s.attract(p, stuck), p)
	}
	s.decide(s.left(all))
	return s.winner, s.strategy
}

// decide solves the subgame of the vertices that are in, which a list names. None
// of them is in any more afterwards.
func (s *solver) decide(list []int32) {
	for len(list) > 0 {
		highest := int8(0)
		for _, v := range list {
			highest = max(highest, s.priority[v])
		}
		p := player(highest % 2)
		var top []int32
		for _, v := range list {
			if s.priority[v] == highest {
				top = append(top, v)
			}
		}
		near := s.attract(p, top)
		s.give(near, p)
		rest := s.left(list)
		s.decide(rest)
		var lost []int32
		for _, v := range rest {
			if s.winner[v] != p {
				lost = append(lost, v)
			}
		}
		s.set(list, true)
		if len(lost) == 0 {
			for _, v := range top {
				s.anywhere(v)
			}
			s.set(list, false)
			return
		}
		s.give(s.attract(1-p, lost), 1-p)
		list = s.left(list)
	}
}

// anywhere lets a vertex go to any successor in the subgame.
func (s *solver) anywhere(v int32) {
	for _, w := range s.succ[s.first[v]:s.first[v+1]] {
		if s.in[w] {
			s.strategy[v] = w
			return
		}
	}
}

func (s *solver) set(list []int32, in bool) {
	for _, v := range list {
		s.in[v] = in
	}
}

// give says who wins, and takes the vertices out.
func (s *solver) give(list []int32, p player) {
	for _, v := range list {
		s.winner[v], s.in[v] = p, false
	}
}

// left returns those of a list that are in.
func (s *solver) left(list []int32) []int32 {
	var rest []int32
	for _, v := range list {
		if s.in[v] {
			rest = append(rest, v)
		}
	}
	return rest
}

// attract returns the vertices from which a player can force a play into a set,
// the set and the nearest first.
func (s *solver) attract(p player, set []int32) []int32 {
	s.round++
	queue := set[:len(set):len(set)]
	for _, v := range set {
		s.taken[v] = s.round
	}
	for i := 0; i < len(queue); i++ {
		w := queue[i]
		for _, v := range s.pred[s.before[w]:s.before[w+1]] {
			if !s.in[v] || s.taken[v] == s.round {
				continue
			}
			if s.owner[v] == p {
				s.strategy[v] = w
			} else if s.open(v) > 0 {
				continue
			}
			s.taken[v] = s.round
			queue = append(queue, v)
		}
	}
	return queue
}

// open notes that one more successor of a vertex is in the attractor and returns
// how many are not.
func (s *solver) open(v int32) int32 {
	if s.counted[v] != s.round {
		s.counted[v], s.degree[v] = s.round, 0
		for _, w := range s.succ[s.first[v]:s.first[v+1]] {
			if s.in[w] {
				s.degree[v]++
			}
		}
	}
	s.degree[v]--
	return s.degree[v]
}

// reverse computes predecessors.
func (g *game) reverse() {
	n := len(g.owner)
	g.before = make([]int32, n+1)
	g.pred = make([]int32, len(g.succ))
	for _, w := range g.succ {
		g.before[w+1]++
	}
	for v := range n {
		g.before[v+1] += g.before[v]
	}
	next := append([]int32(nil), g.before[:n]...)
	for v := range n {
		for _, w := range g.succ[g.first[v]:g.first[v+1]] {
			g.pred[next[w]] = int32(v)
			next[w]++
		}
	}
}
