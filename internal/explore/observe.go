package explore

import "github.com/heddle-mc/heddle/internal/lts"

// An Observer sees the graph while it is searched: to draw it, to write a
// certificate, to count what differs between states. It is told of a complete
// search's states and transitions once each; of a search that stops early perhaps
// of some more than are counted. It must not keep digests, nor move the system.
type Observer interface {
	// State is called for each state, before its steps, when the system stands at
	// it. The digest is what the set of visited states keeps of it.
	State(sys lts.System, digest []byte, depth int)
	// Step is called for each transition, when the system stands at its end.
	Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label)
}

// A Follower is an observer of a depth-first search that wants to know which steps of a
// state are followed.
type Follower interface {
	// Follow is called after State, when the system still stands there.
	Follow(sys lts.System, steps []lts.Step)
}

// A Distant observer does not look at systems. So it can be told afterwards what the
// workers of a breadth-first search have seen, by one goroutine, and in the order in
// which one worker would have seen it.
type Distant interface {
	Observer
	// LabelKey returns what tells a label of a system from others, the same for all
	// systems of a program. Several goroutines call it, each with a system of its own.
	LabelKey(sys lts.System, l lts.Label) string
	// Seen is State, afterwards.
	Seen(digest []byte)
	// Gone is Step, afterwards.
	Gone(from, to []byte, s lts.Step, label string)
}

// notes are what a worker tells a Distant observer later.
type notes struct {
	to      Distant
	keys    map[lts.Label]string // of labels of the worker's system
	list    []note
	digests []byte
}

// A note is about a state or, with two digests, a step.
type note struct {
	step   lts.Step
	key    string
	from   int // where its digest starts in digests, or -1 for a state
	to     int
	behind int // where that one ends
}

// State notes a state.
func (n *notes) State(_ lts.System, digest []byte, _ int) {
	at := len(n.digests)
	n.digests = append(n.digests, digest...)
	n.list = append(n.list, note{from: -1, to: at, behind: len(n.digests)})
}

// Step notes a step.
func (n *notes) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	key, ok := n.keys[l]
	if !ok {
		key = n.to.LabelKey(sys, l)
		n.keys[l] = key
	}
	at := len(n.digests)
	n.digests = append(append(n.digests, from...), to...)
	n.list = append(n.list, note{step: s, key: key, from: at, to: at + len(from), behind: len(n.digests)})
}

// tell tells what was noted.
func (n *notes) tell() {
	for _, x := range n.list {
		if x.from < 0 {
			n.to.Seen(n.digests[x.to:x.behind])
		} else {
			n.to.Gone(n.digests[x.from:x.to], n.digests[x.to:x.behind], x.step, x.key)
		}
	}
}

// A Keeper is an observer that keeps much of what it sees: limits of memory are about that, too.
type Keeper interface {
	// Bytes is how much memory it takes.
	Bytes() int64
}

// A watcher remembers where steps come from: the digests of the states on the
// stack. The zero watcher watches nothing.
type watcher struct {
	Observer
	digests []byte
	ends    []int
}

// push notes a new state on the stack.
func (w *watcher) push(sys lts.System, digest []byte, depth int) {
	if w.Observer == nil {
		return
	}
	w.digests = append(w.digests, digest...)
	w.ends = append(w.ends, len(w.digests))
	w.State(sys, digest, depth)
}

// pop removes the last state.
func (w *watcher) pop() {
	if w.Observer == nil {
		return
	}
	w.ends = w.ends[:len(w.ends)-1]
	w.digests = w.digests[:w.start(len(w.ends))]
}

// start returns where the digest of the i-th state starts.
func (w *watcher) start(i int) int {
	if i == 0 {
		return 0
	}
	return w.ends[i-1]
}

// follow notes the steps of the last state.
func (w *watcher) follow(sys lts.System, steps []lts.Step) {
	if f, ok := w.Observer.(Follower); ok {
		f.Follow(sys, steps)
	}
}

// step notes a step from the last state.
func (w *watcher) step(sys lts.System, to []byte, s lts.Step, l lts.Label) {
	if w.Observer != nil {
		w.Step(sys, w.digests[w.start(len(w.ends)-1):], to, s, l)
	}
}
