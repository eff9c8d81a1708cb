// Package process is what all parts of the model share of one process: who it is, what time it is, its descriptors, the
// numbers that are given out, who makes the calls, and what it was refused.
//
//	system calls ─► descriptor table ─► open file ─► File, and if a call may wait for it, Pollable
//
// What lies behind a descriptor is a [File]. Which kinds of files there are it does not know.
package process

import (
	"hash/fnv"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// An Identity is who a process is.
type Identity struct {
	Hostname  string
	Pid, Ppid int
	UID, GID  int
	Groups    []int
	Process   int    // number of the process among those that run side by side
	Names     bool   // numbers of descriptors and ports depend on who makes the call: see As
	Seed      uint64 // of getrandom and /dev/urandom
	Clocks           // what time it is
}

// Clocks are those of the machine.
type Clocks struct {
	Now  func() int64 // wall clock, nanoseconds since 1970; nil stands at 0
	File func() int64 // the time that files get which the process changes; nil is Now
	Mono func() int64 // the clock of deadlines; nil stands at 0
}

// A Core is the process itself.
type Core struct {
	Identity
	*undo.Log
	table    table
	refusal  string      // see Refused
	who      string      // see As
	raw      bool        // see Raw
	made     bool        // see Made
	drew     bool        // see Drew
	Released func(*Desc) // is told of open files that no descriptor refers to any more, before they are closed
}

// table is what a Core can change.
type table struct {
	epoch   uint64
	fds     fdTable
	random  uint64
	nextIno uint64
	nextKey uint64
	noFile  uint64 // soft limit of descriptors
}

// New makes a process without descriptors.
func New(id Identity) *Core {
	if id.Pid == 0 {
		id.Pid, id.Ppid = 1000, 1
	}
	if id.Hostname == "" {
		id.Hostname = "localhost"
	}
	return &Core{
		Identity: id, Log: &undo.Log{},
		table: table{random: id.Seed, nextIno: 1 << 40, nextKey: uint64(id.Process)<<24 + 1, noFile: maxFDs},
	}
}

// touchTable prepares a change of the table.
func (k *Core) touchTable() {
	if undo.Save(k.Log, &k.table, &k.table.epoch) {
		k.table.fds = k.table.fds.clone()
	}
}

// NewIno gives out the number of a file.
func (k *Core) NewIno() uint64 {
	k.touchTable()
	k.table.nextIno++
	return k.table.nextIno - 1
}

// NewKey gives out the key that waits for something are known by.
func (k *Core) NewKey() uint64 {
	k.touchTable()
	k.table.nextKey++
	return k.table.nextKey - 1
}

// Wall is the wall clock.
func (k *Core) Wall() int64 {
	if k.Now == nil {
		return 0
	}
	return k.Now()
}

// FileTime is the time that a file gets which is changed now.
func (k *Core) FileTime() int64 {
	if k.File == nil {
		return k.Wall()
	}
	return k.File()
}

// Monotonic is the clock of deadlines.
func (k *Core) Monotonic() int64 {
	if k.Mono == nil {
		return 0
	}
	return k.Mono()
}

// Random fills p from the seeded generator (splitmix64), which belongs to the
// state: the same program gets the same bytes in every run.
func (k *Core) Random(p []byte) {
	k.drew = true
	k.touchTable()
	for i := 0; i < len(p); i += 8 {
		k.table.random += 0x9e3779b97f4a7c15
		z := k.table.random
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		for j := i; j < i+8 && j < len(p); j++ {
			p[j] = byte(z)
			z >>= 8
		}
	}
}

// HasDrawn reports whether the process has read random bytes in any state that it was in.
func (k *Core) HasDrawn() bool { return k.drew }

// SetNoFile sets the soft limit of descriptors.
func (k *Core) SetNoFile(n uint64) linux.Errno {
	if n > maxFDs {
		return linux.EPERM
	}
	k.touchTable()
	k.table.noFile = n
	return 0
}

// NoFile returns the soft and the hard limit of descriptors.
func (k *Core) NoFile() (soft, hard uint64) { return k.table.noFile, maxFDs }

// As says in whose name the following calls are made. The creator of a
// connection is a part of what the connection is called, and the numbers of
// descriptors and ports depend on it instead of on the order in which creators
// come: what they do then commutes. Numbers of no name are the smallest free ones,
// as on Linux.
func (k *Core) As(creator string) { k.who = creator }

// Caller is in whose name calls are made: see As.
func (k *Core) Caller() string { return k.who }

// FirstFD is the smallest number for descriptors of the current creator. If two
// creators get the same, that costs nothing but states: a number tells the
// process nothing.
func (k *Core) FirstFD() int {
	if !k.ByCreator() {
		return 0
	}
	const blocks = 1 << 20
	return lowFDs * (1 + int(k.CreatorHash()%(blocks-1)))
}

// PeerFD is the smallest number for the descriptor of a connection that a peer has
// made. So it does not depend on which of the connections before are still open.
// The numbers are small enough for select.
func (k *Core) PeerFD(peer int) int {
	const first, each = 32, 8
	if k.ByCreator() {
		return k.FirstFD()
	}
	return first + each*peer
}

// ByCreator reports whether numbers depend on who makes the call. The main goroutine
// has the numbers that it would have alone.
func (k *Core) ByCreator() bool { return k.Names && k.who != "" && k.who != "main" }

// CreatorHash is the same for calls that are made in the same name.
func (k *Core) CreatorHash() uint32 {
	h := fnv.New32a()
	h.Write([]byte(k.who))
	return h.Sum32()
}

// Made reports whether a descriptor was made since the last call, a port given out, or a connection
// made to a peer: whatever depends on who makes the call.
func (k *Core) Made() bool {
	made := k.made
	k.made = false
	return made
}

// Makes notes that something is made that depends on who makes the call.
func (k *Core) Makes() { k.made = true }

// Raw says whether the following calls are made by the program itself, not by a
// package that keeps descriptors in objects: then anybody may be told their numbers.
func (k *Core) Raw(on bool) { k.raw = on }

// Maker is who alone knows a descriptor that is made now, nobody if others may be
// told its number.
func (k *Core) Maker() string {
	if k.raw {
		return ""
	}
	return k.who
}

// Refuse notes that the program needs what is not modelled. Whoever made the
// call finds that by Refused and ends the run; the error number is a stopgap.
func (k *Core) Refuse(what string) linux.Errno {
	k.refusal = what
	return linux.ENOSYS
}

// Refused returns what the last call could not do because it is not modelled,
// "" if nothing, and forgets it.
func (k *Core) Refused() string {
	what := k.refusal
	k.refusal = ""
	return what
}
