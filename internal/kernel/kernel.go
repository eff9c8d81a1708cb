// Package kernel is the operating system that a program under test runs on:
// descriptors, files, pipes, sockets, epoll, the process's identity, randomness and
// signals, as far as Linux system calls show them. It knows nothing of bytecode, goroutines
// or the heap: callers hand it byte slices and strings, and it answers with
// values and error numbers of linux/amd64.
//
//	system calls ─► descriptor table ─► open file ─┬─ pipe
//	                                               ├─ socket ── endpoint ── socket
//	                                               ├─ epoll ── open files, counter, timer
//	                                               ├─ device (/dev/null, /dev/urandom ...)
//	                                               ├─ standard stream ──────────┐
//	                                               └─ file ── tree ─┬─ through ─┤
//	                                                                └─ overlay ─┴─► Door ─► host
//
// Everything outside is reached through one [Door]. With Options.Through, files
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
	"net/netip"
	"os"
	"path"
	"strings"
	"syscall"

	dg "github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// Options describe the process and what it may do to the host.
type Options struct {
	Through bool // changes to files reach the host

	Args       []string // Args[0] is the program's name
	Env        []string // as "key=value"
	Dir        string   // working directory, an absolute path; "" is "/"
	Executable string   // what /proc/self/exe links to
	Hostname   string
	Pid, Ppid  int
	UID, GID   int
	Groups     []int

	SocketBuffer int // bytes that a connection holds in each direction; 0 for the default

	Seed   uint64 // of getrandom and /dev/urandom
	Clocks        // what time it is

	Faults Faults // what may happen to connections, and how often

	Delays  Delays      // which calls that do not wait may be early; see delay.go
	Partial bool        // and may transfer a part of the bytes
	Network dg.Settings // what may happen to datagrams, at first: see SetUDP

	Public  bool // others outside may connect to it, whether the check knows of them or not
	Names   bool // numbers of descriptors and ports depend on who makes the call: see As
	Process int  // number of the process among those that run side by side
	Kind    int  // number of the first one among them that runs the same program with the same arguments

	Outside // whom the process can talk to

	// Talk, if it is not nil, is told what goes over connections.
	Talk func(Talk)
}

// HostOptions returns Options that describe the calling process, without
// arguments.
func HostOptions() Options {
	opt := Options{Env: os.Environ(), UID: os.Getuid(), GID: os.Getgid()}
	opt.Hostname, _ = os.Hostname()
	opt.Executable, _ = os.Executable()
	opt.Groups, _ = os.Getgroups()
	// The kernel's own idea of the directory, without the links of $PWD.
	opt.Dir, _ = syscall.Getwd()
	return opt
}

// Clocks are those of the machine.
type Clocks struct {
	Now  func() int64 // wall clock, nanoseconds since 1970; nil stands at 0
	File func() int64 // the time that files get which the process changes; nil is Now
	Mono func() int64 // the clock of deadlines; nil stands at 0
}

// A Kernel is the operating system of one process.
type Kernel struct {
	Options
	door  host.Door
	tree  tree
	input inputLog // what was read of standard input
	self  state
	net   *network
	*undoLog
	wakes   []uint64   // keys of the waits that may be over; see Woken
	refusal string     // see Refused
	way     int        // see Choose
	source  netip.Addr // see SetSource
	outside outside
	met     *Met
}

// state is what the process can change besides files, pipes and sockets.
type state struct {
	epoch   uint64
	fds     fdTable
	epolls  []*epoll // those that are open; the slice is replaced, not changed
	cwd     string
	dir     file // the working directory, opened at first use
	umask   uint32
	random  uint64
	nextIno uint64
	faults  Faults         // that may still happen
	udp     dg.Settings    // what may happen to datagrams
	udpText string         // the same
	inward  bool           // it has connected to itself
	served  bool           // it has listened at some address, or has ended: see Early
	came    [MaxPeers]bool // clients outside that have connected, by their place in Peers
	nextKey uint64
	signals signals
	noFile  uint64 // soft limit of descriptors
}

// Door returns the door that the kernel was made with.
func (k *Kernel) Door() host.Door { return k.door }

