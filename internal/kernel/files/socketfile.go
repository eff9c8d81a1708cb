package files

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// MakeSocket makes the file that a socket is bound to.
func (k *System) MakeSocket(name string) (id FileID, e linux.Errno) {
	at, e := k.at(AtCwd, name)
	if e != 0 {
		return id, e
	}
	mode := linux.S_IFSOCK | 0o777&^k.work.umask
	if e = k.tree.change(host.Change{Op: host.Mknod, Mode: mode}, at, place{}); e != 0 {
		if e == linux.EEXIST {
			e = linux.EADDRINUSE
		}
		return id, e
	}
	st, e := k.tree.stat(at, false)
	return FileID{st.Dev, st.Ino}, e
}

// FindSocket finds the file of a socket that the process may connect to, and reports whether the program itself has made
// it.
func (k *System) FindSocket(name string) (id FileID, made bool, e linux.Errno) {
	at, e := k.at(AtCwd, name)
	if e != 0 {
		return id, false, e
	}
	st, e := k.tree.stat(at, true)
	if e != 0 {
		return id, false, e
	}
	if e := k.tree.access(at, 2, 0); e != 0 {
		return id, false, e
	}
	if st.Mode&linux.S_IFMT != linux.S_IFSOCK {
		return id, false, linux.ECONNREFUSED
	}
	return FileID{st.Dev, st.Ino}, k.madeHere(at), 0
}

// madeHere reports whether the program itself has made a file. Without an overlay
// nobody remembers.
func (k *System) madeHere(at place) bool {
	o, ok := k.tree.(*overlay)
	if !ok {
		return true
	}
	n, e := o.must(at, true)
	return e == 0 && n.from == nil
}
