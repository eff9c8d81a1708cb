package host

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A Portable leads to the files of a host that need not be Linux, with what package os has. Files can be read and described as on Linux. Of
// changes it has those that most systems know; others fail with EINVAL, and are not half done.
type Portable struct{}

// Open implements Door.
func (Portable) Open(dir File, path string, flags int, mode uint32) (File, linux.Errno) {
	name, e := nameOf(dir, path)
	if e != 0 {
		return nil, e
	}
	if flags&linux.O_NOFOLLOW != 0 {
		if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, linux.ELOOP
		}
	}
	if info, err := os.Stat(name); flags&linux.O_DIRECTORY != 0 && err == nil && !info.IsDir() {
		return nil, linux.ENOTDIR
	} else if err == nil && flags&linux.O_CREAT != 0 && flags&linux.O_EXCL != 0 && !strings.HasSuffix(path, "/") {
		return nil, linux.EEXIST
	} else if err == nil && info.IsDir() && flags&(linux.O_ACCMODE|linux.O_CREAT) != 0 {
		return nil, linux.EISDIR
	}
	if name == rootOfDrives {
		return &openFile{path: name}, 0
	}
	f, err := os.OpenFile(name, goFlags(flags), fs.FileMode(mode&0o777))
	if err != nil {
		return nil, errno(err)
	}
	return &openFile{File: f, path: name, flags: flags}, 0
}

// goFlags are flags of open(2) as package os has them.
func goFlags(flags int) (own int) {
	switch flags & linux.O_ACCMODE {
	case linux.O_WRONLY:
		own = os.O_WRONLY
	case linux.O_RDWR:
		own = os.O_RDWR
	}
	for _, f := range [...]struct{ model, host int }{{linux.O_APPEND, os.O_APPEND}, {linux.O_CREAT, os.O_CREATE}, {linux.O_EXCL, os.O_EXCL}, {linux.O_TRUNC, os.O_TRUNC}, {linux.O_SYNC, os.O_SYNC}} {
		if flags&f.model == f.model {
			own |= f.host
		}
	}
	return own
}

// nameOf returns what the host calls a path.
func nameOf(dir File, path string) (string, linux.Errno) {
	if path == "" || strings.Contains(path, "\x00") {
		return "", linux.ENOENT
	}
	if f, ok := dir.(*openFile); ok && !strings.HasPrefix(path, "/") {
		return under(f.path, path)
	}
	return hostName(path)
}

// Stat implements Door.
func (Portable) Stat(dir File, path string, follow bool) (linux.Stat, linux.Errno) {
	name, e := nameOf(dir, path)
	if e != 0 {
		return linux.Stat{}, e
	}
	return statOf(name, follow || strings.HasSuffix(path, "/"))
}

func statOf(name string, follow bool) (st linux.Stat, e linux.Errno) {
	if name == rootOfDrives {
		uid, gid := User()
		return linux.Stat{Dev: 1, Ino: 1, Nlink: 2, Mode: linux.S_IFDIR | 0o755, Uid: uint32(uid), Gid: uint32(gid), Size: 4096, Blksize: 4096}, 0
	}
	look := os.Lstat
	if follow {
		look = os.Stat
	}
	info, err := look(name)
	if err != nil {
		return st, errno(err)
	}
	return describe(name, info), 0
}

// describe says what is known of a file as stat(2) does.
func describe(name string, info fs.FileInfo) linux.Stat {
	t := linux.NsecToTimespec(info.ModTime().UnixNano())
	st := linux.Stat{Dev: 1, Nlink: 1, Mode: modeOf(info.Mode()), Size: info.Size(), Blksize: 4096, Blocks: (info.Size() + 511) / 512, Atim: t, Mtim: t, Ctim: t}
	more(&st, name, info)
	return st
}