// New makes a kernel whose process has the three standard streams of the door
// as descriptors 0, 1 and 2.
func New(door host.Door, opt Options) *Kernel {
	k := &Kernel{Options: opt, door: door, net: &network{}, undoLog: &undoLog{}, met: newMet(opt.Peers)}
	if k.SocketBuffer <= 0 {
		k.SocketBuffer = socketBuffer
	}
	if k.Pid == 0 {
		k.Pid, k.Ppid = 1000, 1
	}
	if k.Hostname == "" {
		k.Hostname = "localhost"
	}
	k.settleHosts()
	k.self = state{cwd: "/", umask: 0o022, random: opt.Seed, nextIno: 1 << 40, nextKey: uint64(opt.Process)<<24 + 1, noFile: maxFDs, faults: opt.Faults}
	k.self.udp, k.self.udpText = opt.Network, opt.Network.String()
	if strings.HasPrefix(opt.Dir, "/") {
		k.self.cwd = path.Clean(opt.Dir)
	}
	if opt.Through {
		k.tree = &through{k}
	} else {
		k.tree = newOverlay(k)
	}
	for fd := range 3 {
		flags := syscall.O_WRONLY
		if fd == 0 {
			flags = syscall.O_RDONLY
		}
		k.self.fds.put(fd, slot{desc: &desc{refs: 1, flags: flags, file: &stream{fd: fd, host: door.Std(fd)}}})
	}
	return k
}

// now is the wall clock.
func (k *Kernel) now() int64 {
	if k.Now == nil {
		return 0
	}
	return k.Now()
}

// FileTime is the time that a file gets which is changed now.
func (k *Kernel) FileTime() int64 {
	if k.File == nil {
		return k.now()
	}
	return k.File()
}

// Chdir changes the working directory.
func (k *Kernel) Chdir(name string) linux.Errno {
	at, e := k.at(AtCwd, name)
	if e != 0 {
		return e
	}
	if !path.IsAbs(name) {
		name = k.self.cwd + "/" + name
	}
	return k.chdir(at, name)
}

// Fchdir changes the working directory to that of a descriptor.
func (k *Kernel) Fchdir(fd int) linux.Errno {
	d, e := k.desc(fd)
	if e != 0 {
		return e
	}
	return k.chdir(place{dir: d.file, path: "."}, "")
}

// chdir opens the directory at a place, so that it stays the same whatever is
// done to its name.
func (k *Kernel) chdir(at place, name string) linux.Errno {
	if st, e := k.tree.stat(at, true); e != 0 {
		return e
	} else if st.Mode&syscall.S_IFMT != syscall.S_IFDIR {
		return syscall.ENOTDIR
	}
	if e := k.tree.access(at, 1, 0); e != 0 {
		return e
	}
	dir, e := k.tree.open(at, syscall.O_DIRECTORY|linux.OPath, 0)
	if e != 0 {
		return e
	}
	if name, e = k.tree.dirName(dir, name); e != 0 {
		dir.close(k)
		return e
	}
	k.touchSelf()
	if old := k.self.dir; old != nil && k.epoch == 0 {
		old.close(k)
	}
	k.self.cwd, k.self.dir = name, dir
	return 0
}

// cwd returns the open working directory.
func (k *Kernel) cwd() (dir file, e linux.Errno) {
	if k.self.dir == nil {
		if dir, e = k.tree.open(place{path: k.self.cwd}, syscall.O_DIRECTORY|linux.OPath, 0); e != 0 {
			return nil, e
		}
		k.self.dir = dir
	}
	return k.self.dir, 0
}

// Getcwd returns the working directory.
func (k *Kernel) Getcwd() string { return k.self.cwd }

// Umask sets the file mode creation mask and returns the former one.
func (k *Kernel) Umask(mask uint32) uint32 {
	old := k.self.umask
	k.touchSelf()
	k.self.umask = mask & 0o777
	return old
}

// Random fills p from the seeded generator (splitmix64), which belongs to the
// state: the same program gets the same bytes in every run.
func (k *Kernel) Random(p []byte) {
	k.met.drew = true
	k.touchSelf()
	for i := 0; i < len(p); i += 8 {
		k.self.random += 0x9e3779b97f4a7c15
		z := k.self.random
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		for j := i; j < i+8 && j < len(p); j++ {
			p[j] = byte(z)
			z >>= 8
		}
	}
}

// SetNoFile sets the soft limit of descriptors and returns the former one.
func (k *Kernel) SetNoFile(n uint64) linux.Errno {
	if n > maxFDs {
		return syscall.EPERM
	}
	k.touchSelf()
	k.self.noFile = n
	return 0
}

// NoFile returns the soft and the hard limit of descriptors.
func (k *Kernel) NoFile() (soft, hard uint64) { return k.self.noFile, maxFDs }
