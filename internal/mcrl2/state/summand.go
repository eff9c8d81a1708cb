package state

import (
	"encoding/binary"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// A summand is a compiled summand.
//
// What it can do in a state is a list in results: how many steps, and for each
// its label, the values of the parameters that it writes, and by how much the hash
// of the state changes, but for what blind parameters add to it before. Place 0 is
// the empty list.
type summand struct {
	at     diag.Pos
	sum    *data.Sum
	sums   bool // it has variables of its own
	calls  []call
	time   *data.Code   // or nil
	next   []*data.Code // of the parameters it writes
	writes []int
	reads  []int
	blind  []int    // parameters that it writes and does not read
	known  []bool   // by writes: it reads that
	tests  []equals // see guards
	width  int      // of a step in a list: a label, values, and the two words of their hash

	cache    cache
	uncached bool

	found []data.Value // scratch: the list that is being made
	yield func() bool
}

// A call is an action with its arguments.
type call struct {
	action int
	args   []*data.Code
}

// equals is a conjunct that wants a parameter to have a value.
type equals struct {
	param int
	value data.Value
}

func (s *System) compile(y *spec.Summand, sc *data.Scope) (*summand, error) {
	c := &summand{at: y.At, sums: len(y.Vars) > 0}
	place := map[*spec.Var]int{}
	for i, p := range s.lps.Params {
		place[p] = i
	}
	uses := []spec.Expr{y.Cond}
	var err error
	at := y.Cond.Pos()
	if !at.IsValid() {
		at = y.At
	}
	if c.sum, err = s.engine.CompileSum(sc, y.Vars, y.Cond, at); err != nil {
		return nil, err
	}
	code := func(x spec.Expr) *data.Code {
		uses = append(uses, x)
		k, e := s.engine.Compile(x, sc)
		if e != nil && err == nil {
			err = e
		}
		return k
	}
	for _, a := range y.Multi {
		k := call{action: s.labels.action(a.Action)}
		for _, x := range a.Args {
			k.args = append(k.args, code(x))
		}
		c.calls = append(c.calls, k)
	}
	if y.Time != nil {
		c.time = code(y.Time)
	}
	for i, x := range y.Next {
		if x == spec.Expr(s.lps.Params[i]) {
			continue
		}
		c.writes = append(c.writes, i)
		c.next = append(c.next, code(x))
	}
	if err != nil {
		return nil, err
	}
	for _, v := range spec.FreeVars(uses...) {
		if i, ok := place[v]; ok {
			c.reads = append(c.reads, i)
		}
	}
	slices.Sort(c.reads)
	if c.tests, err = s.testsOf(y.Cond, place, nil); err != nil {
		return nil, err
	}
	for _, p := range c.writes {
		_, known := slices.BinarySearch(c.reads, p)
		if c.known = append(c.known, known); !known {
			c.blind = append(c.blind, p)
		}
	}
	c.width = 3 + len(c.writes)
	c.cache.start(len(c.reads))
	c.yield = func() bool {
		s.step(c)
		return !s.stop.now()
	}
	return c, nil
}

// testsOf appends the conjuncts that compare a parameter with a constant.
func (s *System) testsOf(x spec.Expr, place map[*spec.Var]int, dst []equals) ([]equals, error) {
	if v, ok := x.(*spec.Var); ok {
		if p, ok := place[v]; ok {
			dst = append(dst, equals{p, data.True})
		}
		return dst, nil
	}
	a, ok := x.(*spec.Apply)
	if !ok {
		return dst, nil
	}
	var err error
	switch {
	case spec.IsOp(a.Head, spec.OpAnd):
		if dst, err = s.testsOf(a.Args[0], place, dst); err != nil {
			return nil, err
		}
		return s.testsOf(a.Args[1], place, dst)
	case spec.IsOp(a.Head, spec.OpNot):
		if v, ok := a.Args[0].(*spec.Var); ok {
			if p, ok := place[v]; ok {
				dst = append(dst, equals{p, data.False})
			}
		}
	case spec.IsOp(a.Head, spec.OpEq):
		for i := range 2 {
			v, ok := a.Args[i].(*spec.Var)
			if !ok || !s.engine.Plain(v.Of) {
				continue
			}
			p, ok := place[v]
			if !ok || len(spec.FreeVars(a.Args[1-i])) > 0 {
				continue
			}
			w, err := s.engine.Eval(a.Args[1-i], nil)
			if err == nil && s.engine.Ground(w) {
				dst = append(dst, equals{p, w})
			}
			break
		}
	}
	return dst, nil
}

// look returns the place of what a summand can do. If it is not kept, it is in
// temp until the next look that is not kept either.
func (s *System) look(c *summand, keep bool) (uint32, error) {
	var slot *uint32
	if !c.uncached {
		slot = c.cache.find(s.state, c.reads)
		if *slot != unknown {
			return *slot, nil
		}
	}
	c.found = append(c.found[:0], 0)
	if err := c.sum.Each(s.frame, c.yield); err != nil {
		return 0, err
	}
	if s.stop.said {
		return 0, diag.Incompletef("stopped while the steps of a state were found out")
	}
	c.distinct()
	if c.found[0] == 0 {
		if slot != nil {
			*slot = 0
		}
		return 0, nil
	}
	if slot == nil {
		if !keep {
			s.scratch = c.found
			return inScratch, nil
		}
		s.temp = append(s.temp, c.found...)
		return uint32(len(s.temp)-len(c.found)) | inTemp, nil
	}
	if len(s.results)+len(c.found) >= inTemp {
		return 0, diag.Incompletef("more than 2^31 values in caches of summands")
	}
	*slot = uint32(len(s.results))
	s.results = append(s.results, c.found...)
	if c.cache.wasteful() {
		c.uncached = true
		c.cache = cache{}
	}
	return uint32(len(s.results) - len(c.found)), nil
}

// step adds the step for the values that the frame has.
func (s *System) step(c *summand) {
	from := len(c.found)
	c.found = append(c.found, 0)
	var h sum
	for i, x := range c.next {
		v := x.Value(s.frame)
		c.found = append(c.found, v)
		p := c.writes[i]
		h = h.plus(s.hashAt(p, v))
		if c.known[i] {
			h = h.minus(s.hashAt(p, s.state[p]))
		}
	}
	c.found = append(c.found, data.Value(h.hi), data.Value(h.lo))
	c.found[from] = data.Value(s.labels.of(s, c))
	c.found[0]++
}

// distinct removes steps that were found more than once.
func (c *summand) distinct() {
	const few = 32
	n := int(c.found[0])
	if n < 2 {
		return
	}
	var seen map[string]bool
	var key []byte
	if n > few {
		seen = make(map[string]bool, n)
	}
	kept := 0
	for k := range n {
		t := c.found[1+k*c.width:][:c.width]
		isNew := true
		if n > few {
			key = key[:0]
			for _, v := range t {
				key = binary.LittleEndian.AppendUint64(key, uint64(v))
			}
			isNew = !seen[string(key)]
			seen[string(key)] = true
		} else {
			for i := range kept {
				isNew = isNew && !slices.Equal(c.found[1+i*c.width:][:c.width], t)
			}
		}
		if isNew {
			copy(c.found[1+kept*c.width:], t)
			kept++
		}
	}
	c.found[0] = data.Value(kept)
	c.found = c.found[:1+kept*c.width]
}
