package ldd

import "math"

// A Set is a set of vectors of one length, a number of its Store.
type Set uint32

// The sets without nodes.
const (
	Empty Set = 0 // no vector
	Unit  Set = 1 // the vector of length 0
)

type node struct {
	value       uint32
	down, right Set
}

// A Store holds nodes. Its zero value is not ready: see New.
type Store struct {
	nodes []node
	table []Set // open addressing; Empty is a free place
	free  Set   // nodes that are given back, a list by right
	live  int   // nodes in the table

	parts []Set   // that are to be put together; a stack
	cache []entry // of operations; what does not fit replaces what is there

	polls uint32
	stop  func() bool
}

// An operation of an entry. The zero value is none.
type operation uint32

const (
	opUnion operation = iota + 1
	opMinus
	opIntersect
	opProject
	opMatch
	opNext
	opPrev
)

type entry struct {
	op         operation
	a, b, c, d Set
	result     Set
}

const (
	firstNodes = 1 << 12
	maxCache   = 1 << 22
)

// New returns a store without nodes.
func New() *Store {
	return &Store{nodes: make([]node, 2, firstNodes), table: make([]Set, 2*firstNodes), cache: make([]entry, firstNodes)}
}

// A Stop is what operations panic with if they are stopped. See StopWhen.
type Stop struct {
	Full bool // there are as many nodes as can have numbers
}

// StopWhen has operations ask now and then whether to stop. If so they panic with
// a Stop. The store is as good as before then.
func (s *Store) StopWhen(ask func() bool) { s.stop, s.parts = ask, s.parts[:0] }

// poll asks whether to stop.
func (s *Store) poll() {
	if s.polls++; s.polls&(1<<12-1) == 0 && s.stop != nil && s.stop() {
		panic(Stop{})
	}
}

// Nodes returns how many nodes there are.
func (s *Store) Nodes() int { return s.live }

// Bytes returns how much memory they take.
func (s *Store) Bytes() int64 {
	return int64(cap(s.nodes))*12 + int64(len(s.table))*4 + int64(len(s.cache))*24
}

// Value returns the first number of the first vectors of a set with nodes, Down
// what follows it, and Right the vectors that begin with others, which are larger.
func (s *Store) Value(a Set) uint32 { return s.nodes[a].value }

// Down returns what follows the first number.
func (s *Store) Down(a Set) Set { return s.nodes[a].down }

// Right returns the vectors that begin with larger numbers.
func (s *Store) Right(a Set) Set { return s.nodes[a].right }

// Node returns the vectors that are value and one of down, and those of right,
// which begin with larger numbers.
func (s *Store) Node(value uint32, down, right Set) Set {
	if down == Empty {
		return right
	}
	mask := uint32(len(s.table) - 1)
	i := hash(value, uint32(down), uint32(right)) & mask
	for ; s.table[i] != Empty; i = (i + 1) & mask {
		if n := &s.nodes[s.table[i]]; n.value == value && n.down == down && n.right == right {
			return s.table[i]
		}
	}
	a := s.free
	if a != Empty {
		s.free = s.nodes[a].right
		s.nodes[a] = node{value, down, right}
	} else {
		if len(s.nodes) >= math.MaxUint32 {
			panic(Stop{Full: true})
		}
		a = Set(len(s.nodes))
		s.nodes = append(s.nodes, node{value, down, right})
	}
	s.table[i] = a
	if s.live++; 4*s.live > 3*len(s.table) {
		s.fill(2 * len(s.table))
		if n := min(len(s.table)/2, maxCache); n > len(s.cache) {
			s.widen(n)
		}
	}
	return a
}

func hash(a, b, c uint32) uint32 {
	h := (uint64(a)*0x9e3779b97f4a7c15 ^ uint64(b)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>29 ^ uint64(c)) * 0x94d049bb133111eb
	return uint32(h >> 32)
}

// fill makes the table anew, of some size.
func (s *Store) fill(size int) {
	free := make([]bool, 0)
	if s.free != Empty {
		free = make([]bool, len(s.nodes))
		for a := s.free; a != Empty; a = s.nodes[a].right {
			free[a] = true
		}
	}
	s.table = make([]Set, size)
	mask := uint32(size - 1)
	for a := 2; a < len(s.nodes); a++ {
		if len(free) > 0 && free[a] {
			continue
		}
		n := &s.nodes[a]
		i := hash(n.value, uint32(n.down), uint32(n.right)) & mask
		for s.table[i] != Empty {
			i = (i + 1) & mask
		}
		s.table[i] = Set(a)
	}
}

// widen makes the cache larger.
func (s *Store) widen(size int) {
	old := s.cache
	s.cache = make([]entry, size)
	for _, e := range old {
		if e.op != 0 {
			*s.place(e.op, e.a, e.b, e.c, e.d) = e
		}
	}
}

func (s *Store) place(op operation, a, b, c, d Set) *entry {
	return &s.cache[hash(hash(uint32(op), uint32(a), uint32(b)), uint32(c), uint32(d))&uint32(len(s.cache)-1)]
}

// known returns the result of an operation if it is remembered.
func (s *Store) known(op operation, a, b, c, d Set) (Set, bool) {
	s.poll()
	e := s.place(op, a, b, c, d)
	if e.op == op && e.a == a && e.b == b && e.c == c && e.d == d {
		return e.result, true
	}
	return Empty, false
}

// remember notes the result of an operation and returns it.
func (s *Store) remember(op operation, a, b, c, d, result Set) Set {
	*s.place(op, a, b, c, d) = entry{op, a, b, c, d, result}
	return result
}

// Collect gives back all nodes but those of some sets. It returns which sets have
// still their nodes: those with live nodes alone.
func (s *Store) Collect(keep ...Set) (has func(Set) bool) {
	marked := make([]bool, len(s.nodes))
	marked[Empty], marked[Unit] = true, true
	var stack []Set
	for _, a := range keep {
		for stack = append(stack, a); len(stack) > 0; {
			a := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for ; !marked[a]; a = s.nodes[a].right {
				marked[a] = true
				stack = append(stack, s.nodes[a].down)
			}
		}
	}
	s.free, s.live = Empty, 0
	for a := len(s.nodes) - 1; a >= 2; a-- {
		if marked[a] {
			s.live++
			continue
		}
		s.nodes[a] = node{right: s.free}
		s.free = Set(a)
	}
	s.fill(len(s.table))
	for i := range s.cache {
		if e := &s.cache[i]; !marked[e.a] || !marked[e.b] || !marked[e.c] || !marked[e.d] || !marked[e.result] {
			*e = entry{}
		}
	}
	return func(a Set) bool { return marked[a] }
}
