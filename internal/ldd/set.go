package ldd

import (
	"math/big"
	"slices"
)

// Vector returns the set of one vector.
func (s *Store) Vector(v []uint32) Set {
	a := Unit
	for _, x := range slices.Backward(v) {
		a = s.Node(x, a, Empty)
	}
	return a
}

// Of returns the set of some vectors of one length, which it sorts.
func (s *Store) Of(list [][]uint32) Set {
	slices.SortFunc(list, slices.Compare)
	return s.sorted(list, 0)
}

// sorted returns what follows the first numbers, in which all vectors agree.
func (s *Store) sorted(list [][]uint32, first int) Set {
	if len(list) == 0 {
		return Empty
	}
	if first == len(list[0]) {
		return Unit
	}
	a := Empty
	for end := len(list); end > 0; {
		x := list[end-1][first]
		begin := end - 1
		for begin > 0 && list[begin-1][first] == x {
			begin--
		}
		a = s.Node(x, s.sorted(list[begin:end], first+1), a)
		end = begin
	}
	return a
}

// Union returns the vectors of a and those of b.
func (s *Store) Union(a, b Set) Set {
	switch {
	case a == b || b == Empty:
		return a
	case a == Empty:
		return b
	case a > b:
		a, b = b, a
	}
	if r, ok := s.known(opUnion, a, b, 0, 0); ok {
		return r
	}
	x, y := s.nodes[a], s.nodes[b]
	var r Set
	switch {
	case x.value < y.value:
		r = s.Node(x.value, x.down, s.Union(x.right, b))
	case x.value > y.value:
		r = s.Node(y.value, y.down, s.Union(a, y.right))
	default:
		r = s.Node(x.value, s.Union(x.down, y.down), s.Union(x.right, y.right))
	}
	return s.remember(opUnion, a, b, 0, 0, r)
}

// together returns the union of the parts from some place on, and drops them. Long
// lists that are put together one after the other would be gone through each time.
func (s *Store) together(from int) Set {
	for parts := s.parts[from:]; len(parts) > 1; {
		n := 0
		for i := 0; i < len(parts); i += 2 {
			a := parts[i]
			if i+1 < len(parts) {
				a = s.Union(a, parts[i+1])
			}
			parts[n] = a
			n++
		}
		parts = parts[:n]
	}
	a := Empty
	if from < len(s.parts) {
		a = s.parts[from]
	}
	s.parts = s.parts[:from]
	return a
}

// Minus returns the vectors of a that are not in b.
func (s *Store) Minus(a, b Set) Set {
	switch {
	case a == b || a == Empty:
		return Empty
	case b == Empty:
		return a
	}
	if r, ok := s.known(opMinus, a, b, 0, 0); ok {
		return r
	}
	x, y := s.nodes[a], s.nodes[b]
	var r Set
	switch {
	case x.value < y.value:
		r = s.Node(x.value, x.down, s.Minus(x.right, b))
	case x.value > y.value:
		r = s.Minus(a, y.right)
	default:
		r = s.Node(x.value, s.Minus(x.down, y.down), s.Minus(x.right, y.right))
	}
	return s.remember(opMinus, a, b, 0, 0, r)
}

// Intersect returns the vectors of a that are in b.
func (s *Store) Intersect(a, b Set) Set {
	switch {
	case a == b || a == Empty:
		return a
	case b == Empty:
		return b
	case a > b:
		a, b = b, a
	}
	if r, ok := s.known(opIntersect, a, b, 0, 0); ok {
		return r
	}
	x, y := s.nodes[a], s.nodes[b]
	var r Set
	switch {
	case x.value < y.value:
		r = s.Intersect(x.right, b)
	case x.value > y.value:
		r = s.Intersect(a, y.right)
	default:
		r = s.Node(x.value, s.Intersect(x.down, y.down), s.Intersect(x.right, y.right))
	}
	return s.remember(opIntersect, a, b, 0, 0, r)
}

// Has reports whether a vector is in a set.
func (s *Store) Has(a Set, v []uint32) bool {
	for _, x := range v {
		for a != Empty && s.nodes[a].value < x {
			a = s.nodes[a].right
		}
		if a == Empty || s.nodes[a].value != x {
			return false
		}
		a = s.nodes[a].down
	}
	return a == Unit
}

// First returns the least vector of a set that is not empty.
func (s *Store) First(a Set) []uint32 {
	var v []uint32
	for ; a != Unit; a = s.nodes[a].down {
		v = append(v, s.nodes[a].value)
	}
	return v
}

// Each calls f for the vectors of a set, in ascending order, until it returns
// false. The vector is f's until it returns.
func (s *Store) Each(a Set, f func(v []uint32) bool) {
	var v []uint32
	var each func(a Set) bool
	each = func(a Set) bool {
		if a == Unit {
			return f(v)
		}
		for ; a != Empty; a = s.nodes[a].right {
			v = append(v, s.nodes[a].value)
			ok := each(s.nodes[a].down)
			v = v[:len(v)-1]
			if !ok {
				return false
			}
		}
		return true
	}
	each(a)
}

// Count returns how many vectors a set has.
func (s *Store) Count(a Set) *big.Int {
	seen := map[Set]*big.Int{Empty: new(big.Int), Unit: big.NewInt(1)}
	var count func(a Set) *big.Int
	count = func(a Set) *big.Int {
		if n, ok := seen[a]; ok {
			return n
		}
		sum := new(big.Int)
		b := a
		for ; b != Empty; b = s.nodes[b].right {
			if n, ok := seen[b]; ok {
				sum.Add(sum, n)
				break
			}
			sum.Add(sum, count(s.nodes[b].down))
		}
		seen[a] = sum
		return sum
	}
	return new(big.Int).Set(count(a))
}

// Size returns how many nodes some sets have together.
func (s *Store) Size(sets ...Set) int {
	seen := map[Set]bool{Empty: true, Unit: true}
	stack := slices.Clone(sets)
	for len(stack) > 0 {
		a := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for ; !seen[a]; a = s.nodes[a].right {
			seen[a] = true
			stack = append(stack, s.nodes[a].down)
		}
	}
	return len(seen) - 2
}
