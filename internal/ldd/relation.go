package ldd

// A place of a vector is left alone, read, written, or both, by what an operation
// is about. A list of those, from the first place on, is a shape; places behind its
// end are left alone. Shapes are stored as sets of one vector.
const (
	Alone uint32 = 0
	Read  uint32 = 1
	Write uint32 = 2
)

// Shape returns the shape of a list.
func (s *Store) Shape(list []uint32) Set {
	for len(list) > 0 && list[len(list)-1] == Alone {
		list = list[:len(list)-1]
	}
	return s.Vector(list)
}

// Project returns the parts of the vectors of a at the places that a shape reads.
func (s *Store) Project(a, shape Set) Set {
	switch {
	case a == Empty:
		return Empty
	case shape == Unit:
		return Unit
	}
	if r, ok := s.known(opProject, a, shape, 0, 0); ok {
		return r
	}
	n, rest := s.nodes[a], s.nodes[shape].down
	var r Set
	if s.nodes[shape].value&Read != 0 {
		r = s.Node(n.value, s.Project(n.down, rest), s.Project(n.right, shape))
	} else {
		from := len(s.parts)
		for b := a; b != Empty; b = s.nodes[b].right {
			part := s.Project(s.nodes[b].down, rest)
			s.parts = append(s.parts, part)
		}
		r = s.together(from)
	}
	return s.remember(opProject, a, shape, 0, 0, r)
}

// Match returns the vectors of a whose parts at the places that a shape reads are
// in short.
func (s *Store) Match(a, short, shape Set) Set {
	switch {
	case a == Empty || short == Empty:
		return Empty
	case shape == Unit:
		return a
	}
	if r, ok := s.known(opMatch, a, short, shape, 0); ok {
		return r
	}
	x, rest := s.nodes[a], s.nodes[shape].down
	var r Set
	if s.nodes[shape].value&Read == 0 {
		r = s.Node(x.value, s.Match(x.down, short, rest), s.Match(x.right, short, shape))
	} else {
		switch y := s.nodes[short]; {
		case x.value < y.value:
			r = s.Match(x.right, short, shape)
		case x.value > y.value:
			r = s.Match(a, y.right, shape)
		default:
			r = s.Node(x.value, s.Match(x.down, y.down, rest), s.Match(x.right, y.right, shape))
		}
	}
	return s.remember(opMatch, a, short, shape, 0, r)
}

// A relation is a set of vectors that have, for each place of a shape in order,
// the number that is read there, if it is read, and then the one that is written,
// if it is written. It leads from a vector that has what is read to the one in
// which what is written replaces what was there.

// Next returns the vectors that a relation leads to from those of a.
func (s *Store) Next(a, relation, shape Set) Set {
	switch {
	case a == Empty || relation == Empty:
		return Empty
	case shape == Unit:
		return a
	}
	if r, ok := s.known(opNext, a, relation, shape, 0); ok {
		return r
	}
	x, y, rest := s.nodes[a], s.nodes[relation], s.nodes[shape].down
	var r Set
	switch kind := s.nodes[shape].value; {
	case kind == Alone:
		r = s.Node(x.value, s.Next(x.down, relation, rest), s.Next(x.right, relation, shape))
	case kind == Write:
		// What was there does not matter, so what follows it is put together.
		from := len(s.parts)
		for b := a; b != Empty; b = s.nodes[b].right {
			s.parts = append(s.parts, s.nodes[b].down)
		}
		r = s.written(s.together(from), relation, rest)
	case x.value < y.value:
		r = s.Next(x.right, relation, shape)
	case x.value > y.value:
		r = s.Next(a, y.right, shape)
	case kind == Read:
		r = s.Node(x.value, s.Next(x.down, y.down, rest), s.Next(x.right, y.right, shape))
	default:
		from := len(s.parts)
		for b, c := a, relation; b != Empty && c != Empty; {
			switch x, y := s.nodes[b], s.nodes[c]; {
			case x.value < y.value:
				b = x.right
			case x.value > y.value:
				c = y.right
			default:
				part := s.written(x.down, y.down, rest)
				s.parts = append(s.parts, part)
				b, c = x.right, y.right
			}
		}
		r = s.together(from)
	}
	return s.remember(opNext, a, relation, shape, 0, r)
}

// written returns the vectors that begin with the number that a relation writes,
// followed by what it makes of those of a.
func (s *Store) written(a, relation, rest Set) Set {
	if relation == Empty {
		return Empty
	}
	n := s.nodes[relation]
	return s.Node(n.value, s.Next(a, n.down, rest), s.written(a, n.right, rest))
}

// Prev returns the vectors of within from which a relation leads to one of a.
func (s *Store) Prev(a, relation, shape, within Set) Set {
	switch {
	case a == Empty || relation == Empty || within == Empty:
		return Empty
	case shape == Unit:
		return s.Intersect(a, within)
	}
	if r, ok := s.known(opPrev, a, relation, shape, within); ok {
		return r
	}
	x, y, u, rest := s.nodes[a], s.nodes[relation], s.nodes[within], s.nodes[shape].down
	var r Set
	switch kind := s.nodes[shape].value; {
	case kind == Write:
		r = s.Node(u.value, s.unwritten(a, relation, rest, u.down), s.Prev(a, relation, shape, u.right))
	case kind != Alone && u.value < y.value:
		r = s.Prev(a, relation, shape, u.right)
	case kind != Alone && u.value > y.value:
		r = s.Prev(a, y.right, shape, within)
	case kind == Read|Write:
		r = s.Node(u.value, s.unwritten(a, y.down, rest, u.down), s.Prev(a, y.right, shape, u.right))
	case x.value < u.value:
		r = s.Prev(x.right, relation, shape, within)
	case x.value > u.value:
		r = s.Prev(a, relation, shape, u.right)
	case kind == Alone:
		r = s.Node(u.value, s.Prev(x.down, relation, rest, u.down), s.Prev(x.right, relation, shape, u.right))
	default:
		r = s.Node(u.value, s.Prev(x.down, y.down, rest, u.down), s.Prev(x.right, y.right, shape, u.right))
	}
	return s.remember(opPrev, a, relation, shape, within, r)
}

// unwritten returns those of within from which a relation leads to what follows in a
// the number that it writes.
func (s *Store) unwritten(a, relation, rest, within Set) Set {
	from := len(s.parts)
	for a != Empty && relation != Empty {
		switch x, y := s.nodes[a], s.nodes[relation]; {
		case x.value < y.value:
			a = x.right
		case x.value > y.value:
			relation = y.right
		default:
			part := s.Prev(x.down, y.down, rest, within)
			s.parts = append(s.parts, part)
			a, relation = x.right, y.right
		}
	}
	return s.together(from)
}
