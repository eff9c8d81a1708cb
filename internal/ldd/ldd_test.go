package ldd

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// A plain set has the texts of its vectors.
type plain map[string][]uint32

func text(v []uint32) string { return fmt.Sprint(v) }

func (p plain) add(v []uint32) { p[text(v)] = slices.Clone(v) }

func vectors(s *Store, a Set) plain {
	p := plain{}
	s.Each(a, func(v []uint32) bool {
		p.add(v)
		return true
	})
	return p
}

func (p plain) list() (out [][]uint32) {
	for _, v := range p {
		out = append(out, v)
	}
	return out
}

func equal(p, q plain) bool {
	for k := range p {
		if _, ok := q[k]; !ok {
			return false
		}
	}
	return len(p) == len(q)
}

func random(r *rand.Rand, length, values, most int) plain {
	p := plain{}
	for range r.IntN(most + 1) {
		v := make([]uint32, length)
		for i := range v {
			v[i] = uint32(r.IntN(values))
		}
		p.add(v)
	}
	return p
}

// step returns the vector that a line of a relation leads to, if it does.
func step(v, line, shape []uint32) ([]uint32, bool) {
	out := slices.Clone(v)
	for i, kind := range shape {
		if kind&Read != 0 {
			if line[0] != v[i] {
				return nil, false
			}
			line = line[1:]
		}
		if kind&Write != 0 {
			out[i] = line[0]
			line = line[1:]
		}
	}
	return out, true
}

// TestOperations holds all operations against those on plain sets, with nodes
// given back in between.
func TestOperations(t *testing.T) {
	const length, values = 4, 3
	r := rand.New(rand.NewPCG(1, 2))
	s := New()
	for round := range 3000 {
		p, q, u := random(r, length, values, 40), random(r, length, values, 40), random(r, length, values, 60)
		a, b, within := s.Of(p.list()), s.Of(q.list()), s.Of(u.list())
		var reads, width int
		shape := make([]uint32, length)
		for i := range shape {
			shape[i] = uint32(r.IntN(4))
			reads += int(shape[i] & Read)
			width += int(shape[i]&Read + shape[i]&Write>>1)
		}
		lines, parts := random(r, width, values, 12), random(r, reads, values, 6)
		relation, short, sh := s.Of(lines.list()), s.Of(parts.list()), s.Shape(shape)
		part := func(v []uint32) []uint32 {
			out := []uint32{}
			for i, x := range v {
				if shape[i]&Read != 0 {
					out = append(out, x)
				}
			}
			return out
		}
		union, minus, both, projected, matched, next, prev := plain{}, plain{}, plain{}, plain{}, plain{}, plain{}, plain{}
		for k, v := range p {
			union.add(v)
			if _, ok := q[k]; ok {
				both.add(v)
			} else {
				minus.add(v)
			}
			projected.add(part(v))
			if _, ok := parts[text(part(v))]; ok {
				matched.add(v)
			}
			for _, l := range lines {
				if to, ok := step(v, l, shape); ok {
					next.add(to)
				}
			}
		}
		for _, v := range q {
			union.add(v)
		}
		for _, v := range u {
			for _, l := range lines {
				if to, ok := step(v, l, shape); ok {
					if _, ok := p[text(to)]; ok {
						prev.add(v)
					}
				}
			}
		}
		for _, c := range []struct {
			name string
			got  Set
			want plain
		}{
			{"of", a, p},
			{"union", s.Union(a, b), union},
			{"minus", s.Minus(a, b), minus},
			{"intersect", s.Intersect(a, b), both},
			{"project", s.Project(a, sh), projected},
			{"match", s.Match(a, short, sh), matched},
			{"next", s.Next(a, relation, sh), next},
			{"prev", s.Prev(a, relation, sh, within), prev},
		} {
			if got := vectors(s, c.got); !equal(got, c.want) {
				t.Fatalf("round %d, %s: got %v, want %v; shape %v", round, c.name, got, c.want, shape)
			}
			if got := s.Count(c.got); got.Cmp(big.NewInt(int64(len(c.want)))) != 0 {
				t.Fatalf("round %d, %s: count is %v, want %d", round, c.name, got, len(c.want))
			}
			if again := s.Of(c.want.list()); again != c.got {
				t.Fatalf("round %d, %s: equal sets %d and %d", round, c.name, c.got, again)
			}
			if c.got != Empty && !s.Has(c.got, s.First(c.got)) {
				t.Fatalf("round %d, %s: the first vector is not in the set", round, c.name)
			}
		}
		v := random(r, length, values, 1)
		for k, v := range v {
			if _, want := p[k]; s.Has(a, v) != want {
				t.Fatalf("round %d: has %v: got %v", round, v, !want)
			}
		}
		if round%50 == 49 {
			keep := s.Collect(a)
			if got := vectors(s, a); !equal(got, p) {
				t.Fatalf("round %d: what is kept has changed", round)
			}
			if s.Nodes() != s.Size(a) {
				t.Fatalf("round %d: %d nodes are left, want %d", round, s.Nodes(), s.Size(a))
			}
			if !keep(a) {
				t.Fatalf("round %d: what is kept is not there", round)
			}
		}
	}
}

// TestCount: all vectors of 200 places with 10 values are 10^200, in 2000 nodes.
func TestCount(t *testing.T) {
	s := New()
	a := Unit
	for range 200 {
		down := a
		a = Empty
		for x := 9; x >= 0; x-- {
			a = s.Node(uint32(x), down, a)
		}
	}
	want := new(big.Int).Exp(big.NewInt(10), big.NewInt(200), nil)
	if got := s.Count(a); got.Cmp(want) != 0 {
		t.Errorf("got %v", got)
	}
	if got := s.Size(a); got != 2000 {
		t.Errorf("got %d nodes, want 2000", got)
	}
}

// TestMany: a store that has grown still knows each vector, and finds equal sets equal.
func TestMany(t *testing.T) {
	s := New()
	var list [][]uint32
	for i := range uint32(100_000) {
		list = append(list, []uint32{i % 317, i * 2654435761 >> 7, i})
	}
	a := s.Of(list)
	half := s.Union(s.Of(list[:50_000]), s.Of(list[40_000:]))
	if a != half {
		t.Error("equal sets have different numbers")
	}
	for _, v := range list {
		if !s.Has(a, v) {
			t.Fatalf("%v is not there", v)
		}
	}
	if got := s.Count(a).Int64(); got != 100_000 {
		t.Errorf("got %d vectors", got)
	}
}

// TestStop: an operation that is stopped leaves a store that gives right answers.
func TestStop(t *testing.T) {
	s := New()
	r := rand.New(rand.NewPCG(3, 4))
	p, q := random(r, 6, 20, 20_000), random(r, 6, 20, 20_000)
	a, b := s.Of(p.list()), s.Of(q.list())
	stopped := false
	s.StopWhen(func() bool { return true })
	func() {
		defer func() { _, stopped = recover().(Stop) }()
		s.Union(a, b)
	}()
	if !stopped {
		t.Fatal("it was not stopped")
	}
	s.StopWhen(nil)
	for _, v := range q {
		p.add(v)
	}
	if got, want := s.Union(a, b), s.Of(p.list()); got != want {
		t.Errorf("got %v vectors, want %v", s.Count(got), s.Count(want))
	}
}
