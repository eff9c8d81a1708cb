package process

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A File is what an open file description refers to.
type File interface {
	Read(d *Desc, p []byte) (int, linux.Errno)
	Write(d *Desc, p []byte) (int, linux.Errno)
	Pread(p []byte, off int64) (int, linux.Errno)
	Pwrite(d *Desc, p []byte, off int64) (int, linux.Errno)
	Seek(d *Desc, off int64, whence int) (int64, linux.Errno)
	Stat() (linux.Stat, linux.Errno)
	Getdents(d *Desc, p []byte) (int, linux.Errno)
	Change(c host.Change) linux.Errno
	SetFlags(flags int) linux.Errno
	Close() linux.Errno
	AppendKey(w *keys.Writer) // what tells its state from others
}

// A Pollable is a file for which a call may have to wait.
type Pollable interface {
	Events() uint32             // those that it has now
	Known(events uint32) uint32 // those of them that the program can know of
	Hears(events uint32) bool   // whether a change that brings such events is one of this file
	WaitKey() uint64            // what a wait for it is known by
}

// A shared file is one that others can act on from somewhere else: see Own.
type shared interface {
	SetOwner(o Owner)
	// Others lists the owners of what calls on the file act on besides itself. Near tells that only the near end of a
	// connection matters. All is set if that is not known of one of them, or if they are not all that matters.
	Others(list []Owner, near bool) (owners []Owner, all bool)
}

// Plain has what most files answer to the calls that are not for them.
type Plain struct{}

func (Plain) Read(*Desc, []byte) (int, linux.Errno)          { return 0, linux.EINVAL }
func (Plain) Write(*Desc, []byte) (int, linux.Errno)         { return 0, linux.EINVAL }
func (Plain) Pread([]byte, int64) (int, linux.Errno)         { return 0, linux.ESPIPE }
func (Plain) Pwrite(*Desc, []byte, int64) (int, linux.Errno) { return 0, linux.ESPIPE }
func (Plain) Seek(*Desc, int64, int) (int64, linux.Errno)    { return 0, linux.ESPIPE }
func (Plain) Getdents(*Desc, []byte) (int, linux.Errno)      { return 0, linux.ENOTDIR }
func (Plain) Change(host.Change) linux.Errno                 { return linux.EINVAL }
func (Plain) SetFlags(int) linux.Errno                       { return 0 }
func (Plain) Close() linux.Errno                             { return 0 }
func (Plain) Known(events uint32) uint32                     { return events }
func (Plain) Hears(uint32) bool                              { return true }

// Events returns the events of an open file. A file on which no call waits can
// always be read and written.
func (d *Desc) Events() uint32 {
	if f, ok := d.File.(Pollable); ok {
		return f.Events()
	}
	return linux.EvRead | linux.EvWrite
}

// Known returns those of its events that the program can know of.
func (d *Desc) Known(events uint32) uint32 {
	if f, ok := d.File.(Pollable); ok {
		return f.Known(events)
	}
	return events
}

// Key is that of the object behind an open file, 0 if calls on it never have to wait.
func (d *Desc) Key() uint64 {
	if f, ok := d.File.(Pollable); ok {
		return f.WaitKey()
	}
	return 0
}
