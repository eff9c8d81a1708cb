package events

import (
	"encoding/binary"
	"math"

	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// An eventFile is the counter behind a descriptor of eventfd(2).
type eventFile struct {
	process.Plain
	k         *Waits
	epoch     uint64
	key       uint64
	ino       uint64
	count     uint64
	semaphore bool // a read takes one
}

const efdSemaphore = 1

// Eventfd makes a counter.
func (k *Waits) Eventfd(initial uint32, flags int) (int, linux.Errno) {
	if flags&^(linux.O_CLOEXEC|linux.O_NONBLOCK|efdSemaphore) != 0 {
		return -1, linux.EINVAL
	}
	f := &eventFile{k: k, epoch: k.Stretch(), key: k.NewKey(), ino: k.NewIno(), count: uint64(initial), semaphore: flags&efdSemaphore != 0}
	return k.Add(f, flags&^efdSemaphore|linux.O_RDWR)
}

func (k *Waits) touchEventFile(f *eventFile) { undo.Save(k.Log, f, &f.epoch) }

func (f *eventFile) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	switch {
	case len(p) < 8:
		return 0, linux.EINVAL
	case f.count == 0:
		return 0, linux.EAGAIN
	}
	f.k.touchEventFile(f)
	n := f.count
	if f.semaphore {
		n = 1
	}
	f.count -= n
	binary.LittleEndian.PutUint64(p, n)
	f.k.WakeFor(f.key, linux.EvOut)
	return 8, 0
}

func (f *eventFile) Write(d *process.Desc, p []byte) (int, linux.Errno) {
	if len(p) != 8 { // Linux before 6.9 takes the first 8 bytes of more
		return 0, linux.EINVAL
	}
	n := binary.LittleEndian.Uint64(p)
	switch {
	case n == math.MaxUint64:
		return 0, linux.EINVAL
	case n > math.MaxUint64-1-f.count:
		return 0, linux.EAGAIN
	}
	f.k.touchEventFile(f)
	f.count += n
	f.k.WakeFor(f.key, linux.EvIn)
	return 8, 0
}

func (f *eventFile) Events() (events uint32) {
	if f.count > 0 {
		events |= linux.EvIn
	}
	if f.count < math.MaxUint64-1 {
		events |= linux.EvOut
	}
	return events
}

func (f *eventFile) WaitKey() uint64 { return f.key }

func (f *eventFile) Stat() (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: 0o600, Nlink: 1, Ino: f.ino, Blksize: 4096}, 0
}

func (f *eventFile) AppendKey(w *keys.Writer) {
	if w.First(f) {
		w.Num(f.count)
		w.Flag(f.semaphore)
	}
}
