package symbolic

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
)

// A group is the summands that read and write the same parameters.
type group struct {
	summands []int
	reads    []int // levels, in ascending order
	writes   []int
	from     []int // by place of reads: which of the parameters that the summands read
	to       []int // by place of writes: which of those that they write
	top      int   // the first level that it reads or writes

	shape    ldd.Set // of the relation
	topShape ldd.Set // the same, from level top on
	topReads ldd.Set // what is read, from level top on
	allReads ldd.Set

	known    ldd.Set // short vectors whose steps are learned
	active   ldd.Set // those that have steps
	relation ldd.Set
	steps    []labelled // if labels matter
}

// A labelled is a line of a relation, with a label.
type labelled struct {
	label lts.Label
	line  []uint32
}

// makeGroups puts summands together that read and write the same, in an order of the
// levels.
func (x *Space) makeGroups() {
	at := positions(x.levels)
	byUse := map[string]*group{}
	for i := range x.sys.Summands() {
		g := &group{top: len(x.levels)}
		level := func(params []int) (levels, which []int) {
			for k := range params {
				which = append(which, k)
			}
			slices.SortFunc(which, func(a, b int) int { return at[params[a]] - at[params[b]] })
			for _, k := range which {
				levels = append(levels, at[params[k]])
			}
			return levels, which
		}
		g.reads, g.from = level(x.sys.Reads(i))
		g.writes, g.to = level(x.sys.Writes(i))
		shape, reads := make([]uint32, len(x.levels)), make([]uint32, len(x.levels))
		for _, l := range g.reads {
			shape[l] |= ldd.Read
			reads[l] |= ldd.Read
		}
		for _, l := range g.writes {
			shape[l] |= ldd.Write
		}
		for l, kind := range slices.Backward(shape) {
			if kind != ldd.Alone {
				g.top = l
			}
		}
		key := string(shapeKey(shape))
		if known := byUse[key]; known != nil {
			known.summands = append(known.summands, i)
			continue
		}
		byUse[key] = g
		g.summands = []int{i}
		g.shape, g.topShape = x.store.Shape(shape), x.store.Shape(shape[g.top:])
		g.allReads, g.topReads = x.store.Shape(reads), x.store.Shape(reads[g.top:])
		x.groups = append(x.groups, g)
	}
	slices.SortStableFunc(x.groups, func(a, b *group) int { return b.top - a.top })
}

func shapeKey(shape []uint32) (key []byte) {
	for _, kind := range shape {
		key = append(key, byte(kind))
	}
	return key
}

// learn finds out what the summands of a group do in states of which a set has what
// follows the levels before its first one.
func (x *Space) learn(g *group, set ldd.Set) {
	short := x.store.Minus(x.store.Project(set, g.topReads), g.known)
	if short == ldd.Empty {
		return
	}
	var lines, active [][]uint32
	x.store.Each(short, func(v []uint32) bool {
		read := make([]data.Value, len(v))
		for k, n := range v {
			read[g.from[k]] = x.values[n]
		}
		x.poll()
		before := len(lines)
		for _, i := range g.summands {
			if err := x.sys.EachStep(i, read, func(l lts.Label, written []data.Value) {
				line := g.line(x, v, written)
				lines = append(lines, line)
				if x.keep {
					g.steps = append(g.steps, labelled{l, line})
				}
			}); err != nil {
				panic(failure{err})
			}
		}
		if len(lines) > before {
			active = append(active, slices.Clone(v))
		}
		return true
	})
	x.learned += int64(len(lines))
	g.relation = x.store.Union(g.relation, x.store.Of(lines))
	g.active = x.store.Union(g.active, x.store.Of(active))
	g.known = x.store.Union(g.known, short)
}

// line returns what is read and what is written by a step, in the order of levels.
func (g *group) line(x *Space, read []uint32, written []data.Value) []uint32 {
	line := make([]uint32, 0, len(g.reads)+len(g.writes))
	r, w := 0, 0
	for r < len(g.reads) || w < len(g.writes) {
		level := len(x.levels)
		if r < len(g.reads) {
			level = g.reads[r]
		}
		if w < len(g.writes) && g.writes[w] < level {
			level = g.writes[w]
		}
		if r < len(g.reads) && g.reads[r] == level {
			line = append(line, read[r])
			r++
		}
		if w < len(g.writes) && g.writes[w] == level {
			line = append(line, x.number(written[g.to[w]]))
			w++
		}
	}
	return line
}

// number returns the number of a value.
func (x *Space) number(v data.Value) uint32 {
	n, ok := x.numbers[v]
	if !ok {
		// Terms with other numbers may be the same value: states are told apart by hashes.
		hi, lo := x.sys.Engine().Hash(v)
		h := [2]uint64{hi, lo}
		if n, ok = x.hashes[h]; !ok {
			n = uint32(len(x.values))
			x.hashes[h] = n
			x.values = append(x.values, v)
		}
		x.numbers[v] = n
	}
	return n
}
