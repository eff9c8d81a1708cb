package lts

import "slices"

// Switches goes along a path from the initial state and counts context switches:
// steps of another actor than the one before. Those where that actor could have
// gone on are preemptions. A system that does not tell its actors has none.
func Switches(sys System, p Path) (switches, preemptions int) {
	actors, ok := sys.(Actors)
	if !ok {
		return 0, 0
	}
	sys.Reset()
	mover := -1
	var enabled []Step
	for i, s := range p {
		if i > 0 && actors.Actor(s) != mover {
			switches++
			enabled = sys.Enabled(enabled[:0])
			if slices.ContainsFunc(enabled, func(s Step) bool { return actors.Actor(s) == mover }) {
				preemptions++
			}
		}
		sys.Take(s)
		mover = actors.Mover()
	}
	return switches, preemptions
}
