// Package files is the file system of the modelled machine: the host's own, or an overlay over it in which what the
// program changes stays in memory; devices, standard streams, and the files that describe the modelled machine.
//
//	names ─► System ─┬─ through ─┐
//	                 └─ overlay ─┴─► host.Door
//
// It knows nothing of sockets but that somebody can tell which of its names and files are theirs.
package files

import (
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// A System is the file system as one process sees it.
type System struct {
	*process.Core
	opt   Options
	door  host.Door
	tree  tree
	input inputLog // what was read of standard input
	work  work
	told  bool // see ToldOfHost
	wrote bool // see Changed

	// Foreign reports whether a path is that of a socket outside of the modelled machine.
	Foreign func(path string) bool
	// AppendSocket writes the socket that is bound to a file of the overlay.
	AppendSocket func(w *keys.Writer, id FileID)
}

// Options are what there is of files when a process begins.
type Options struct {
	Through    bool   // changes to files reach the host
	Dir        string // working directory, an absolute path; "" is "/"
	Executable string // what /proc/self/exe links to
	Hosts      string // further lines of /etc/hosts
}

// work is what a process can change besides files.
type work struct {
	epoch uint64
	cwd   string
	dir   process.File // the working directory, opened at first use
	umask uint32
}

// A FileID tells files apart.
type FileID struct{ dev, ino uint64 }

// New makes the file system of a process, which gets the three standard streams of the door as descriptors 0, 1 and
// 2.
func New(core *process.Core, door host.Door, r Options) *System {
	k := &System{Core: core, opt: r, door: door, work: work{cwd: "/", umask: 0o022}}
	if strings.HasPrefix(r.Dir, "/") {
		k.work.cwd = path.Clean(r.Dir)
	}
	if r.Through {
		k.tree = &through{k}
	} else {
		k.tree = newOverlay(k)
	}
	for fd := range 3 {
		flags := linux.O_WRONLY
		if fd == 0 {
			flags = linux.O_RDONLY
		}
		k.Std(fd, flags, &stream{k: k, fd: fd, host: door.Std(fd)})
	}
	return k
}

// Door returns the door that leads to the host.
func (k *System) Door() host.Door { return k.door }

// ToldOfHost reports whether the process has read a file in which the host's kernel tells how it is, in any state that it
// was in.
func (k *System) ToldOfHost() bool { return k.told }

// Changed reports whether the process has changed files, or opened some to do so, in any state that it was in.
func (k *System) Changed() bool { return k.wrote }

// touchWork prepares a change of it.
func (k *System) touchWork() { undo.Save(k.Log, &k.work, &k.work.epoch) }

// Chdir changes the working directory.
func (k *System) Chdir(name string) linux.Errno {
	at, e := k.at(AtCwd, name)
	if e != 0 {
		return e
	}
	if !path.IsAbs(name) {
		name = k.work.cwd + "/" + name
	}
	return k.chdir(at, name)
}

// Fchdir changes the working directory to that of a descriptor.
func (k *System) Fchdir(fd int) linux.Errno {
	d, e := k.Desc(fd)
	if e != 0 {
		return e
	}
	return k.chdir(place{dir: d.File, path: "."}, "")
}

// chdir opens the directory at a place, so that it stays the same whatever is
// done to its name.
func (k *System) chdir(at place, name string) linux.Errno {
	if st, e := k.tree.stat(at, true); e != 0 {
		return e
	} else if st.Mode&linux.S_IFMT != linux.S_IFDIR {
		return linux.ENOTDIR
	}
	if e := k.tree.access(at, 1, 0); e != 0 {
		return e
	}
	dir, e := k.tree.open(at, linux.O_DIRECTORY|linux.OPath, 0)
	if e != 0 {
		return e
	}
	if name, e = k.tree.dirName(dir, name); e != 0 {
		dir.Close()
		return e
	}
	k.touchWork()
	if old := k.work.dir; old != nil && k.Stretch() == 0 {
		old.Close()
	}
	k.work.cwd, k.work.dir = name, dir
	return 0
}

// cwd returns the open working directory.
func (k *System) cwd() (dir process.File, e linux.Errno) {
	if k.work.dir == nil {
		k.touchWork() // further back the name may be that of another directory
		if dir, e = k.tree.open(place{path: k.work.cwd}, linux.O_DIRECTORY|linux.OPath, 0); e != 0 {
			return nil, e
		}
		k.work.dir = dir
	}
	return k.work.dir, 0
}

// Getcwd returns the working directory.
func (k *System) Getcwd() string { return k.work.cwd }

// Umask sets the file mode creation mask and returns the former one.
func (k *System) Umask(mask uint32) uint32 {
	old := k.work.umask
	k.touchWork()
	k.work.umask = mask & 0o777
	return old
}

// Mask is the file mode creation mask.
func (k *System) Mask() uint32 { return k.work.umask }

// Named reports whether behind a descriptor is a file or a directory: others may open it by
// its name, so who can reach the descriptor says nothing about who reads and writes it.
func (k *System) Named(fd int) bool {
	d, e := k.Desc(fd)
	if e != 0 {
		return false
	}
	switch d.File.(type) {
	case *nodeFile, *hostBacked:
		return true
	}
	return false
}

// AppendTree writes what the program has changed of the files.
func (k *System) AppendTree(w *keys.Writer) {
	if o, ok := k.tree.(*overlay); ok {
		o.appendNode(w, o.root)
	}
}
