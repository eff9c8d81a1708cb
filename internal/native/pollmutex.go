package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An fdMutex of package internal/poll guards a descriptor: a count of its users,
// a lock for reading, one for writing, and whether it is closed. Its operations
// are natives for the reasons that those of a Mutex are. The counts of waiters,
// which its state also has, are not used: those who wait park on the address of
// a semaphore.
type fdMutex struct {
	state        uint64
	rsema, wsema uint32
}

const (
	fdMutexSize  = 16
	fdMutexRsema = 8
	fdMutexWsema = 12

	fdClosed  = 1 << 0
	fdRLock   = 1 << 1
	fdWLock   = 1 << 2
	fdRef     = 1 << 3
	fdRefMask = (1<<20 - 1) << 3
)

func fdm(c *vm.NativeCall) *fdMutex {
	return (*fdMutex)(c.M.Heap.Write(c.Ptr(0), fdMutexSize))
}

// rwlock is the name of the native that takes a lock.
const rwlock = "(*internal/poll.fdMutex).rwlock"

// last reports whether the last user of a closed descriptor has gone.
func (mu *fdMutex) last() bool { return mu.state&(fdClosed|fdRefMask) == fdClosed }

// side returns the lock bit and the address to wait at for reading or writing,
// as word 1 says.
func side(c *vm.NativeCall) (bit uint64, sema mem.Ptr) {
	if c.Bool(1) {
		return fdRLock, c.Ptr(0) + fdMutexRsema
	}
	return fdWLock, c.Ptr(0) + fdMutexWsema
}

// own tells the kernel who owns the descriptor: an fdMutex is the beginning of an
// FD, in which the number follows.
func own(c *vm.NativeCall) {
	k := kernelOf(c.M)
	if k == nil || !c.M.Driven() {
		return
	}
	if fd := (*int64)(c.M.Heap.Peek(c.Ptr(0)+fdMutexSize, 8)); fd != nil {
		k.Own(int(*fd), uint64(c.Ptr(0)))
	}
}

func fdIncref(c *vm.NativeCall) vm.Outcome {
	mu := fdm(c)
	switch {
	case mu == nil:
		return c.PanicNil()
	case mu.state&fdClosed != 0:
		c.SetBool(0, false)
		return vm.Done
	case mu.state&fdRefMask == fdRefMask:
		return c.PanicString(fdOverflow)
	}
	mu.state += fdRef
	own(c)
	c.SetBool(0, true)
	return vm.Done
}

const (
	fdOverflow     = "too many concurrent operations on a single file or socket (max 1048575)"
	fdInconsistent = "inconsistent poll.fdMutex"
)

// fdIncrefAndClose marks the descriptor as closed. Those who wait for its locks
// will see that.
func fdIncrefAndClose(c *vm.NativeCall) vm.Outcome {
	mu := fdm(c)
	switch {
	case mu == nil:
		return c.PanicNil()
	case mu.state&fdClosed != 0:
		c.SetBool(0, false)
		return vm.Done
	case mu.state&fdRefMask == fdRefMask:
		return c.PanicString(fdOverflow)
	}
	mu.state = (mu.state | fdClosed) + fdRef
	own(c)
	intrudes(c)
	c.M.Wake(c.Ptr(0)+fdMutexRsema, -1)
	c.M.Wake(c.Ptr(0)+fdMutexWsema, -1)
	c.SetBool(0, true)
	return vm.Done
}

func fdDecref(c *vm.NativeCall) vm.Outcome {
	mu := fdm(c)
	switch {
	case mu == nil:
		return c.PanicNil()
	case mu.state&fdRefMask == 0:
		return c.PanicString(fdInconsistent)
	}
	mu.state -= fdRef
	c.SetBool(0, mu.last())
	return vm.Done
}

func fdLock(c *vm.NativeCall) vm.Outcome {
	mu := fdm(c)
	bit, sema := side(c)
	switch {
	case mu == nil:
		return c.PanicNil()
	case mu.state&fdClosed != 0:
		c.SetBool(0, false)
		return vm.Done
	case mu.state&fdRefMask == fdRefMask:
		return c.PanicString(fdOverflow)
	case mu.state&bit != 0:
		return park(c, "semacquire", sema)
	}
	mu.state = (mu.state | bit) + fdRef
	own(c)
	if _, ok := readerOf(c); bit == fdRLock && !ok {
		intrudes(c)
	}
	c.SetBool(0, true)
	return vm.Done
}

func fdUnlock(c *vm.NativeCall) vm.Outcome {
	mu := fdm(c)
	bit, sema := side(c)
	switch {
	case mu == nil:
		return c.PanicNil()
	case mu.state&bit == 0 || mu.state&fdRefMask == 0:
		return c.PanicString(fdInconsistent)
	}
	mu.state = mu.state&^bit - fdRef
	c.SetBool(0, mu.last())
	c.M.Wake(sema, 1)
	return vm.Done
}

// A method of an FD takes a reference first and gives it back last. The calls in
// between follow that: the method is one operation, unless it has to wait. That
// somebody else closes the descriptor in the middle is the same as before or
// after, as far as the two can tell.

// inMethod is for what is called in the middle of such methods only.
func inMethod(*vm.NativeCall) bool { return true }

// fdLockReady: the lock is free, and there is something to read if it is for that, or the
// descriptor is closed.
func fdLockReady(c *vm.NativeCall) bool {
	mu := (*fdMutex)(c.M.Heap.Peek(c.Ptr(0), fdMutexSize))
	bit, _ := side(c)
	switch {
	case mu == nil || mu.state&fdClosed != 0:
		return true
	case mu.state&bit != 0:
		return false
	}
	r, ok := readerOf(c)
	return !ok || r.ready()
}

func init() {
	registerVisible(Canonical, "one step an operation, on the memory of internal/poll/fd_mutex.go", map[string]vm.Native{
		"(*internal/poll.fdMutex).incref":         fdIncref,
		"(*internal/poll.fdMutex).increfAndClose": fdIncrefAndClose,
		"(*internal/poll.fdMutex).decref":         fdDecref,
		rwlock:                                    fdLock,
		"(*internal/poll.fdMutex).rwunlock":       fdUnlock,
	})
	operations[rwlock] = drive.Operation{Ready: fdLockReady, Acts: fdLockActs, Idle: fdLockIdle, Unordered: unorderedMethod}
	operations["(*internal/poll.fdMutex).incref"] = drive.Operation{Unordered: unorderedMethod}
	operations["(*internal/poll.fdMutex).increfAndClose"] = drive.Operation{Unordered: unorderedClose}
	operations["(*internal/poll.fdMutex).rwunlock"] = drive.Operation{Follows: inMethod}
	operations["(*internal/poll.fdMutex).decref"] = drive.Operation{Follows: inMethod}
	operations["internal/poll.runtime_Semacquire"] = drive.Operation{Ready: semaReady, Follows: inMethod}
	operations["internal/poll.runtime_Semrelease"] = drive.Operation{Follows: inMethod}
}