// modeOf returns the mode of a file as Linux has it.
func modeOf(m fs.FileMode) uint32 {
	mode := uint32(m.Perm())
	for _, f := range [...]struct {
		go_   fs.FileMode
		linux uint32
	}{{fs.ModeSetuid, 0o4000}, {fs.ModeSetgid, 0o2000}, {fs.ModeSticky, linux.S_ISVTX}} {
		if m&f.go_ != 0 {
			mode |= f.linux
		}
	}
	switch {
	case m.IsRegular():
		return mode | linux.S_IFREG
	case m.IsDir():
		return mode | linux.S_IFDIR
	case m&fs.ModeSymlink != 0:
		return mode | linux.S_IFLNK
	case m&fs.ModeNamedPipe != 0:
		return mode | linux.S_IFIFO
	case m&fs.ModeSocket != 0:
		return mode | linux.S_IFSOCK
	case m&fs.ModeCharDevice != 0:
		return mode | linux.S_IFCHR
	}
	return mode | linux.S_IFBLK
}

// Readlink implements Door.
func (Portable) Readlink(dir File, path string) (string, linux.Errno) {
	name, e := nameOf(dir, path)
	if e != 0 {
		return "", e
	}
	info, err := os.Lstat(name)
	switch {
	case err != nil:
		return "", errno(err)
	case info.Mode()&fs.ModeSymlink == 0:
		return "", linux.EINVAL
	}
	target, err := os.Readlink(name)
	return FromHost(target), errno(err)
}

// Access implements Door. It looks at the mode alone.
func (p Portable) Access(dir File, path string, mode uint32, flags int) linux.Errno {
	st, e := p.Stat(dir, path, flags&symlinkNoFollow == 0)
	if e != 0 {
		return e
	}
	uid, gid := User()
	bits := st.Mode
	switch {
	case uid == 0 && (mode&1 == 0 || st.Mode&linux.S_IFMT == linux.S_IFDIR || st.Mode&0o111 != 0):
		return 0
	case st.Uid == uint32(uid):
		bits >>= 6
	case st.Gid == uint32(gid):
		bits >>= 3
	}
	if bits&mode != mode {
		return linux.EACCES
	}
	return 0
}

// symlinkNoFollow is a flag of faccessat2(2).
const symlinkNoFollow = 0x100

// Change implements Door.
func (p Portable) Change(c Change) linux.Errno {
	name, e := nameOf(c.Dir, c.Path)
	to := ""
	if e == 0 && (c.Op == Rename || c.Op == Link || c.Op == Symlink) {
		to, e = nameOf(c.ToDir, c.To)
	}
	if e != 0 && c.Op != Symlink {
		return e
	}
	switch c.Op {
	case Mkdir:
		return errno(os.Mkdir(name, fs.FileMode(c.Mode&0o777)))
	case Unlink, Rmdir:
		info, err := os.Lstat(name)
		switch {
		case err != nil:
			return errno(err)
		case info.IsDir() && c.Op == Unlink:
			return linux.EISDIR
		case !info.IsDir() && c.Op == Rmdir:
			return linux.ENOTDIR
		}
		return errno(os.Remove(name))
	case Rename:
		if c.Flags != 0 {
			return linux.EINVAL
		}
		return errno(os.Rename(name, to))
	case Link:
		if c.Flags != 0 {
			return linux.EINVAL
		}
		return errno(os.Link(name, to))
	case Symlink:
		if to, e = nameOf(c.ToDir, c.To); e != 0 {
			return e
		}
		return errno(os.Symlink(c.Path, to))
	case Chmod:
		if c.NoFollow {
			return linux.EOPNOTSUPP
		}
		return errno(os.Chmod(name, fs.FileMode(c.Mode&0o777)))
	case Chown:
		if c.NoFollow {
			return errno(os.Lchown(name, c.UID, c.GID))
		}
		return errno(os.Chown(name, c.UID, c.GID))
	case Times:
		if c.NoFollow {
			return linux.EOPNOTSUPP
		}
		return errno(os.Chtimes(name, when(c.Atime), when(c.Mtime)))
	case Truncate:
		return errno(os.Truncate(name, c.Size))
	}
	return linux.EINVAL
}

// when converts a time of a change. The zero time leaves one as it is.
func when(t int64) time.Time {
	if t == OmitTime {
		return time.Time{}
	}
	return time.Unix(0, t)
}

// An openFile is an open file of the host, with its name. What was opened first of a directory that has been renamed is looked for by
// the name that it had.
type openFile struct {
	*os.File // nil for the folder of all drives
	path     string
	flags    int
	names    []fs.DirEntry // of a directory, once they are listed
	listed   bool
	next     int // of these
}

