package files

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// change alters the overlay.
func (o *overlay) change(c host.Change, at, to place) linux.Errno {
	switch c.Op {
	case host.Mkdir:
		return o.create(at, true, func(dir *inode) (*inode, linux.Errno) {
			n := o.newNode(linux.S_IFDIR | c.Mode&0o7777)
			n.parent = dir
			o.touchNode(dir)
			dir.nlink++
			return n, 0
		})
	case host.Symlink:
		return o.create(to, false, func(*inode) (*inode, linux.Errno) {
			n := o.newNode(linux.S_IFLNK | 0o777)
			n.target = c.Path
			return n, 0
		})
	case host.Mknod:
		kind := c.Mode & linux.S_IFMT
		switch kind {
		case 0:
			kind = linux.S_IFREG
		case linux.S_IFREG, linux.S_IFSOCK:
		default:
			return linux.EPERM
		}
		return o.create(at, false, func(*inode) (*inode, linux.Errno) { return o.newNode(kind | c.Mode&0o7777), 0 })
	case host.Link:
		n, e := o.must(at, c.Flags&atSymlinkFollow != 0)
		if e != 0 {
			return e
		}
		return o.create(to, false, func(*inode) (*inode, linux.Errno) {
			if n.is(linux.S_IFDIR) {
				return nil, linux.EPERM
			}
			o.touchNode(n)
			n.nlink++
			n.own = true
			return n, 0
		})
	case host.Unlink, host.Rmdir:
		return o.remove(at, c.Op == host.Rmdir)
	case host.Rename:
		return o.rename(at, to, c.Flags)
	}
	n, e := o.must(at, !c.NoFollow)
	if e != 0 {
		return e
	}
	if c.Op == host.Truncate {
		if e := o.allow(n, 2); e != 0 {
			return e
		}
	}
	return o.changeNode(n, c)
}

const (
	atSymlinkFollow = 0x400
	renameNoReplace = 1
)

// create enters a new name. Make is called when nothing stands against it; only
// the name of a directory may end in a slash.
func (o *overlay) create(at place, dir bool, make func(dir *inode) (*inode, linux.Errno)) linux.Errno {
	f, e := o.walk(at, followNever)
	switch {
	case e != 0:
		return e
	case f.node != nil:
		return linux.EEXIST
	case f.slash && !dir:
		return linux.ENOENT
	}
	if e := o.mayCreate(f.dir); e != 0 {
		return e
	}
	n, e := make(f.dir)
	if e == 0 {
		o.link(f.dir, f.name, n)
	}
	return e
}

// remove removes a name.
func (o *overlay) remove(at place, dir bool) linux.Errno {
	f, e := o.walk(at, followNever)
	if e != 0 {
		return e
	}
	switch {
	case f.node == nil:
		return linux.ENOENT
	case f.up && dir:
		return linux.ENOTEMPTY
	case f.name == "" && dir:
		return linux.EINVAL
	case f.name == "":
		return linux.EISDIR
	}
	if e := f.check(); e != 0 {
		return e
	}
	if e := o.mayRemove(f); e != 0 {
		return e
	}
	isDir := f.node.is(linux.S_IFDIR)
	switch {
	case dir && !isDir:
		return linux.ENOTDIR
	case !dir && isDir:
		return linux.EISDIR
	case isDir:
		if e := o.empty(f.node); e != 0 {
			return e
		}
	}
	o.drop(f.dir, f.node)
	o.link(f.dir, f.name, nil)
	return 0
}

// mayCreate checks that a directory can get a new name.
func (o *overlay) mayCreate(dir *inode) linux.Errno {
	if dir.dead {
		return linux.ENOENT
	}
	return o.allow(dir, 2|1)
}

// mayRemove checks the permission to take a name from its directory.
func (o *overlay) mayRemove(f found) linux.Errno {
	if e := o.allow(f.dir, 2|1); e != 0 {
		return e
	}
	sticky := f.dir.mode&linux.S_ISVTX != 0
	if uid := uint32(o.k.UID); sticky && uid != 0 && f.node.uid != uid && f.dir.uid != uid {
		return linux.EPERM
	}
	return 0
}

// empty checks that a directory has no names.
func (o *overlay) empty(n *inode) linux.Errno {
	names, e := o.names(n)
	if e == 0 && len(names) > 0 {
		e = linux.ENOTEMPTY
	}
	return e
}

