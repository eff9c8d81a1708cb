// Package kernel is the operating system that a program under test runs on:
// descriptors, files, pipes, sockets, epoll, the process's identity, randomness and
// signals, as far as Linux system calls show them. It knows nothing of bytecode, goroutines
// or the heap: callers hand it byte slices and strings, and it answers with
// values and error numbers of linux/amd64.
//
//	system calls ─► process: descriptor ─► open file ─┬─ pipes: an end of a pipe
//	                                                  ├─ sockets: socket ── endpoint ── socket
//	                                                  ├─ events: epoll ── open files, counter, timer
//	                                                  └─ files ─┬─ device (/dev/null, /dev/urandom ...)
//	                                                            ├─ standard stream ──────────┐
//	                                                            └─ file ── tree ─┬─ through ─┤
//	                                                                             └─ overlay ─┴─► host.Door
//
// Each part is a package below this one, and a Kernel is all of them: their
// calls are its calls. Each imports only what comes after it here:
//
//	kernel  sockets  pipes  events, files  process  host, keys, undo  linux
//
// Everything outside is reached through one [host.Door]. With Options.Through, files
// are the host's, read and written, as under go run. Without it the host's files
// are read through the door once and kept, and whatever the program changes
// stays in the kernel's own state, where Mark and Restore can take it back.
//
// Sockets are always modelled: all of them live on one machine with a loopback
// interface and names of its own. What a program wants of the network outside is
// refused; see Refused.
//
// There is no clock here: Options.Now is the machine's.
//
// A Kernel is not safe for concurrent use.
package kernel

import (
	"os"
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/pipes"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// Options describe the process and what it may do to the host.
type Options struct {
	process.Identity // who it is
	sockets.Settings // what may happen on the network

	Through    bool     // changes to files reach the host
	Args       []string // Args[0] is the program's name
	Env        []string // as "key=value"
	Dir        string   // working directory, an absolute path; "" is "/"
	Executable string   // what /proc/self/exe links to
}

// HostOptions returns Options that describe the calling process, without
// arguments.
func HostOptions() Options {
	opt := Options{Env: os.Environ()}
	opt.UID, opt.GID = host.User()
	opt.Hostname, _ = os.Hostname()
	opt.Executable, _ = os.Executable()
	opt.Groups, _ = os.Getgroups()
	// The kernel's own idea of the directory, without the links of $PWD.
	dir, _ := syscall.Getwd()
	opt.Dir = host.FromHost(dir)
	return opt
}

// A Kernel is the operating system of one process.
type Kernel struct {
	Args []string // see Options
	Env  []string
	*process.Core
	*files.System
	*events.Waits
	*sockets.Stack

	signals signals
	asked   int // for how many signals the process has asked, at most
	beside  *beside
}

// beside are the processes that run side by side.
type beside struct{ all []*Kernel }

// New makes a kernel whose process has the three standard streams of the door
// as descriptors 0, 1 and 2.
func New(door host.Door, opt Options) *Kernel {
	opt.Settle()
	core := process.New(opt.Identity)
	system := files.New(core, door, files.Options{Through: opt.Through, Dir: opt.Dir, Executable: opt.Executable, Hosts: opt.Hosts.Lines()})
	waits := events.New(core)
	waits.Unordered = opt.Delays != 0
	return &Kernel{
		Args: opt.Args, Env: opt.Env, Core: core, System: system, Waits: waits, Stack: sockets.New(waits, system, opt.Settings),
		beside: &beside{},
	}
}

// Restore brings the state back to what it was at the mark, which stays good;
// later ones do not. What has reached the host stays there.
func (k *Kernel) Restore(m undo.Mark) {
	k.Log.Restore(m)
	k.Forget()
}

// Pipe2 makes a pipe and returns the descriptors of its reading and its writing
// end.
func (k *Kernel) Pipe2(flags int) (r, w int, e linux.Errno) { return pipes.New(k.Waits, flags) }

// pipeSize returns how many bytes a pipe holds.
func (k *Kernel) pipeSize(fd int) (int, linux.Errno) {
	d, e := k.Desc(fd)
	if e != 0 {
		return -1, e
	}
	p, ok := d.File.(*pipes.End)
	if !ok {
		return -1, linux.EBADF
	}
	return p.Capacity(), 0
}
