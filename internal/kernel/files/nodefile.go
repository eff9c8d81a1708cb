package files

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// A nodeFile is an open file or directory of the overlay. It stays usable when
// its name is removed.
type nodeFile struct {
	process.Plain
	o    *overlay
	node *inode
}

func (f *nodeFile) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	n, e := f.Pread(p, d.Off)
	if n > 0 {
		f.o.k.Touch(d)
		d.Off += int64(n)
	}
	return n, e
}

func (f *nodeFile) Pread(p []byte, off int64) (int, linux.Errno) {
	if f.node.is(linux.S_IFDIR) {
		return 0, linux.EISDIR
	}
	data, e := f.o.content(f.node)
	if e != 0 || off >= int64(len(data)) {
		return 0, e
	}
	return copy(p, data[off:]), 0
}

func (f *nodeFile) Write(d *process.Desc, p []byte) (int, linux.Errno) {
	if len(p) == 0 {
		return 0, 0 // the offset does not move, not even to the end
	}
	off := d.Off
	if d.Flags&linux.O_APPEND != 0 {
		data, e := f.o.content(f.node)
		if e != 0 {
			return 0, e
		}
		off = int64(len(data))
	}
	n, e := f.put(p, off)
	if e == 0 {
		f.o.k.Touch(d)
		d.Off = off + int64(n)
	}
	return n, e
}

// Pwrite writes at an offset, or at the end if the file was opened for
// appending: Linux does so, whatever POSIX says.
func (f *nodeFile) Pwrite(d *process.Desc, p []byte, off int64) (int, linux.Errno) {
	if d.Flags&linux.O_APPEND != 0 {
		data, e := f.o.content(f.node)
		if e != 0 {
			return 0, e
		}
		off = int64(len(data))
	}
	return f.put(p, off)
}

// put writes bytes at an offset, with zeros up to there if need be.
func (f *nodeFile) put(p []byte, off int64) (int, linux.Errno) {
	if len(p) == 0 {
		return 0, 0
	}
	if off > maxFileSize-int64(len(p)) {
		return 0, linux.EFBIG
	}
	n := f.node
	if e := f.o.adopt(n); e != 0 {
		return 0, e
	}
	if gap := off - int64(len(n.data)); gap > 0 {
		n.data = append(n.data, make([]byte, gap)...)
	}
	m := copy(n.data[off:], p)
	n.data = append(n.data, p[m:]...)
	return len(p), 0
}

func (f *nodeFile) Seek(d *process.Desc, off int64, whence int) (int64, linux.Errno) {
	size := f.node.stat().Size
	switch whence {
	case 0:
	case 1:
		off += d.Off
	case 2:
		off += size
	case 3, 4: // SEEK_DATA, SEEK_HOLE: there are no holes
		if off < 0 || off >= size {
			return 0, linux.ENXIO
		}
		if whence == 4 {
			off = size
		}
	default:
		return 0, linux.EINVAL
	}
	if off < 0 {
		return 0, linux.EINVAL
	}
	f.o.k.Touch(d)
	d.Off = off
	return off, 0
}

func (f *nodeFile) Stat() (linux.Stat, linux.Errno) { return f.node.stat(), 0 }

// Getdents gives . and .. and then the names in order, as they were at the
// first call. The offset counts names already given.
func (f *nodeFile) Getdents(d *process.Desc, p []byte) (int, linux.Errno) {
	dir := f.node
	if !dir.is(linux.S_IFDIR) {
		return 0, linux.ENOTDIR
	}
	if dir.dead {
		return 0, linux.ENOENT
	}
	f.o.k.Touch(d)
	if d.Off == 0 {
		names, e := f.o.names(dir)
		if e != 0 {
			return 0, e
		}
		d.Names = append([]string{".", ".."}, names...)
	}
	done := 0
	for ; d.Off < int64(len(d.Names)); d.Off++ {
		n, name := dir, d.Names[d.Off]
		switch name {
		case ".":
		case "..":
			n = dir.parent
		default:
			var e linux.Errno
			if n, e = f.o.child(dir, name); e != 0 {
				continue // it was removed meanwhile
			}
		}
		size := host.AppendDirent(p[done:], name, n.ino, d.Off+1, n.mode)
		if size == 0 {
			if done == 0 {
				return 0, linux.EINVAL
			}
			break
		}
		done += size
	}
	return done, 0
}

func (f *nodeFile) Change(c host.Change) linux.Errno { return f.o.changeNode(f.node, c) }

func (f *nodeFile) AppendKey(w *keys.Writer) { f.o.appendNode(w, f.node) }
