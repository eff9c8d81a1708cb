package symbolic

import (
	"math/big"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/ldd"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
)

// Options say how states are found.
type Options struct {
	// Labels keeps the labels of steps.
	Labels bool
	// Stop is asked now and then whether to stop. Once it says so it has to go on
	// saying so.
	Stop func() bool
	// Memory is how many bytes sets may take, about, before it looks whether some are not
	// needed any more, if that is not 0 and less than the usual.
	Memory int64
	// Progress is told now and then how far it has come.
	Progress func(Progress)
}

// Progress is how far a search has come.
type Progress struct {
	Nodes   int   // of all sets
	Learned int64 // steps of short vectors
	Bytes   int64
}

const (
	manyNodes   = 1 << 24
	bytesOfNode = 64 // with tables, of which an old one may be there besides
)

// A Space is the states of a process that can be reached.
type Space struct {
	sys    *state.System
	o      Options
	store  *ldd.Store
	levels []int // by level of vectors: the parameter
	groups []*group
	byTop  [][]*group // by level: the groups that begin there

	values  []data.Value // by number
	numbers map[data.Value]uint32
	hashes  map[[2]uint64]uint32

	initial ldd.Set
	reached ldd.Set
	keep    bool
	learned int64
	ticks   uint32
	asked   uint32

	closed map[closure]ldd.Set // see saturate
	needed []ldd.Set           // sets that are being worked on
	large  int                 // so many nodes are many
}

// A failure is why the search cannot go on, as a panic.
type failure struct{ err error }

// ErrStopped is the error of a search that was stopped.
var ErrStopped = diag.Incompletef("the symbolic search was stopped")

// Reach finds all states of a system. It stands nowhere afterwards, until it is
// Reset. If there is an error not all states are there, and nothing can be said
// of what was not reached.
func Reach(sys *state.System, o Options) (*Space, error) {
	x := newSpace(sys, o)
	return x, x.reach()
}

// newSpace orders the parameters of a system, and makes groups of its summands.
func newSpace(sys *state.System, o Options) *Space {
	x := &Space{sys: sys, o: o, store: ldd.New(), keep: o.Labels, numbers: map[data.Value]uint32{}, hashes: map[[2]uint64]uint32{},
		closed: map[closure]ldd.Set{}, large: manyNodes}
	if o.Memory > 0 {
		x.large = min(x.large, int(o.Memory/bytesOfNode))
	}
	var uses [][]int
	for i := range sys.Summands() {
		if u := union(sys.Reads(i), sys.Writes(i)); len(u) > 0 {
			uses = append(uses, u)
		}
	}
	initial := sys.Initial()
	x.levels = order(len(initial), uses)
	x.makeGroups()
	x.byTop = make([][]*group, len(x.levels)+1)
	for _, g := range x.groups {
		x.byTop[g.top] = append(x.byTop[g.top], g)
	}
	x.initial = x.store.Vector(x.vector(initial))
	x.reached = x.initial
	return x
}

// reach finds all states.
func (x *Space) reach() error {
	x.store.StopWhen(x.o.Stop)
	err := x.try(func() {
		for _, g := range x.byTop[len(x.levels)] { // looks at nothing
			x.learn(g, ldd.Unit)
		}
		x.reached = x.saturate(0, x.initial)
	})
	if err != nil {
		x.store.StopWhen(nil) // what is left to do is little
		if len(x.needed) > 1 {
			x.reached = x.store.Union(x.initial, x.needed[1])
		}
	}
	x.closed, x.needed = nil, nil
	return err
}

// union returns the elements of two ascending lists.
func union(a, b []int) (out []int) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// try does something that may be stopped or fail.
func (x *Space) try(f func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case ldd.Stop:
			if err = ErrStopped; p.Full {
				err = diag.Incompletef("sets have more than 2^32 nodes")
			}
		case failure:
			err = p.err
		default:
			panic(p)
		}
	}()
	f()
	return nil
}

// poll asks whether to stop.
func (x *Space) poll() {
	if x.asked++; x.asked&(1<<10-1) == 0 && x.o.Stop != nil && x.o.Stop() {
		panic(ldd.Stop{})
	}
}

// vector returns the numbers of the values of a state.
func (x *Space) vector(state []data.Value) []uint32 {
	v := make([]uint32, len(x.levels))
	for l, p := range x.levels {
		v[l] = x.number(state[p])
	}
	return v
}

// Count returns how many states were reached.
func (x *Space) Count() *big.Int { return x.store.Count(x.reached) }

// Learned returns how many steps of short vectors were asked for.
func (x *Space) Learned() int64 { return x.learned }

// Nodes returns how many nodes the set of states has.
func (x *Space) Nodes() int { return x.store.Size(x.reached) }

// Bytes returns how much memory the sets take.
func (x *Space) Bytes() int64 { return x.store.Bytes() }
