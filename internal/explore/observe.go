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
