package native

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/events"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The border between a program and its operating system is the system call, as
// on a host: package syscall, internal/syscall/unix and golang.org/x/sys/unix
// are interpreted, and their few assembly functions end here, in a table by
// number. Addresses in arguments are heap pointers.

// A sys is one system call in progress.
type sys struct {
	c       *vm.NativeCall
	k       *kernel.Kernel
	num     uint64
	a       [6]uint64  // arguments
	r1      uint64     // result, 0 unless set
	way     int        // which of the ways it can go; see syscallways.go
	portion int        // how many bytes it transfers at most, 0 for all
	out     vm.Outcome // if not vm.Done, what the native returns instead of a result
}

// A handler does one system call. It leaves its result in r1 or sets out.
type handler func(s *sys) linux.Errno

// handlers are the system calls by number.
var handlers [512]handler

// handle enters system calls in the table.
func handle(calls map[int]handler) {
	for num, h := range calls {
		handlers[num] = h
	}
}

// system makes a native of the system call border. Word 0 is the number; n
// arguments follow. With errors, the results are r1, r2 and the error number;
// without, r1 and r2.
func system(n int, errors bool) vm.Native {
	return func(c *vm.NativeCall) vm.Outcome {
		s := sys{c: c, k: kernelOf(c.M), num: c.Word(0)}
		for i := range n {
			s.a[i] = c.Word(1 + i)
		}
		e := s.do()
		if s.out != vm.Done && s.out != vm.Yield {
			return s.out
		}
		if e != 0 {
			s.r1 = ^uint64(0)
		}
		c.Set(0, s.r1)
		c.Set(1, 0)
		if errors {
			c.Set(2, uint64(e))
		}
		return s.out
	}
}

// do executes the call and wakes those whose wait it has ended.
func (s *sys) do() linux.Errno {
	if s.k == nil {
		return s.refuse("system call without an operating system")
	}
	var h handler
	if s.num < uint64(len(handlers)) {
		h = handlers[s.num]
	}
	if h == nil {
		return s.refuse(fmt.Sprintf("system call %d (%s)", s.num, sysName(s.num)))
	}
	s.k.As(drive.BirthOf(s.c.G))
	raw := s.c.M.Driven() && !s.kept()
	if s.k.Raw(raw); raw {
		s.tellsNumbers()
	}
	var e linux.Errno
	done := false
	if s.c.M.Driven() {
		e, done = s.choose()
	}
	if !done {
		s.k.Choose(s.way)
		e = h(s)
	}
	if s.k.Made() {
		drive.Of(s.c.M).Made(s.c.G)
	}
	if s.k.Advanced() {
		drive.Of(s.c.M).Advance()
	}
	if r := s.k.Received(); r.N > 0 {
		drive.Of(s.c.M).Receive(r.N, r.Onwards)
	}
	if err := s.k.Failure(); err != nil {
		s.out = s.c.Incomplete(err)
		return e
	}
	if what := s.k.Refused(); what != "" {
		return s.refuse(what)
	}
	wakeAll(s.c.M, s.k)
	return e
}

// wakeAll wakes the goroutines whose waits for the kernel may be over. They look
// again.
func wakeAll(m *vm.Machine, k *kernel.Kernel) {
	keys := k.Woken()
	for _, key := range keys {
		m.Wake(waitObj(key), -1)
	}
	if len(keys) > 0 {
		m.Wake(waitObj(events.AnyKey), -1)
	}
}

// waitObj is what a goroutine that waits for the kernel parks on: a pointer into
// object 0, which no other wait has.
func waitObj(key uint64) mem.Ptr { return mem.Ptr(key) }

// refuse ends the run because the call is not supported.
func (s *sys) refuse(what string) linux.Errno {
	s.out = s.c.Unsupported(what)
	return linux.ENOSYS
}

// absent is for calls whose callers know how to do without.
func absent(*sys) linux.Errno { return linux.ENOSYS }

// succeed is for calls without effect on the modelled system.
func succeed(*sys) linux.Errno { return 0 }

// fd and num are arguments as the int that they are in C.
func (s *sys) fd(i int) int  { return int(int32(s.a[i])) }
func (s *sys) int(i int) int { return int(int64(s.a[i])) }

