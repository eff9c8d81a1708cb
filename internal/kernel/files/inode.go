package files

import (
	"maps"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// An inode is a file, directory or link of the overlay. Its fields are the
// state that the program can change; what was read of the host is in its
// origin.
type inode struct {
	epoch               uint64
	ino                 uint64
	mode                uint32 // type and permissions
	uid, gid            uint32
	nlink               uint32
	atime, mtime, ctime int64
	rdev                uint64

	data   []byte            // regular file, if from is nil
	target string            // symbolic link, if from is nil
	kids   map[string]*inode // directory: the names that the program has changed; nil: removed
	parent *inode            // directory: where .. leads
	from   *origin           // where content that the program did not make is read; nil if it all is its own
	own    bool              // made or changed by the program
	dead   bool              // directory: removed
}

// An origin is what lies on the host behind an inode. It only grows, and is
// never undone: a file that was read once keeps its content for the whole run.
type origin struct {
	path string
	stat linux.Stat

	loaded bool              // data is read
	data   []byte            // regular file: content; symbolic link: target
	known  map[string]*inode // directory: names that were looked up; nil: missing
	names  []string          // directory: all names, if listed
	listed bool
}

func (n *inode) is(kind uint32) bool { return n.mode&linux.S_IFMT == kind }

// newNode makes an inode of the program's own.
func (o *overlay) newNode(mode uint32) *inode {
	k := o.k
	now := k.FileTime()
	n := &inode{
		epoch: k.Stretch(), ino: k.NewIno(), mode: mode, uid: uint32(k.UID), gid: uint32(k.GID), nlink: 1,
		atime: now, mtime: now, ctime: now, own: true,
	}
	if n.is(linux.S_IFDIR) {
		n.nlink = 2
		n.kids = map[string]*inode{}
	}
	return n
}

// hostNode makes the inode for a file of the host.
func hostNode(path string, st linux.Stat, parent *inode) *inode {
	n := &inode{
		ino: st.Ino, mode: st.Mode, uid: st.Uid, gid: st.Gid, nlink: uint32(st.Nlink), rdev: st.Rdev,
		atime: st.Atim.Nano(), mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(),
		from: &origin{path: path, stat: st},
	}
	if n.is(linux.S_IFDIR) {
		n.parent = parent
		n.from.known = map[string]*inode{}
	}
	return n
}

// touchNode prepares a change of a file or directory.
func (o *overlay) touchNode(n *inode) {
	if undo.Save(o.k.Log, n, &n.epoch) {
		n.data = slices.Clone(n.data)
		n.kids = maps.Clone(n.kids)
	}
}

// tellsOfHost reports whether a file of the host is one in which its kernel tells how it is. They change by themselves, and
// here each is as it was when it was first read; and those of the process are of another one, which is searching.
func tellsOfHost(path string) bool {
	return strings.HasPrefix(path, "/proc/") || strings.HasPrefix(path, "/sys/")
}

// content returns the bytes of a regular file. They must not be changed.
func (o *overlay) content(n *inode) ([]byte, linux.Errno) {
	if n.from == nil {
		return n.data, 0
	}
	o.k.told = o.k.told || tellsOfHost(n.from.path)
	if !n.from.loaded {
		h, e := o.k.door.Open(nil, n.from.path, linux.O_RDONLY, 0)
		if e != 0 {
			return nil, e
		}
		defer h.Close()
		data := make([]byte, 0, n.from.stat.Size+512)
		for {
			m, e := h.Read(data[len(data):cap(data)])
			if e != 0 {
				return nil, e
			}
			if m == 0 {
				break
			}
			data = slices.Grow(data[:len(data)+m], 512)
		}
		n.from.data, n.from.loaded = data, true
	}
	return n.from.data, 0
}

// adopt prepares a change of a regular file's content: afterwards it is in
// n.data, the program's own.
func (o *overlay) adopt(n *inode) linux.Errno {
	if n.from != nil {
		data, e := o.content(n)
		if e != 0 {
			return e
		}
		o.touchNode(n)
		n.data, n.from = slices.Clone(data), nil
	} else {
		o.touchNode(n)
	}
	n.own = true
	n.mtime = o.k.FileTime()
	n.ctime = n.mtime
	return 0
}

// resize changes the length of a regular file.
func (o *overlay) resize(n *inode, size int64) linux.Errno {
	if size > maxFileSize {
		return linux.EFBIG
	}
	if n.from != nil && size == 0 {
		o.touchNode(n)
		n.from = nil // no need to read what is thrown away
	}
	if e := o.adopt(n); e != 0 {
		return e
	}
	if size <= int64(len(n.data)) {
		n.data = n.data[:size:size]
	} else {
		n.data = append(n.data, make([]byte, size-int64(len(n.data)))...)
	}
	return 0
}

// maxFileSize bounds the files of the overlay, which are kept in memory.
const maxFileSize = 1 << 31

// child looks a name up in a directory.
func (o *overlay) child(dir *inode, name string) (*inode, linux.Errno) {
	if len(name) > 255 {
		return nil, linux.ENAMETOOLONG
	}
	if n, ok := dir.kids[name]; ok {
		if n == nil {
			return nil, linux.ENOENT
		}
		return n, 0
	}
	if dir.from == nil {
		return nil, linux.ENOENT
	}
	if n, ok := dir.from.known[name]; ok {
		if n == nil {
			return nil, linux.ENOENT
		}
		return n, 0
	}
	path := dir.from.path + "/" + name
	st, e := o.k.door.Stat(nil, path, false)
	if e == linux.ENOENT {
		dir.from.known[name] = nil
	}
	if e != 0 {
		return nil, e
	}
	n := hostNode(path, st, dir)
	dir.from.known[name] = n
	return n, 0
}

// names returns the sorted names in a directory.
func (o *overlay) names(dir *inode) ([]string, linux.Errno) {
	var names []string
	if f := dir.from; f != nil {
		if !f.listed {
			h, e := o.k.door.Open(nil, f.path+"/.", linux.O_RDONLY|linux.O_DIRECTORY, 0)
			if e != 0 {
				return nil, e
			}
			defer h.Close()
			if f.names, e = host.Names(h); e != 0 {
				return nil, e
			}
			f.listed = true
		}
		for _, name := range f.names {
			if _, changed := dir.kids[name]; !changed {
				names = append(names, name)
			}
		}
	}
	for name, n := range dir.kids {
		if n != nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, 0
}

// link enters a node under a name; nil removes the name.
func (o *overlay) link(dir *inode, name string, n *inode) {
	o.touchNode(dir)
	if dir.kids == nil {
		dir.kids = map[string]*inode{}
	}
	if n == nil && (dir.from == nil || dir.from.known[name] == nil) {
		delete(dir.kids, name)
	} else {
		dir.kids[name] = n
	}
	dir.own = true
	dir.mtime = o.k.FileTime()
	dir.ctime = dir.mtime
}

// stat describes a node.
func (n *inode) stat() linux.Stat {
	st := linux.Stat{
		Dev: 1, Ino: n.ino, Nlink: uint64(n.nlink), Mode: n.mode, Uid: n.uid, Gid: n.gid, Rdev: n.rdev, Blksize: 4096,
		Atim: linux.NsecToTimespec(n.atime), Mtim: linux.NsecToTimespec(n.mtime), Ctim: linux.NsecToTimespec(n.ctime),
	}
	switch {
	case n.from != nil:
		st.Dev, st.Size = n.from.stat.Dev, n.from.stat.Size
	case n.is(linux.S_IFREG):
		st.Size = int64(len(n.data))
	case n.is(linux.S_IFLNK):
		st.Size = int64(len(n.target))
	case n.is(linux.S_IFDIR):
		st.Size = 4096
	}
	st.Blocks = (st.Size + 511) / 512
	return st
}
