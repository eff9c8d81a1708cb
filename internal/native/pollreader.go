package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Who reads from a connection takes the lock for reading, finds that nothing has come,
// and waits with the lock in its hands. A search lets it wait before the lock instead:
// that is one place to stand at where there were two, and the same one whether
// something comes before it gets there or after. If others read too, each of them may be
// the first to find something in both cases; a deadline makes it take the lock.
//
// Only who does more than read can tell. Who closes the descriptor has to wait for a reader
// inside, and meanwhile the connection is neither open nor closed. Who reads nothing, or
// has itself called back with the number, needs the lock but nothing to come. Who sets a
// deadline keeps those out whom the lock lets in later, but a reader inside may still get
// what comes then. So it is assumed that
// nobody does where another one waits (drive.Views.WaitsBefore). It would turn out, since
// both act on the descriptor, so each is followed before the other.

// A reader is a goroutine that stands before the lock for reading of a connection.
type reader struct {
	k    *kernel.Kernel
	fd   int
	size int // of its buffer
}

// readerOf returns the reader that makes a call of rwlock, if it may wait there. Only Read
// does nothing but take the lock, read and wait: RawRead calls back. And to read nothing is
// not to wait.
func readerOf(c *vm.NativeCall) (reader, bool) {
	if !drive.Of(c.M).WaitsBefore() {
		return reader{}, false
	}
	r, ok := atLock(c)
	return r, ok && !r.k.Faults.Any() && r.k.Streams(r.fd) && !r.k.Blocking(r.fd) && r.k.PollKey(r.fd+1) != 0
}

// atLock returns the reader that makes a call of rwlock in Read, if it reads anything.
func atLock(c *vm.NativeCall) (reader, bool) {
	k := kernelOf(c.M)
	if k == nil || !c.Bool(1) || !c.CalledBy("internal/poll.(*FD).readLock", "internal/poll.(*FD).Read") {
		return reader{}, false
	}
	size := int(c.CallerWord(1, 2)) // of the buffer: word 0 is the receiver, and word 1 where the buffer is
	n := (*int64)(c.M.Heap.Peek(c.Ptr(0)+fdMutexSize, 8))
	if n == nil || size == 0 {
		return reader{}, false
	}
	return reader{k, int(*n), size}, true
}

// ready reports whether there is something to read, or a reason not to wait here.
func (r reader) ready() bool {
	if r.k.PollDeadline(r.fd+1, 'r') != 0 || r.k.PollCheck(r.fd+1, 'r', 0) != 0 {
		return true
	}
	ready, e := r.k.Ready(r.fd, 'r')
	r.k.Failure() // the call itself will say so
	return ready || e != 0
}

// fdLockActs: what the lock is in, and what the read that follows acts on.
func fdLockActs(c *vm.NativeCall, f *effect.Footprint) {
	lock := effect.Whole(numberOfProcess(c.M), c.Ptr(0))
	f.Write(lock)
	f.Wait(lock)
	r, ok := readerOf(c)
	if !ok || r.k.ReadsNear(r.fd, r.size) && r.ready() {
		return
	}
	var room [4]process.Owner
	owners, all := r.k.FarOwners(room[:0], r.fd)
	tokens{f, drive.Of(c.M), r.k, effect.Waits}.add(owners, 0, all)
}

func fdLockIdle(c *vm.NativeCall) drive.Idleness {
	if r, ok := readerOf(c); ok {
		return idleAt(r.k, r.fd)
	}
	return drive.Waits
}

// intrudes notes if the caller, who does more than read, finds others waiting to read from
// the descriptor that its lock is of.
func intrudes(c *vm.NativeCall) {
	if n := (*int64)(c.M.Heap.Peek(c.Ptr(0)+fdMutexSize, 8)); n != nil {
		intrudesAt(c, int(*n))
	}
}

func intrudesAt(c *vm.NativeCall, fd int) {
	if !drive.Of(c.M).WaitsBefore() {
		return
	}
	for o := range drive.Of(c.M).OthersAt(c, rwlock) {
		if r, ok := readerOf(o); ok && r.fd == fd {
			drive.Of(c.M).Intruded()
		}
	}
}
