package trace

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A walker stands at the end of a path and can go back along it. It counts the
// steps that it takes, and the context switches on its path.
type walker struct {
	*probe
	path   lts.Path
	marks  []lts.Mark // before each step, and perhaps one more
	labels []lts.Label
	// movers and switches are about the path up to and with each step.
	movers   []int
	switches []int
	left     int         // how many steps it may still take
	stop     func() bool // whether to take no more; nil for never
	buffer   []lts.Step
}

// nobody is the mover where no step was taken; it differs from an actor that is
// gone.
const nobody = -2

func newWalker(p *probe, budget int) *walker {
	w := &walker{probe: p, left: budget}
	w.Reset()
	return w
}

// stopped reports whether no more steps are wanted.
func (w *walker) stopped() bool { return w.stop != nil && w.stop() }

// mover returns who took the last step.
func (w *walker) mover() int {
	if len(w.movers) == 0 {
		return nobody
	}
	return w.movers[len(w.movers)-1]
}

// count returns the number of context switches so far.
func (w *walker) count() int {
	if len(w.switches) == 0 {
		return 0
	}
	return w.switches[len(w.switches)-1]
}

// actor returns whose step s is.
func (w *walker) actor(s lts.Step) int {
	if w.actors == nil {
		return 0
	}
	return w.actors.Actor(s)
}

// step takes an enabled step.
func (w *walker) step(s lts.Step) lts.Label {
	if w.left--; w.stopped() {
		w.left = 0
	}
	if len(w.marks) == len(w.path) {
		w.marks = append(w.marks, w.Save())
	}
	switches := w.count()
	if m := w.mover(); m != nobody && w.actor(s) != m {
		switches++
	}
	l := w.Take(s)
	mover := 0
	if w.actors != nil {
		mover = w.actors.Mover()
	}
	w.path = append(w.path, s)
	w.labels = append(w.labels, l)
	w.movers = append(w.movers, mover)
	w.switches = append(w.switches, switches)
	return l
}

// back goes back to where n steps were taken.
func (w *walker) back(n int) {
	if n == len(w.path) {
		return
	}
	w.Restore(w.marks[n])
	w.marks = w.marks[:n+1]
	w.path, w.labels = w.path[:n], w.labels[:n]
	w.movers, w.switches = w.movers[:n], w.switches[:n]
}

// goTo goes to the end of a path that was gone before.
func (w *walker) goTo(path lts.Path) {
	n := 0
	for n < len(path) && n < len(w.path) && path[n] == w.path[n] {
		n++
	}
	w.back(n)
	for _, s := range path[n:] {
		w.step(s)
	}
}

// A move is a step that may be tried in another state than the one it was seen
// in. It is recognised there by its label.
type move struct {
	step  lts.Step
	label lts.Label
	actor string
}

// try takes the step that is most like m: one with the same label, with the same
// number if there are several, and if there is none the one with the same number.
func (w *walker) try(m move) (move, bool) {
	n := len(w.path)
	w.buffer = w.Enabled(w.buffer[:0])
	same := slices.Contains(w.buffer, m.step)
	if same {
		if w.step(m.step) == m.label {
			return m, true
		}
		w.back(n)
	}
	for _, s := range w.buffer {
		if s == m.step {
			continue
		}
		if w.step(s) == m.label {
			return move{s, m.label, m.actor}, true
		}
		w.back(n)
	}
	if !same {
		return m, false
	}
	m.label = w.step(m.step)
	return m, true
}
