package kernel

import (
	"maps"
	"slices"
)

// undoLog is how a kernel goes back: the first change to a part of the state
// after a mark saves a copy of that part. Without marks nothing is saved.
type undoLog struct {
	epoch uint64 // number of the current stretch between marks; 0: no marks yet
	undo  []func()
	// abroad are the keys of the waits of other processes that may be over, if
	// there are others.
	abroad  []uint64
	joined  bool
	changes uint64 // how often something was about to change
}

// A Mark is a position to which the kernel can return.
type Mark int

// Mark makes a position to return to.
func (k *Kernel) Mark() Mark {
	k.epoch++
	return Mark(len(k.undo))
}

// Restore brings the state back to what it was at the mark, which stays good;
// later ones do not. What has reached the host stays there.
func (k *Kernel) Restore(m Mark) {
	for i := len(k.undo) - 1; i >= int(m); i-- {
		k.undo[i]()
		k.undo[i] = nil
	}
	k.undo = k.undo[:m]
	k.wakes, k.abroad = k.wakes[:0], k.abroad[:0]
	k.epoch++
}

// save copies *p to the undo log, unless that has been done since the last
// mark. The epoch is the field of *p that remembers it.
func save[T any](k *Kernel, p *T, epoch *uint64) (first bool) {
	k.changes++
	if *epoch == k.epoch {
		return false
	}
	old := *p
	k.undo = append(k.undo, func() { *p = old })
	*epoch = k.epoch
	return true
}

// touchSelf prepares a change of the process's own state.
func (k *Kernel) touchSelf() {
	if save(k, &k.self, &k.self.epoch) {
		k.self.fds = k.self.fds.clone()
	}
}

// touch prepares a change of an open file.
func (k *Kernel) touch(d *desc) { save(k, d, &d.epoch) }

// touchPipe prepares a change of a pipe. Bytes are only ever appended to the
// buffer or cut from its front, so its array can be shared with the copy.
func (k *Kernel) touchPipe(p *pipe) { save(k, p, &p.epoch) }

// touchPoller prepares a change of a poll descriptor.
func (k *Kernel) touchPoller(p *poller) { save(k, p, &p.epoch) }

// touchNode prepares a change of a file or directory of the overlay.
func (k *Kernel) touchNode(n *inode) {
	if save(k, n, &n.epoch) {
		n.data = slices.Clone(n.data)
		n.kids = maps.Clone(n.kids)
	}
}

// Changes grows whenever the state changes. It does not go back.
func (k *Kernel) Changes() uint64 { return k.changes }

// Position is how much there is to be undone: it is the same again if nothing
// has changed.
func (k *Kernel) Position() int { return len(k.undo) }
