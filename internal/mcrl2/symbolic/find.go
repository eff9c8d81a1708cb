package symbolic

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
)

// Deadlocks returns the states without steps that are not in some sets.
func (x *Space) Deadlocks(but ...ldd.Set) (dead ldd.Set, err error) {
	err = x.try(func() {
		dead = x.reached
		for _, set := range but {
			dead = x.store.Minus(dead, set)
		}
		for _, g := range x.groups {
			dead = x.store.Minus(dead, x.store.Match(dead, g.active, g.allReads))
		}
	})
	return dead, err
}

// Doing returns the states that have a step with one of some labels. Labels have to
// be kept.
func (x *Space) Doing(in func(lts.Label) bool) (set ldd.Set, err error) {
	err = x.try(func() { set = x.Steps(in).Prev(x.reached, x.reached) })
	return set, err
}

// Where returns the states in which a condition over some parameters does not hold
// or has no value. It is asked once for each combination of their values, which it
// gets in ascending order of the parameters.
func (x *Space) Where(params []int, fails func([]data.Value) bool) (set ldd.Set, err error) {
	err = x.try(func() {
		reads := make([]uint32, len(x.levels))
		var which []int // by place of short vectors
		for l, p := range x.levels {
			if k := slices.Index(params, p); k >= 0 {
				reads[l] = ldd.Read
				which = append(which, k)
			}
		}
		shape := x.store.Shape(reads)
		var bad [][]uint32
		list := make([]data.Value, len(params))
		x.store.Each(x.store.Project(x.reached, shape), func(v []uint32) bool {
			x.poll()
			for i, n := range v {
				list[which[i]] = x.values[n]
			}
			if fails(list) {
				bad = append(bad, slices.Clone(v))
			}
			return true
		})
		set = x.store.Match(x.reached, x.store.Of(bad), shape)
	})
	return set, err
}

// Way returns a shortest way to a state of a set that is not empty. The system stands
// at its end.
func (x *Space) Way(to ldd.Set) (path lts.Path, err error) {
	var states [][]uint32
	if err = x.try(func() { states = x.between(to) }); err != nil {
		return nil, err
	}
	x.sys.Reset()
	for _, v := range states {
		if path, err = x.Go(path, v, func(lts.Label) bool { return true }); err != nil {
			return nil, err
		}
	}
	return path, nil
}

// Go takes the first step with one of some labels to a state, and appends it to a
// path.
func (x *Space) Go(path lts.Path, to []uint32, in func(lts.Label) bool) (lts.Path, error) {
	m := x.sys.Save()
	for _, s := range x.sys.Enabled(nil) {
		if l := x.sys.Take(s); in(l) && slices.Equal(x.vector(x.sys.State()), to) {
			return append(path, s), nil
		}
		x.sys.Restore(m)
	}
	return nil, diag.Bugf("step %d of a symbolic way is none", len(path)+1)
}
