package trace

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// schedules tries what a few plain schedulers do: each lets an actor go on as long
// as it can, and then picks the first, the last or the next other one. A finding
// that does not need a special order of steps shows under one of them, with few
// switches, however long the path was that a search has found.
func (m *minimiser) schedules() {
	picks := []func(w *walker, enabled []lts.Step) lts.Step{
		func(_ *walker, enabled []lts.Step) lts.Step { return enabled[0] },
		func(_ *walker, enabled []lts.Step) lts.Step { return enabled[len(enabled)-1] },
		func(w *walker, enabled []lts.Step) lts.Step {
			i := slices.IndexFunc(enabled, func(s lts.Step) bool { return w.actor(s) > w.mover() })
			return enabled[max(i, 0)]
		},
	}
	for _, pick := range picks {
		m.schedule(pick)
	}
}

// schedule lets one scheduler run until the finding shows or it is no better than
// what there is.
func (m *minimiser) schedule(pick func(*walker, []lts.Step) lts.Step) {
	w := m.w
	w.back(0)
	var enabled []lts.Step
	for better(w.count(), len(w.path)+1, &m.best) && len(w.path) < m.limit && w.left > 0 {
		enabled = w.Enabled(enabled[:0])
		if len(enabled) == 0 {
			return
		}
		mover := w.mover()
		if i := slices.IndexFunc(enabled, func(s lts.Step) bool { return w.actor(s) == mover }); i >= 0 {
			w.step(enabled[i])
		} else {
			w.step(pick(w, enabled))
		}
		if w.shows(m.same, true) {
			if better(w.count(), len(w.path), &m.best) {
				m.take(w.path)
			}
			return
		}
	}
}

// take makes the path that the walker stands at the end of the best one.
func (m *minimiser) take(path lts.Path) {
	m.best = candidate{switches: m.w.count(), finding: m.w.hit}
	for i, s := range path {
		m.best.moves = append(m.best.moves, move{step: s, label: m.w.labels[i]})
	}
	if len(path) <= maxEdited {
		m.name()
	}
}
