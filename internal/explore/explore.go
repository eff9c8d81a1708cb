// Package explore searches transition systems.
//
// It knows neither Go nor mCRL2: it sees an [lts.System], a cursor that stands
// at one state and can go back. All searches are made of the same few moves:
//
//	          ┌─────────── Restore ◄────────────┐
//	          ▼                                 │
//	frontier ──► steps ──► Take ──► digest ──► seen? ── yes
//	   ▲                                        │ no
//	   └────────────────────────────────────────┤
//	                                            └──► check: findings, deadlock
//
// They differ in what the frontier is: a stack of marks (depth-first), parent
// links that are replayed (breadth-first, and bounds of preemptions or delays), nothing
// (walks). A swarm is many depth-first searches, each in another order.
//
// Same system, same options, same result, whatever the number of workers and
// the speed of the machine. Exceptions are limits of time and memory, and all
// limits of depth-first searches with several workers: where those stop depends
// on the machine. A search says "verified" only if nothing at all was left out.
package explore

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// A Strategy is an order of searching.
type Strategy uint8

// The strategies.
const (
	DepthFirst   Strategy = iota // least memory
	BreadthFirst                 // shortest counterexamples
	RandomWalk                   // samples
	PriorityWalk                 // samples that find each bug with a known probability
	FocusWalk                    // samples of the orders in which two act on what they have in common
	Preemptions                  // few preemptions first (iterative context bounding)
	Delays                       // few delays first (delay bounding)
	Own                          // few preemptions of libraries first
	Swarm                        // depth-first searches in many orders
)

var strategyNames = [...]string{"dfs", "bfs", "random", "pct", "focus", "preemptions", "delays", "own", "swarm"}

func (s Strategy) String() string { return strategyNames[s] }

// ParseStrategy returns the strategy with a name.
func ParseStrategy(name string) (Strategy, error) {
	for s, n := range strategyNames {
		if n == name {
			return Strategy(s), nil
		}
	}
	return 0, diag.Usagef("unknown search %q: say dfs, bfs, random, pct, focus, preemptions, delays, own or swarm", name)
}

// Options say how to search. The zero value is a depth-first search without
// reduction and limits that stops at the first finding.
type Options struct {
	Strategy Strategy
	// Reduce follows only the steps that the system's own reduction keeps.
	Reduce bool
	// All goes on after the first finding and collects one of each kind,
	// message and position.
	All bool
	// Workers is how many Systems search at once; 0 means 1. Walks and
	// bounds of preemptions or delays use one.
	Workers int
	Limits  Limits
	// Seed makes random walks and swarms different ones.
	Seed uint64
	// Runs is the number of walks, or of members of a swarm; 0 means 100
	// walks, or 8 members, and negative walks without end.
	Runs int
	// Uncounted says that walks need not tell states apart, which takes more time than to check them: those that come again count again.
	Uncounted bool
	// MaxPreemptions is the largest bound of preemptions, also those of libraries, or delays that is tried;
	// negative means to go on until nothing is left.
	MaxPreemptions int
	// Horizon, if it is not 0, is how long paths get with a bound of 0, or twice as long as the natural schedule if that ends soon. With
	// each larger bound they get twice as long: what comes after that is left for the next one.
	Horizon int
	// NewSet makes the store of visited states. The default is in memory, by
	// fingerprint. It is closed at the end of the search.
	NewSet func() stateset.Set
	// Clock returns nanoseconds since some moment. Without it there are no
	// limits of time and no rates.
	Clock func() int64
	// Interrupt is asked before each transition, by several workers at once, whether
	// to stop. Once it says so it has to go on saying so.
	Interrupt func() bool
	// Beside, if it is not nil, is called before each step of a depth-first search, which ends if it returns true. If there
	// are several workers, it is the first one who calls it.
	Beside func(At) bool
	// AsFound returns what several workers have found as they have found it. It is another finding, or another path, each time.
	AsFound bool
	// Full, if it is not nil, says whether the limit of memory is what makes Interrupt say so.
	Full func() bool
	// Progress is called every few thousand transitions, by one goroutine.
	Progress func(Progress)
	// Observer, if there is one, sees states and steps. It is for breadth-first
	// and depth-first searches with one worker, and if it is Distant for
	// breadth-first ones with several.
	Observer Observer
	// Checkpoint is a file that a search writes when a limit ends it, and each
	// time that CheckpointEvery more states were found, if that is not 0. It is
	// for breadth-first searches and depth-first ones with one worker.
	Checkpoint      string
	CheckpointEvery int64
	// Resume is a checkpoint to go on from. Identity tells one system from
	// another, so that a checkpoint is not used with the wrong one.
	Resume   string
	Identity string
	// Key is a secret of who writes checkpoints and resumes them. One that was
	// sealed with another key is refused: what it says of visited states cannot
	// be examined.
	Key []byte

	enough int // see tally
	short  int // how long the first walk is taken to be, if not firstLength
}

// At is where a depth-first search stands.
type At struct {
	Transitions int64
	Depth       int  // of the current state
	Branches    int  // how many steps there are besides those of the path to it, taken or not
	Passes      bool // there are none, and yet others could go on here: reduction leaves their steps out
	Distant     bool // the end is likely a thousand times as far as what was seen
}

// Run searches the systems that newSystem makes: one for each worker, all of one
// program. Errors are those of making systems, of options that contradict each
// other and of checkpoints; what is wrong with the program is in the Result.
func Run(newSystem func() (lts.System, error), o Options) (*Result, error) {
	o.Workers = max(o.Workers, 1)
	if o.NewSet == nil {
		o.NewSet = func() stateset.Set { return stateset.NewFingerprints() }
	}
	if o.Limits.Time > 0 && o.Clock == nil {
		return nil, diag.Usagef("a limit of time needs a clock")
	}
	parallelDFS := o.Strategy == DepthFirst && o.Workers > 1
	if (o.Checkpoint != "" || o.Resume != "") && (parallelDFS || o.Strategy > BreadthFirst) {
		return nil, diag.Usagef("checkpoints are for breadth-first searches, and depth-first ones with one worker")
	}
	if o.Observer != nil {
		_, distant := o.Observer.(Distant)
		if o.Strategy > BreadthFirst || o.Workers > 1 && !(distant && o.Strategy == BreadthFirst) {
			return nil, diag.Usagef("the graph can be observed in breadth-first and depth-first searches with one worker")
		}
	}
	switch {
	case parallelDFS:
		return runParallel(newSystem, o)
	case o.Strategy == Swarm:
		return runSwarm(newSystem, o)
	}
	sys, err := newSystem()
	if err != nil {
		return nil, err
	}
	c := newCursor(sys, o.Reduce)
	s := newSearch(o)
	defer s.set.Close()
	switch o.Strategy {
	case BreadthFirst:
		err = runBreadthFirst(s, c, newSystem)
	case RandomWalk, PriorityWalk, FocusWalk:
		runWalks(s, c)
	case Preemptions, Delays, Own:
		err = runBounded(s, c)
	default:
		err = runDepthFirst(s, c)
	}
	if err != nil {
		return nil, err
	}
	return s.result(), nil
}