// drop counts down the links of a node that loses its name in a directory.
func (o *overlay) drop(dir, n *inode) {
	o.touchNode(n)
	n.nlink--
	n.own = true
	n.ctime = o.k.FileTime()
	if n.is(linux.S_IFDIR) {
		n.nlink, n.dead = 0, true
		o.touchNode(dir)
		dir.nlink--
	}
}

// rename moves a name to another, which it replaces.
func (o *overlay) rename(at, to place, flags int) linux.Errno {
	if flags&^renameNoReplace != 0 {
		return linux.EINVAL
	}
	src, e := o.walk(at, followNever)
	if e != 0 {
		return e
	}
	dst, e := o.walk(to, followNever)
	switch {
	case e != 0:
		return e
	case src.name == "":
		return linux.EBUSY
	case dst.name == "" && flags&renameNoReplace != 0:
		return linux.EEXIST
	case dst.name == "":
		return linux.EBUSY
	case src.node == nil:
		return linux.ENOENT
	case dst.node != nil && flags&renameNoReplace != 0:
		return linux.EEXIST
	}
	isDir := src.node.is(linux.S_IFDIR)
	switch {
	case !isDir && (src.slash || dst.slash):
		return linux.ENOTDIR
	case inside(dst.dir, src.node):
		return linux.EINVAL
	case dst.node != nil && inside(src.dir, dst.node):
		return linux.ENOTEMPTY
	}
	if dst.node == src.node {
		return 0
	}
	if e := o.mayRemove(src); e != 0 {
		return e
	}
	if e := o.mayCreate(dst.dir); e != 0 {
		return e
	}
	if dst.node != nil {
		if e := o.mayReplace(dst, isDir); e != 0 {
			return e
		}
		o.drop(dst.dir, dst.node)
	}
	o.link(src.dir, src.name, nil)
	o.link(dst.dir, dst.name, src.node)
	o.touchNode(src.node)
	src.node.own = true
	src.node.ctime = o.k.FileTime()
	if isDir && src.dir != dst.dir {
		o.touchNode(src.dir)
		src.dir.nlink--
		o.touchNode(dst.dir)
		dst.dir.nlink++
		src.node.parent = dst.dir
	}
	return 0
}

// inside reports whether a directory is another one or lies below it.
func inside(dir, other *inode) bool {
	for dir != other {
		if dir == dir.parent {
			return false
		}
		dir = dir.parent
	}
	return true
}

// mayReplace checks that a name can be replaced by a directory or by another
// file.
func (o *overlay) mayReplace(f found, byDir bool) linux.Errno {
	isDir := f.node.is(linux.S_IFDIR)
	switch {
	case byDir && !isDir:
		return linux.ENOTDIR
	case !byDir && isDir:
		return linux.EISDIR
	case isDir:
		if e := o.empty(f.node); e != 0 {
			return e
		}
	}
	return o.mayRemove(f)
}

// changeNode alters a file itself: Chmod, Chown, Times, Truncate, Sync.
func (o *overlay) changeNode(n *inode, c host.Change) linux.Errno {
	uid := uint32(o.k.UID)
	owner := uid == 0 || uid == n.uid
	switch c.Op {
	case host.Sync:
		return 0
	case host.Truncate:
		if n.is(linux.S_IFDIR) {
			return linux.EISDIR
		}
		if !n.is(linux.S_IFREG) {
			return linux.EINVAL
		}
		return o.resize(n, c.Size)
	case host.Chmod:
		if !owner {
			return linux.EPERM
		}
		if n.is(linux.S_IFLNK) {
			return linux.ENOTSUP
		}
		o.touchNode(n)
		n.mode = n.mode&linux.S_IFMT | c.Mode&0o7777
	case host.Chown:
		if uid != 0 && (c.UID >= 0 && uint32(c.UID) != n.uid || c.GID >= 0 && !(owner && o.inGroup(uint32(c.GID)))) {
			return linux.EPERM
		}
		o.touchNode(n)
		if c.UID >= 0 {
			n.uid = uint32(c.UID)
		}
		if c.GID >= 0 {
			n.gid = uint32(c.GID)
		}
	case host.Times:
		if !owner {
			return linux.EPERM
		}
		o.touchNode(n)
		if c.Atime != host.OmitTime {
			n.atime = c.Atime
		}
		if c.Mtime != host.OmitTime {
			n.mtime = c.Mtime
		}
	default:
		return linux.EINVAL
	}
	n.own = true
	n.ctime = o.k.FileTime()
	return 0
}
