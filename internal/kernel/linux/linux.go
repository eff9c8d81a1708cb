// Package linux has the words that all parts of the modelled operating system share: error numbers, what stat tells, and
// the flags and events that package syscall lacks. It does nothing.
package linux

import "syscall"

// An Errno is a Linux error number; 0 is success.
type Errno = syscall.Errno

// A Stat is what the stat family of calls fills in.
type Stat = syscall.Stat_t

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
