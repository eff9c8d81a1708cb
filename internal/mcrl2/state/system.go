package state

import (
	"math/bits"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

// Options say what a System is to find.
type Options struct {
	// Actions are names of actions that must not happen.
	Actions []string
	// Invariants are conditions over the parameters that must hold in each
	// state.
	Invariants []Invariant
	// Uncached evaluates summands anew in each state.
	Uncached bool
	Data     data.Options
}

// An Invariant is a condition of sort Bool whose variables are parameters.
type Invariant struct {
	Name string
	Cond spec.Expr
}

// A System is a linear process as a transition system.
type System struct {
	process
	values
	offers
	resultStore

	log   undoLog
	marks []mark

	labels labels
	last   uint32 // label of the last step
	seen   duplicates
	err    error
	stop   stopper
}

// A stopper asks now and then whether to stop, in the middle of a list of steps that may be very long.
type stopper struct {
	ask  func() bool // nil for never
	n    uint32
	said bool
}

// now reports whether to stop.
func (s *stopper) now() bool {
	if s.n++; s.n%1024 == 0 && s.ask != nil && s.ask() {
		s.said = true
	}
	return s.said
}

// StopWhen says when to stop. A system that was stopped is beyond what it can tell, until this is called again.
func (s *System) StopWhen(ask func() bool) { s.stop = stopper{ask: ask} }

// A process is what does not change: the linear process, compiled.
type process struct {
	lps        *spec.LPS
	engine     *data.Engine
	scope      *data.Scope // of values.frame
	summands   []*summand
	invariants []invariant
	reads      [][]uint64 // by parameter: the summands that look at it
	guards     []*guards  // of the parameters that summands test
	shift      uint       // of the summand in a Step
}

// The values are those of the parameters, with their hash.
type values struct {
	initial []data.Value
	frame   []data.Value // the parameters and what evaluation needs
	state   []data.Value // the parameters: the start of frame
	seed    uint64       // see Seed
	seeds   []sum        // of the hashes of parameters
	sum     sum          // of the state
}

// The offers are what the summands can do in the current state, as far as they
// have been looked at. Those that a step does not concern stay as they are.
type offers struct {
	res   []uint32 // by summand: the place of its results; meaningless where dirty
	full  []uint64 // summands whose res is not empty
	dirty []uint64 // summands whose parameters changed since they were looked at

	possible []uint64 // summands that no guard excludes; scratch
}

// A resultStore holds the results of summands, one list after the other.
type resultStore struct {
	results []data.Value // of the caches; see summand
	temp    []data.Value // of summands without cache, as a stack
	scratch []data.Value // of a summand without cache, until the next one
}

type mark struct {
	log, temp int
	sum       sum
}

// inTemp marks places of temp among places of results. inScratch is the place of
// scratch.
const (
	inTemp    = 1 << 31
	inScratch = unknown - 1
)

// New compiles a linear process. Systems of one process are made one after the
// other and may then be used at the same time.
func New(l *spec.LPS, o Options) (*System, error) {
	l = withTime(l)
	e, err := data.New(l.Data, o.Data)
	if err != nil {
		return nil, err
	}
	s := &System{process: process{lps: l, engine: e}, resultStore: resultStore{results: []data.Value{0}}}
	s.labels.start(l, o.Actions)
	sc := e.NewScope(l.Params...)
	s.scope = sc
	globals := map[int]data.Value{}
	env := data.Env{}
	for _, g := range l.Globals {
		v := e.Default(g.Of)
		globals[sc.Add(g)] = v
		env[g] = v
	}
	s.reads = make([][]uint64, len(l.Params))
	for _, y := range l.Summands {
		if y.Delta {
			continue
		}
		c, err := s.compile(y, sc)
		if err != nil {
			return nil, err
		}
		c.uncached = o.Uncached
		s.summands = append(s.summands, c)
	}
	words := (len(s.summands) + 63) / 64
	for p := range s.reads {
		s.reads[p] = make([]uint64, words)
	}
	for i, c := range s.summands {
		for _, p := range c.reads {
			s.reads[p][i/64] |= 1 << (i % 64)
		}
	}
	s.shift = 32 - uint(bits.Len(uint(max(len(s.summands)-1, 0))))
	s.res = make([]uint32, len(s.summands))
	s.dirty, s.full, s.possible = make([]uint64, words), make([]uint64, words), make([]uint64, words)
	s.guards = makeGuards(s.summands, len(l.Params), words)
	s.frame = make([]data.Value, sc.Size())
	s.state = s.frame[:len(l.Params)]
	for i, v := range globals {
		s.frame[i] = v
	}
	for _, x := range l.Init {
		v, err := e.Eval(x, env)
		if err != nil {
			return nil, err
		}
		s.initial = append(s.initial, v)
	}
	for _, inv := range o.Invariants {
		holds, err := s.Predicate(inv.Cond)
		if err != nil {
			return nil, err
		}
		s.invariants = append(s.invariants, invariant{inv, holds})
	}
	s.seeds = makeSeeds(0, len(s.state))
	s.Reset()
	return s, nil
}

// Reset goes to the initial state.
func (s *System) Reset() {
	copy(s.state, s.initial)
	s.sum = sum{}
	for p, v := range s.state {
		s.sum = s.sum.plus(s.hashAt(p, v))
	}
	for i := range s.dirty {
		s.dirty[i] = ^uint64(0)
	}
	if n := len(s.summands) % 64; n != 0 {
		s.dirty[len(s.dirty)-1] = 1<<n - 1
	}
	s.log.n, s.marks, s.temp = 0, s.marks[:0], s.temp[:0]
	s.last, s.err = noLabel, nil
}

// Save marks the current state.
func (s *System) Save() lts.Mark {
	s.marks = append(s.marks, mark{s.log.n, len(s.temp), s.sum})
	return lts.Mark(len(s.marks) - 1)
}

// Restore goes back to a mark.
func (s *System) Restore(m lts.Mark) {
	to := s.marks[m]
	n := len(s.state)
	for i := s.log.n - 1; i >= to.log; i-- {
		c := s.log.at(i)
		switch at := int(c.at); {
		case at < n:
			s.state[at] = data.Value(c.old)
		case at < n+len(s.res):
			s.set(at-n, uint32(c.old))
		default:
			s.dirty[at-n-len(s.res)] = c.old
		}
	}
	s.log.n, s.temp = to.log, s.temp[:to.temp]
	s.marks = s.marks[:m+1]
	s.sum = to.sum
	s.last = noLabel
}

// set notes what a summand can do.
func (s *System) set(i int, r uint32) {
	s.res[i] = r
	if r != 0 {
		s.full[i/64] |= 1 << (i % 64)
	} else {
		s.full[i/64] &^= 1 << (i % 64)
	}
}

// refresh looks at the summands that are dirty and possible. What it finds
// belongs to the last mark too if that stands for this state.
func (s *System) refresh() {
	marked := len(s.marks) > 0 && s.marks[len(s.marks)-1].log == s.log.n
	s.findPossible()
	for w, dirty := range s.dirty {
		look := dirty & s.possible[w]
		if look == 0 {
			continue
		}
		for left := look; left != 0; left &= left - 1 {
			i := w*64 + bits.TrailingZeros64(left)
			r, err := s.look(s.summands[i], true)
			if err != nil {
				s.err = err
				return
			}
			if s.res[i] != r {
				s.log.push(len(s.state)+i, uint64(s.res[i]))
				s.set(i, r)
			}
		}
		s.log.push(len(s.state)+len(s.res)+w, dirty)
		s.dirty[w] = dirty &^ look
	}
	if marked {
		s.marks[len(s.marks)-1] = mark{s.log.n, len(s.temp), s.sum}
	}
}

// list returns the results at a place.
func (s *System) list(at uint32) []data.Value {
	if at&inTemp != 0 {
		if at == inScratch {
			return s.scratch
		}
		return s.temp[at&^inTemp:]
	}
	return s.results[at:]
}

// Enabled appends the steps: summands in their order, and for each its own
// results in theirs. Of several steps with one label and one target it appends
// the first.
func (s *System) Enabled(dst []lts.Step) []lts.Step {
	s.err = nil
	s.refresh()
	if s.err != nil {
		return dst
	}
	s.seen.next(len(s.labels.list))
	from := len(dst)
	for w, full := range s.full {
		for live := full & s.possible[w] &^ s.dirty[w]; live != 0; live &= live - 1 {
			i := w*64 + bits.TrailingZeros64(live)
			c := s.summands[i]
			l := s.list(s.res[i])
			n := int(l[0])
			if n > 1<<s.shift {
				s.err = diag.RunUnsupportedf(c.at, "%d steps of one summand in one state", n)
				return dst[:from]
			}
			for k := range n {
				t := l[1+k*c.width:][:c.width]
				if !s.seen.add(s, c, t) {
					continue
				}
				dst = append(dst, lts.Step(i)<<s.shift|lts.Step(k))
			}
		}
	}
	return dst
}

// find returns the summand of a step, and its label and the values it writes.
func (s *System) find(step lts.Step) (*summand, []data.Value) {
	i := int(step >> s.shift)
	k := int(step & (1<<s.shift - 1))
	if i >= len(s.summands) {
		panic(diag.Bugf("step %d of summand %d of %d", step, i, len(s.summands)))
	}
	c := s.summands[i]
	r := s.res[i]
	if s.dirty[i/64]>>(i%64)&1 != 0 {
		var err error
		if r, err = s.look(c, false); err != nil {
			panic(diag.Bugf("step %d is not enabled: %v", step, err))
		}
	}
	l := s.list(r)
	if k >= int(l[0]) {
		panic(diag.Bugf("step %d of summand %d is not enabled: it has %d", k, i, l[0]))
	}
	return c, l[1+k*c.width:][:c.width]
}

// Take goes to the state that a step leads to.
func (s *System) Take(step lts.Step) lts.Label {
	c, t := s.find(step)
	s.sum = s.after(c, t)
	for k, p := range c.writes {
		v := t[1+k]
		if s.state[p] == v {
			continue
		}
		s.log.push(p, uint64(s.state[p]))
		s.state[p] = v
		for w, r := range s.reads[p] {
			if d := s.dirty[w] | r; d != s.dirty[w] {
				s.log.push(len(s.state)+len(s.res)+w, s.dirty[w])
				s.dirty[w] = d
			}
		}
	}
	s.last = uint32(t[0])
	return lts.Label(s.last)
}

// AppendKey appends the hash of the state.
func (s *System) AppendKey(dst []byte) []byte { return s.sum.append(dst) }

// AppendNextKey appends the key of the state that a step leads to.
func (s *System) AppendNextKey(dst []byte, step lts.Step) ([]byte, bool) {
	c, t := s.find(step)
	if s.labels.forbidden(uint32(t[0])) {
		return dst, false
	}
	return s.after(c, t).append(dst), true
}

// NextLabel returns the label of a step that has not been taken.
func (s *System) NextLabel(step lts.Step) lts.Label {
	_, t := s.find(step)
	return lts.Label(uint32(t[0]))
}
