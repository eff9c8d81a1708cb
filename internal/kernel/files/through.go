package files

import (
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// A through is the tree that is the host's own file system.
type through struct{ k *System }

// A hostBacked is an open file of the host.
type hostBacked struct {
	host host.File
}

// dirOf returns the host's directory of a place.
func dirOf(at place) host.File {
	if f, ok := at.dir.(*hostBacked); ok {
		return f.host
	}
	return nil
}

func (t *through) open(at place, flags int, mode uint32) (process.File, linux.Errno) {
	h, e := t.k.door.Open(dirOf(at), at.path, flags, mode)
	if e != 0 {
		return nil, e
	}
	return &hostBacked{host: h}, 0
}

func (t *through) stat(at place, follow bool) (linux.Stat, linux.Errno) {
	return t.k.door.Stat(dirOf(at), at.path, follow)
}

func (t *through) readlink(at place) (string, linux.Errno) {
	return t.k.door.Readlink(dirOf(at), at.path)
}

func (t *through) access(at place, mode uint32, flags int) linux.Errno {
	return t.k.door.Access(dirOf(at), at.path, mode, flags)
}

func (t *through) change(c host.Change, at, to place) linux.Errno {
	c.Dir, c.Path = dirOf(at), at.path
	c.ToDir, c.To = dirOf(to), to.path
	return t.k.door.Change(c)
}

// dirName follows the links of a name by hand: our process may not change its
// own directory to ask the host. Without a name it looks for the directory in
// its parents.
func (t *through) dirName(dir process.File, name string) (string, linux.Errno) {
	if name == "" {
		return t.search(dir)
	}
	real, rest := "/", name
	for links := 0; rest != ""; {
		var name string
		name, rest, _ = strings.Cut(strings.TrimLeft(rest, "/"), "/")
		next := path.Join(real, name)
		if name == "" || name == "." || name == ".." {
			real = next
			continue
		}
		target, e := t.k.door.Readlink(nil, next)
		if e != 0 {
			real = next // no link
			continue
		}
		if links++; links > 40 {
			return "", linux.ELOOP
		}
		if strings.HasPrefix(target, "/") {
			real = "/"
		}
		rest = target + "/" + rest
	}
	return real, 0
}

// search finds the name of an open directory by looking for it in its parent,
// and so on up to the root.
func (t *through) search(dir process.File) (string, linux.Errno) {
	st, e := dir.Stat()
	if e != 0 {
		return "", e
	}
	up := place{dir, ".."}
	name := ""
	for range 256 {
		pst, e := t.stat(up, true)
		if e != 0 {
			return "", e
		}
		if pst.Ino == st.Ino && pst.Dev == st.Dev {
			return "/" + name, 0
		}
		base, e := t.nameIn(up, st)
		if e != 0 {
			return "", e
		}
		name = path.Join(base, name)
		st, up.path = pst, up.path+"/.."
	}
	return "", linux.ENOENT
}

// nameIn finds the name of the directory described by st in its parent.
func (t *through) nameIn(parent place, st linux.Stat) (string, linux.Errno) {
	h, e := t.k.door.Open(dirOf(parent), parent.path, linux.O_RDONLY|linux.O_DIRECTORY, 0)
	if e != 0 {
		return "", e
	}
	defer h.Close()
	names, e := host.Names(h)
	if e != 0 {
		return "", e
	}
	for _, name := range names {
		got, e := t.k.door.Stat(h, name, false)
		if e == 0 && got.Ino == st.Ino && got.Dev == st.Dev {
			return name, 0
		}
	}
	return "", linux.ENOENT
}

func (f *hostBacked) Read(d *process.Desc, p []byte) (int, linux.Errno)  { return f.host.Read(p) }
func (f *hostBacked) Write(d *process.Desc, p []byte) (int, linux.Errno) { return f.host.Write(p) }
func (f *hostBacked) Pread(p []byte, off int64) (int, linux.Errno) {
	return f.host.ReadAt(p, off)
}

func (f *hostBacked) Pwrite(d *process.Desc, p []byte, off int64) (int, linux.Errno) {
	return f.host.WriteAt(p, off)
}

func (f *hostBacked) Seek(d *process.Desc, off int64, whence int) (int64, linux.Errno) {
	return f.host.Lseek(off, whence)
}

func (f *hostBacked) Stat() (linux.Stat, linux.Errno) { return f.host.Stat() }

func (f *hostBacked) Getdents(d *process.Desc, p []byte) (int, linux.Errno) {
	return f.host.Getdents(p)
}

func (f *hostBacked) Change(c host.Change) linux.Errno { return f.host.Change(c) }

// SetFlags passes the flags on, except that the host's calls always block: our
// process has nothing else to do meanwhile.
func (f *hostBacked) SetFlags(flags int) linux.Errno {
	return f.host.Change(host.Change{Op: host.Flags, Mode: uint32(flags &^ linux.O_NONBLOCK)})
}

func (f *hostBacked) Close() linux.Errno { return f.host.Close() }

func (f *hostBacked) AppendKey(w *keys.Writer) { w.First(f) }