func (f *openFile) Read(p []byte) (int, linux.Errno) {
	if f.File == nil {
		return 0, linux.EISDIR
	}
	return soFar(f.File.Read(p))
}

func (f *openFile) Write(p []byte) (int, linux.Errno) { return soFar(f.File.Write(p)) }

func (f *openFile) ReadAt(p []byte, off int64) (int, linux.Errno) {
	if off < 0 {
		return 0, linux.EINVAL
	}
	return soFar(f.File.ReadAt(p, off))
}

func (f *openFile) WriteAt(p []byte, off int64) (int, linux.Errno) {
	switch {
	case off < 0:
		return 0, linux.EINVAL
	case f.flags&linux.O_APPEND != 0: // as on Linux
		return f.Write(p)
	}
	return soFar(f.File.WriteAt(p, off))
}

// soFar returns what a call has done; the next one will tell why it was not all.
func soFar(n int, err error) (int, linux.Errno) {
	if n > 0 || errors.Is(err, io.EOF) {
		return n, 0
	}
	return 0, errno(err)
}

func (f *openFile) Lseek(off int64, whence int) (int64, linux.Errno) {
	st, e := f.Stat()
	switch {
	case e != 0:
		return -1, e
	case st.Mode&linux.S_IFMT == linux.S_IFDIR:
		if off < 0 || whence != io.SeekStart {
			return -1, linux.EINVAL
		}
		f.next = int(off)
		return off, 0
	case whence < io.SeekStart || whence > io.SeekEnd:
		return -1, linux.EINVAL
	}
	n, err := f.Seek(off, whence)
	if err != nil {
		return -1, errno(err)
	}
	return n, 0
}

func (f *openFile) Stat() (linux.Stat, linux.Errno) {
	if f.File == nil {
		return statOf(f.path, true)
	}
	info, err := f.File.Stat()
	if err != nil {
		return linux.Stat{}, errno(err)
	}
	return describe(f.path, info), 0
}

func (f *openFile) Getdents(p []byte) (int, linux.Errno) {
	if !f.listed {
		st, e := f.Stat()
		switch {
		case e != 0:
			return 0, e
		case st.Mode&linux.S_IFMT != linux.S_IFDIR:
			return 0, linux.ENOTDIR
		}
		if f.names, e = list(f.path); e != 0 {
			return 0, e
		}
		f.listed = true
	}
	n := 0
	for ; f.next < len(f.names)+2; f.next++ {
		name := [...]string{".", ".."}[min(f.next, 1)]
		ino, mode := uint64(1), uint32(linux.S_IFDIR)
		if f.next >= 2 {
			entry := f.names[f.next-2]
			info, err := entry.Info()
			if err != nil {
				continue // it is gone
			}
			st := describe(f.path+"/"+entry.Name(), info)
			name, ino, mode = entry.Name(), st.Ino, st.Mode
		}
		size := AppendDirent(p[n:], name, ino, int64(f.next+1), mode)
		if size == 0 && n == 0 {
			return 0, linux.EINVAL // there is no room for one
		}
		if size == 0 {
			break
		}
		n += size
	}
	return n, 0
}

// list returns what is in a directory.
func list(name string) ([]fs.DirEntry, linux.Errno) {
	if name == rootOfDrives {
		return drives(), 0
	}
	names, err := os.ReadDir(name)
	return names, errno(err)
}

func (f *openFile) Change(c Change) linux.Errno {
	switch c.Op {
	case Chmod:
		return errno(f.Chmod(fs.FileMode(c.Mode & 0o777)))
	case Chown:
		return errno(f.Chown(c.UID, c.GID))
	case Truncate:
		return errno(f.Truncate(c.Size))
	case Sync:
		return errno(f.Sync())
	case Times:
		return errno(os.Chtimes(f.path, when(c.Atime), when(c.Mtime)))
	case Flags:
		const fixed = linux.O_ACCMODE | linux.O_NONBLOCK | linux.OLargeFile | linux.O_CLOEXEC
		if (int(c.Mode)^f.flags)&linux.O_APPEND == 0 && int(c.Mode)&^(fixed|linux.O_APPEND) == 0 {
			return 0
		}
	}
	return linux.EINVAL
}

func (f *openFile) Close() linux.Errno {
	if f.File == nil {
		return 0
	}
	return errno(f.File.Close())
}
