package files

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// AtCwd as a directory descriptor stands for the working directory.
const AtCwd = -100

// Flags of the calls that take a directory descriptor.
const (
	AtSymlinkNoFollow = 0x100
	AtRemoveDir       = 0x200
	AtEmptyPath       = 0x1000
)

// A tree is the file system, the host's or the overlay over it.
type tree interface {
	open(at place, flags int, mode uint32) (process.File, linux.Errno)
	stat(at place, follow bool) (linux.Stat, linux.Errno)
	readlink(at place) (string, linux.Errno)
	access(at place, mode uint32, flags int) linux.Errno
	dirName(dir process.File, name string) (string, linux.Errno) // absolute name of an open directory, without links; name is one with
	change(c host.Change, at, to place) linux.Errno
}

// A place names a file: a path, absolute or below an open directory.
type place struct {
	dir  process.File // nil: path is absolute
	path string
}

// at resolves what a system call names to a place.
func (k *System) at(dirfd int, name string) (place, linux.Errno) {
	switch {
	case name == "":
		return place{}, linux.ENOENT
	case len(name) >= 4096:
		return place{}, linux.ENAMETOOLONG
	case name[0] == '/':
		if k.Foreign(name) {
			return place{}, k.Refuse(fmt.Sprintf("looking at the file %s, the socket of a peer outside", name))
		}
		return place{path: name}, 0
	case dirfd == AtCwd:
		dir, e := k.cwd()
		return place{dir, name}, e
	}
	d, e := k.Desc(dirfd)
	if e != 0 {
		return place{}, e
	}
	if st, e := d.File.Stat(); e != 0 || st.Mode&linux.S_IFMT != linux.S_IFDIR {
		return place{}, linux.ENOTDIR
	}
	return place{d.File, name}, 0
}

// Openat opens or creates a file and returns its descriptor.
func (k *System) Openat(dirfd int, name string, flags int, mode uint32) (int, linux.Errno) {
	k.wrote = k.wrote || flags&(linux.O_WRONLY|linux.O_RDWR|linux.O_CREAT|linux.O_TRUNC) != 0 && !k.isDevice(name)
	at, e := k.at(dirfd, name)
	if e != 0 {
		return -1, e
	}
	if at.dir == nil {
		if k.isDevice(at.path) {
			return k.Add(&device{k: k, name: at.path}, flags)
		}
		if f, e, ok := k.isSystem(at); ok {
			if e == 0 && (flags&linux.O_ACCMODE != linux.O_RDONLY || flags&linux.O_TRUNC != 0) {
				e = linux.EROFS
			}
			if e != 0 {
				return -1, e
			}
			return k.Add(f, flags|linux.OLargeFile)
		}
		if fd, ok := ownFD(at.path); ok {
			return k.Dup(fd, 0, flags&linux.O_CLOEXEC != 0)
		}
	}
	f, e := k.tree.open(at, flags, mode&^k.work.umask&0o7777)
	if e != 0 {
		return -1, e
	}
	return k.Add(f, flags|linux.OLargeFile)
}

// ownFD recognises the names of the process's own descriptors.
func ownFD(path string) (int, bool) {
	switch path {
	case "/dev/stdin":
		return 0, true
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	for _, dir := range []string{"/dev/fd/", "/proc/self/fd/"} {
		if num, ok := strings.CutPrefix(path, dir); ok {
			fd, err := strconv.Atoi(num)
			return fd, err == nil
		}
	}
	return 0, false
}

// Statat describes a file.
func (k *System) Statat(dirfd int, name string, flags int) (linux.Stat, linux.Errno) {
	if name == "" && flags&AtEmptyPath != 0 {
		if dirfd != AtCwd {
			d, e := k.Desc(dirfd)
			if e != 0 {
				return linux.Stat{}, e
			}
			return d.File.Stat()
		}
		name = "."
	}
	at, e := k.at(dirfd, name)
	if e != 0 {
		return linux.Stat{}, e
	}
	if at.dir == nil && k.isDevice(at.path) {
		return (&device{k: k, name: at.path}).Stat()
	}
	if f, e, ok := k.isSystem(at); ok {
		if e != 0 {
			return linux.Stat{}, e
		}
		return f.Stat()
	}
	return k.tree.stat(at, flags&AtSymlinkNoFollow == 0)
}

// Readlinkat returns what a symbolic link points to.
func (k *System) Readlinkat(dirfd int, name string) (string, linux.Errno) {
	at, e := k.at(dirfd, name)
	if e != 0 {
		return "", e
	}
	if at.dir == nil && at.path == "/proc/self/exe" {
		return k.opt.Executable, 0
	}
	return k.tree.readlink(at)
}

// Faccessat checks permissions. Mode is a set of 1 execute, 2 write and 4 read.
func (k *System) Faccessat(dirfd int, name string, mode uint32, flags int) linux.Errno {
	at, e := k.at(dirfd, name)
	if e != 0 {
		return e
	}
	if at.dir == nil && k.isDevice(at.path) {
		if mode&1 != 0 {
			return linux.EACCES
		}
		return 0
	}
	if _, e, ok := k.isSystem(at); ok {
		if e == 0 && mode&1 != 0 {
			e = linux.EACCES
		} else if e == 0 && mode&2 != 0 {
			e = linux.EROFS
		}
		return e
	}
	return k.tree.access(at, mode, flags)
}

// Changeat alters the file system. The directories of the paths in c are given
// as descriptors, c.Dir and c.ToDir are not looked at.
func (k *System) Changeat(c host.Change, dirfd, todirfd int) linux.Errno {
	k.wrote = true
	var at, to place
	var e linux.Errno
	if c.Op == host.Symlink {
		at.path = c.Path // the link's content: it need not exist
		if c.Path == "" {
			return linux.ENOENT
		}
	} else if at, e = k.at(dirfd, c.Path); e != 0 {
		return e
	}
	if c.Op == host.Rename || c.Op == host.Link || c.Op == host.Symlink {
		if to, e = k.at(todirfd, c.To); e != 0 {
			return e
		}
	}
	switch c.Op {
	case host.Mkdir, host.Mknod:
		c.Mode &^= k.work.umask
	case host.Truncate:
		if c.Size < 0 {
			return linux.EINVAL
		}
	}
	return k.tree.change(c, at, to)
}
