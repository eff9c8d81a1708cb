package files

import (
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// appendNode writes a file of the overlay: what the program has changed of it, and of
// everything below it.
func (o *overlay) appendNode(w *keys.Writer, n *inode) {
	if !w.First(n) {
		return
	}
	w.Flag(n.own)
	w.Flag(n.dead)
	if n.from != nil {
		w.Str(n.from.path)
	}
	if n.own {
		w.Num(uint64(n.mode), uint64(n.uid), uint64(n.gid), uint64(n.nlink))
		w.Num(uint64(n.atime), uint64(n.mtime), uint64(n.ctime))
		w.Str(n.target)
		if n.from == nil {
			w.Str(string(n.data))
		}
	}
	if n.is(linux.S_IFSOCK) {
		o.k.AppendSocket(w, FileID{1, n.ino})
	}
	if !n.is(linux.S_IFDIR) {
		return
	}
	for _, name := range n.changedNames() {
		w.Str(name)
		w.Flag(n.kids[name] != nil)
		if kid := n.kids[name]; kid != nil {
			o.appendNode(w, kid)
		}
	}
	for _, name := range n.namesAbove() {
		w.Str(name)
		o.appendNode(w, n.from.known[name])
	}
}

// changedNames returns the names in a directory that the program has changed, in order.
// Mostly there are none, and each key asks.
func (n *inode) changedNames() []string {
	if len(n.kids) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(n.kids))
}

// namesAbove returns, in order, the names in a directory of the host that were only looked
// up, but have something below them that the program has changed.
func (n *inode) namesAbove() (names []string) {
	if n.from == nil {
		return nil
	}
	for name, kid := range n.from.known {
		if _, changed := n.kids[name]; !changed && kid != nil && dirty(kid) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// dirty reports whether the program has changed a file of the host or anything
// below it.
func dirty(n *inode) bool {
	if n.own {
		return true
	}
	if n.from != nil {
		for name, kid := range n.from.known {
			if _, changed := n.kids[name]; !changed && kid != nil && dirty(kid) {
				return true
			}
		}
	}
	return false
}
