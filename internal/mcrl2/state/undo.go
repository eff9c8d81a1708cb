package state

// A change is an entry of the undo log: a parameter, what a summand can do, or a
// word of dirty, by number in this order, and what was there before.
type change struct {
	at  uint32
	old uint64
}

// An undoLog is a stack of changes. It is made of segments, since a deep search
// makes it long and long slices are dear to grow.
type undoLog struct {
	segments [][]change
	n        int
}

const segmentBits = 12

func (l *undoLog) push(at int, old uint64) {
	i := l.n >> segmentBits
	if i == len(l.segments) {
		l.segments = append(l.segments, make([]change, 1<<segmentBits))
	}
	l.segments[i][l.n&(1<<segmentBits-1)] = change{uint32(at), old}
	l.n++
}

func (l *undoLog) at(i int) change {
	return l.segments[i>>segmentBits][i&(1<<segmentBits-1)]
}