// in returns n bytes at the address in argument i, to be read.
func (s *sys) in(i int, n uint64) ([]byte, linux.Errno) { return s.inAt(s.a[i], n) }

func (s *sys) inAt(addr, n uint64) ([]byte, linux.Errno) {
	if n > mem.MaxSize {
		return nil, linux.EFAULT
	}
	b, ok := s.c.M.Heap.Bytes(mem.Ptr(addr), uint32(n))
	if !ok {
		return nil, linux.EFAULT
	}
	return b, 0
}

// outAt returns n bytes at an address, to be written.
func (s *sys) outAt(addr, n uint64) ([]byte, linux.Errno) {
	if n > mem.MaxSize {
		return nil, linux.EFAULT
	}
	b, ok := s.c.M.Heap.WriteBytes(mem.Ptr(addr), uint32(n))
	if !ok {
		return nil, linux.EFAULT
	}
	return b, 0
}

// str returns the NUL-terminated string at the address in argument i.
func (s *sys) str(i int) (string, linux.Errno) {
	p := mem.Ptr(s.a[i])
	size := uint64(s.c.M.Heap.Size(p.Obj()))
	if off := uint64(p.Off()); off < size {
		b, e := s.inAt(uint64(p), size-off)
		if e != 0 {
			return "", e
		}
		if n := bytes.IndexByte(b, 0); n >= 0 {
			return string(b[:n]), 0
		}
	}
	return "", linux.EFAULT
}

// put writes words to memory as little-endian 64-bit numbers.
func (s *sys) put(addr uint64, words ...uint64) linux.Errno {
	b, e := s.outAt(addr, uint64(8*len(words)))
	if e != 0 {
		return e
	}
	for i, w := range words {
		binary.LittleEndian.PutUint64(b[8*i:], w)
	}
	return 0
}

// get reads n words.
func (s *sys) get(addr uint64, n int) ([]uint64, linux.Errno) {
	b, e := s.inAt(addr, uint64(8*n))
	if e != 0 {
		return nil, e
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return words, 0
}

// park makes the call wait; it will be made again.
func (s *sys) park(key uint64) {
	wakeAll(s.c.M, s.k)
	s.c.Park("syscall", waitObj(key), s.k.NextExpiry())
	s.out = vm.Again
}

// wait parks the goroutine if the call failed for want of data or room on a
// blocking descriptor. It will be made again.
func (s *sys) wait(fd int, e linux.Errno) linux.Errno {
	if e == linux.EAGAIN && s.k.Blocking(fd) {
		if s.k.TimeLimited(fd) {
			return s.refuse("a call that has to wait, with a time limit (SO_RCVTIMEO or SO_SNDTIMEO)")
		}
		if key := s.k.WaitKey(fd); key != 0 {
			s.park(key)
		}
	}
	return e
}

func init() {
	register(NoBody, "the system call border: dispatches by number into the modelled operating system", map[string]vm.Native{
		"internal/runtime/syscall/linux.Syscall6": system(6, true),
		"syscall.runtime_doAllThreadsSyscall":     system(6, true),
	})
	registerVisible(NoBody, "the system call border, for calls that do not fail", map[string]vm.Native{
		"syscall.rawSyscallNoError":               system(3, false),
		"golang.org/x/sys/unix.SyscallNoError":    system(3, false),
		"golang.org/x/sys/unix.RawSyscallNoError": system(3, false),
	})
	registerVisible(Speed, "the system call border; the body would only tell the scheduler", map[string]vm.Native{
		"syscall.Syscall":     system(3, true),
		"syscall.Syscall6":    system(6, true),
		"syscall.RawSyscall":  system(3, true),
		"syscall.RawSyscall6": system(6, true),

		"golang.org/x/sys/unix.Syscall":     system(3, true),
		"golang.org/x/sys/unix.Syscall6":    system(6, true),
		"golang.org/x/sys/unix.RawSyscall":  system(3, true),
		"golang.org/x/sys/unix.RawSyscall6": system(6, true),
	})
	register(NoBody, "the machine has no threads to hand over", map[string]vm.Native{
		"syscall.runtime_entersyscall": nop,
		"syscall.runtime_exitsyscall":  nop,
	})
}
