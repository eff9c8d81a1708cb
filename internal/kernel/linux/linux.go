// Package linux has the words that all parts of the modelled operating system share: numbers of system calls and errors,
// signals, flags, events, and what stat tells. All are those of linux/amd64, which programs under check are built for: package
// syscall has those of the system that Heddle runs on. It does nothing.
package linux

import "strconv"

// An Errno is an error number; 0 is success.
type Errno uintptr

// Error returns the words that package syscall has for it.
func (e Errno) Error() string {
	if e < Errno(len(errorTexts)) && errorTexts[e] != "" {
		return errorTexts[e]
	}
	return "errno " + strconv.Itoa(int(e))
}

// Name returns its name, as ENOENT; "" if it has none.
func (e Errno) Name() string {
	if e < Errno(len(errorNames)) {
		return errorNames[e]
	}
	return ""
}

// A Signal is the number of a signal.
type Signal int

// String returns the words that package syscall has for it.
func (s Signal) String() string {
	if 0 <= s && int(s) < len(signalTexts) && signalTexts[s] != "" {
		return signalTexts[s]
	}
	return "signal " + strconv.Itoa(int(s))
}

// A Stat is what the stat family of calls fills in.
type Stat struct {
	Dev     uint64
	Ino     uint64
	Nlink   uint64
	Mode    uint32
	Uid     uint32
	Gid     uint32
	_       int32
	Rdev    uint64
	Size    int64
	Blksize int64
	Blocks  int64
	Atim    Timespec
	Mtim    Timespec
	Ctim    Timespec
	_       [3]int64
}

// A Timespec is a moment or a span of time.
type Timespec struct{ Sec, Nsec int64 }

// Nano returns it in nanoseconds.
func (t Timespec) Nano() int64 { return t.Sec*1e9 + t.Nsec }

// NsecToTimespec returns nanoseconds as a Timespec.
func NsecToTimespec(nsec int64) Timespec {
	sec, nsec := nsec/1e9, nsec%1e9
	if nsec < 0 {
		nsec += 1e9
		sec--
	}
	return Timespec{sec, nsec}
}

// Constants that package syscall lacks or has as 0 on amd64.
const (
	OLargeFile   = 0x8000
	ODirect      = 0x4000
	OPath        = 0x200000
	FGetPipeSize = 1032
	FOfdSetLk    = 37
	FOfdSetLkW   = 38
)

// The events of poll(2), which are those of epoll too.
const (
	EvIn     = 0x1
	EvPri    = 0x2
	EvOut    = 0x4
	EvErr    = 0x8
	EvHup    = 0x10
	EvNval   = 0x20 // poll alone: there is no such descriptor
	EvRdNorm = 0x40
	EvRdBand = 0x80
	EvWrNorm = 0x100
	EvWrBand = 0x200
	EvRdHup  = 0x2000

	EvAlways = EvErr | EvHup // whether or not one asks for them
	EvRead   = EvIn | EvRdNorm
	EvWrite  = EvOut | EvWrNorm
	EvAll    = EvRead | EvWrite | EvPri | EvRdBand | EvWrBand | EvRdHup | EvAlways
)
