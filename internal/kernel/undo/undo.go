// Package undo is how the model of an operating system goes back: the first change to a part of the state after a mark
// saves a copy of that part. Without marks nothing is saved. It knows nothing of what the parts are.
package undo

// A Log has what is to be undone.
type Log struct {
	epoch   uint64 // number of the current stretch between marks; 0: no marks yet
	undo    []func()
	changes uint64 // how often something was about to change
}

// A Mark is a position to which the state can return.
type Mark int

// Mark makes a position to return to.
func (l *Log) Mark() Mark {
	l.epoch++
	return Mark(len(l.undo))
}

// Restore brings the state back to what it was at the mark, which stays good;
// later ones do not. What has reached the host stays there.
func (l *Log) Restore(m Mark) {
	for i := len(l.undo) - 1; i >= int(m); i-- {
		l.undo[i]()
		l.undo[i] = nil
	}
	l.undo = l.undo[:m]
	l.epoch++
}

// Save copies *p to the log, unless that has been done since the last
// mark. The epoch is the field of *p that remembers it.
func Save[T any](l *Log, p *T, epoch *uint64) (first bool) {
	l.changes++
	if *epoch == l.epoch {
		return false
	}
	old := *p
	l.undo = append(l.undo, func() { *p = old })
	*epoch = l.epoch
	return true
}

// Later notes what is to be called when the state goes back.
func (l *Log) Later(undo func()) { l.undo = append(l.undo, undo) }

// Stretch is the number of the current stretch between marks, 0 if there are no marks yet. What is made in it need not be
// saved before the next mark.
func (l *Log) Stretch() uint64 { return l.epoch }

// Changes grows whenever the state changes. It does not go back.
func (l *Log) Changes() uint64 { return l.changes }

// Position is how much there is to be undone: it is the same again if nothing
// has changed.
func (l *Log) Position() int { return len(l.undo) }
