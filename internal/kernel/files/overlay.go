package files

import (
	"cmp"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// An overlay is the tree in which the host's files can be read and changes stay
// in memory.
type overlay struct {
	k    *System
	root *inode
}

func newOverlay(k *System) *overlay {
	o := &overlay{k: k}
	if st, e := k.door.Stat(nil, "/", true); e == 0 {
		o.root = hostNode("", st, nil)
	} else {
		o.root = o.newNode(linux.S_IFDIR | 0o755)
	}
	o.root.parent = o.root
	return o
}

// A found is the result of a walk along a path.
type found struct {
	dir   *inode // the directory of the last name
	name  string // the last name; "" if the path ends in / or . or ..
	node  *inode // nil if the directory has no such name
	slash bool   // the path ended in a slash
	up    bool   // the path ended in ..
}

// A follow says what becomes of a link that is the last name of a path.
type follow uint8

const (
	followLast  follow = iota // it is followed
	followSlash               // it is followed if the path ends in a slash
	followPlain               // it is followed if the path, or that of the link that leads to it, does not end in a slash
	followNever               // it is what the path names
)

// walk follows a path. The last name need not exist.
func (o *overlay) walk(at place, mode follow) (f found, e linux.Errno) {
	cur := o.root
	if at.dir != nil {
		d, ok := at.dir.(*nodeFile)
		if !ok {
			return f, linux.ENOTDIR
		}
		cur = d.node
	}
	rest := at.path
	whole := rest // ends in a slash if what it names must be a directory
	f.node = cur
	for links := 0; rest != ""; {
		if !cur.is(linux.S_IFDIR) {
			return f, linux.ENOTDIR
		}
		if e := o.allow(cur, 1); e != 0 {
			return f, e
		}
		var name string
		name, rest, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
		last := strings.Trim(rest, "/") == ""
		slash := last && strings.HasSuffix(whole, "/")
		switch name {
		case "", ".":
			f = found{dir: cur, node: cur, slash: slash}
			continue
		case "..":
			cur = cur.parent
			f = found{dir: cur, node: cur, slash: slash, up: true}
			continue
		}
		n, e := o.child(cur, name)
		if e == linux.ENOENT && last {
			return found{dir: cur, name: name, slash: slash}, 0
		}
		if e != 0 {
			return f, e
		}
		if n.is(linux.S_IFLNK) && (!last || mode == followLast || mode == followSlash && slash || mode == followPlain && !slash) {
			if links++; links > 40 {
				return f, linux.ELOOP
			}
			target, e := o.linkTarget(n)
			if e != 0 {
				return f, e
			}
			if strings.HasPrefix(target, "/") {
				cur = o.root
			}
			rest = target + "/" + rest
			if last && !slash {
				rest, whole = target, target
			}
			f.node = cur
			continue
		}
		f = found{dir: cur, name: name, node: n, slash: slash}
		if last {
			break
		}
		cur = n
	}
	return f, 0
}

// check returns the error of a file that is named as a directory but is none.
func (f *found) check() linux.Errno {
	if f.slash && f.node != nil && !f.node.is(linux.S_IFDIR) {
		return linux.ENOTDIR
	}
	return 0
}

// must is walk for a file that has to exist.
func (o *overlay) must(at place, follow bool) (*inode, linux.Errno) {
	mode := followSlash
	if follow {
		mode = followLast
	}
	f, e := o.walk(at, mode)
	switch {
	case e != 0:
		return nil, e
	case f.node == nil:
		return nil, linux.ENOENT
	}
	return f.node, f.check()
}

// linkTarget returns what a symbolic link points to.
func (o *overlay) linkTarget(n *inode) (string, linux.Errno) {
	if n.from == nil {
		return n.target, 0
	}
	if !n.from.loaded {
		target, e := o.k.door.Readlink(nil, n.from.path)
		if e != 0 {
			return "", e
		}
		n.from.data, n.from.loaded = []byte(target), true
	}
	return string(n.from.data), 0
}

// allow checks the permission to execute (1), write (2) or read (4) a node.
func (o *overlay) allow(n *inode, want uint32) linux.Errno {
	if o.k.UID == 0 {
		if want&1 != 0 && n.is(linux.S_IFREG) && n.mode&0o111 == 0 {
			return linux.EACCES
		}
		return 0
	}
	bits := n.mode
	switch {
	case n.uid == uint32(o.k.UID):
		bits >>= 6
	case o.inGroup(n.gid):
		bits >>= 3
	}
	if bits&want != want {
		return linux.EACCES
	}
	return 0
}

func (o *overlay) inGroup(gid uint32) bool {
	if gid == uint32(o.k.GID) {
		return true
	}
	for _, g := range o.k.Groups {
		if uint32(g) == gid {
			return true
		}
	}
	return false
}

func (o *overlay) stat(at place, follow bool) (linux.Stat, linux.Errno) {
	n, e := o.must(at, follow)
	if e != 0 {
		return linux.Stat{}, e
	}
	return n.stat(), 0
}

func (o *overlay) readlink(at place) (string, linux.Errno) {
	n, e := o.must(at, false)
	if e != 0 {
		return "", e
	}
	if !n.is(linux.S_IFLNK) {
		return "", linux.EINVAL
	}
	return o.linkTarget(n)
}

func (o *overlay) access(at place, mode uint32, flags int) linux.Errno {
	n, e := o.must(at, flags&AtSymlinkNoFollow == 0)
	if e != 0 {
		return e
	}
	return o.allow(n, mode&7)
}

func (o *overlay) dirName(dir process.File, _ string) (string, linux.Errno) {
	name := ""
	for n := dir.(*nodeFile).node; n != o.root; n = n.parent {
		base := o.nameOf(n)
		if base == "" {
			return "", linux.ENOENT // the directory was removed
		}
		name = "/" + base + name
	}
	return cmp.Or(name, "/"), 0
}

// nameOf finds the name of a directory in its parent.
func (o *overlay) nameOf(n *inode) string {
	for name, kid := range n.parent.kids {
		if kid == n {
			return name
		}
	}
	if f := n.parent.from; f != nil {
		for name, kid := range f.known {
			if _, changed := n.parent.kids[name]; kid == n && !changed {
				return name
			}
		}
	}
	return ""
}

// open opens or creates a file.
func (o *overlay) open(at place, flags int, mode uint32) (process.File, linux.Errno) {
	links := followLast
	switch creates, here := flags&linux.O_CREAT != 0, flags&linux.O_NOFOLLOW != 0; {
	case creates && (here || flags&linux.O_EXCL != 0):
		links = followNever
	case creates:
		links = followPlain
	case here:
		links = followSlash
	}
	f, e := o.walk(at, links)
	if e != 0 {
		return nil, e
	}
	if f.slash && f.name != "" && flags&linux.O_CREAT != 0 { // a file to be created cannot be named so, whatever is there
		return nil, linux.EISDIR
	}
	if e := f.check(); e != 0 {
		return nil, e
	}
	n := f.node
	if flags&linux.O_CREAT != 0 {
		switch {
		case n == nil:
			if e := o.mayCreate(f.dir); e != 0 {
				return nil, e
			}
			n = o.newNode(linux.S_IFREG | mode)
			o.link(f.dir, f.name, n)
			return &nodeFile{o: o, node: n}, 0
		case flags&linux.O_EXCL != 0:
			return nil, linux.EEXIST
		}
	}
	if n == nil {
		return nil, linux.ENOENT
	}
	return o.openNode(n, flags)
}

// openNode opens a file that exists.
func (o *overlay) openNode(n *inode, flags int) (process.File, linux.Errno) {
	want := uint32(4)
	switch flags & linux.O_ACCMODE {
	case linux.O_WRONLY:
		want = 2
	case linux.O_RDWR:
		want = 6
	}
	isDir := n.is(linux.S_IFDIR)
	switch {
	case flags&linux.O_DIRECTORY != 0 && !isDir:
		return nil, linux.ENOTDIR
	case flags&linux.OPath != 0:
		return &nodeFile{o: o, node: n}, 0
	case n.is(linux.S_IFLNK):
		return nil, linux.ELOOP
	case isDir && (want&2 != 0 || flags&linux.O_CREAT != 0):
		return nil, linux.EISDIR
	case !isDir && !n.is(linux.S_IFREG):
		return nil, linux.ENXIO // a device or socket that is not modelled
	}
	if e := o.allow(n, want); e != 0 {
		return nil, e
	}
	if flags&linux.O_TRUNC != 0 && !isDir {
		if e := o.resize(n, 0); e != 0 {
			return nil, e
		}
	}
	return &nodeFile{o: o, node: n}, 0
}
