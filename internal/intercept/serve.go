//go:build linux

package intercept

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Call is a system call that a thread is about to do.
type Call struct {
	At     time.Time // when it was heard of
	To     time.Time // when it was made, at the latest
	From   time.Time // and at the earliest
	Thread int
	Number int32
	Args   [6]uint64
}

// An Answer says what becomes of a call. The zero value lets it go on.
type Answer struct {
	kind  answerKind
	value int64
	fd    int
	exec  bool // fd is closed when a program is executed
}

type answerKind uint8

const (
	goOn answerKind = iota
	done
	opened
)

// Done answers a call in place of the kernel: with what it returns, or with the negative number of
// an error.
func Done(value int64) Answer { return Answer{kind: done, value: value} }

// Opened answers a call by a descriptor of ours, which the caller gets a copy of. Ours is closed.
func Opened(fd int, closeOnExec bool) Answer { return Answer{kind: opened, fd: fd, exec: closeOnExec} }

// A notification is the kernel's seccomp_notif.
type notification struct {
	id    uint64
	pid   uint32 // of the thread
	flags uint32
	call  int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

// A response is the kernel's seccomp_notif_resp.
type response struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// An addition is the kernel's seccomp_notif_addfd.
type addition struct {
	id    uint64
	flags uint32
	ours  uint32
	its   uint32
	fd    uint32 // flags of the descriptor
}

// A Server has the calls answered that are told at a listener.
type Server struct {
	listener int
	busy     atomic.Bool
}

// NewServer returns one for a listener.
func NewServer(listener int) *Server { return &Server{listener: listener} }

// Idle reports whether no call waits for an answer. Whoever makes one seems to wait in it already.
func (s *Server) Idle() bool {
	fds := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return n == 0 && err == nil && !s.busy.Load() // in this order: a call that was taken from the queue meanwhile was there
}

// Serve has calls answered, one after the other, until stop, a descriptor, can be read from or nobody
// is left who could make one.
func (s *Server) Serve(stop int, answer func(*Call) Answer) {
	listener := s.listener
	unix.IoctlSetInt(listener, unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP) // faster, since Linux 6.6
	var turn turn
	defer turn.close()
	var last Call
	var sent time.Time // when that was answered
	for {
		s.busy.Store(false)
		wait := turn.listen()
		fds := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}, {Fd: int32(stop), Events: unix.POLLIN}}
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		} else if err != nil || fds[1].Revents != 0 || fds[0].Revents&unix.POLLIN == 0 {
			return
		}
		s.busy.Store(true)
		from, to, before := wait.made(time.Now())
		var n notification
		if ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)) != 0 {
			continue // it was killed meanwhile
		}
		c := Call{At: time.Now(), To: to, From: from, Thread: int(n.pid), Number: n.call, Args: n.args}
		switch {
		case before && c.Thread == last.Thread:
			c.From = sent
		case before && last.Thread != 0:
			c.From = last.To
		}
		a := answer(&c)
		last, sent = c, time.Now()
		send(listener, n.id, a)
	}
}

// send answers a call. Whoever was killed meanwhile needs no answer.
func send(listener int, id uint64, a Answer) {
	r := response{id: id}
	switch a.kind {
	case goOn:
		r.flags = unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE
	case done:
		if r.value = a.value; a.value < 0 {
			r.value, r.errno = 0, int32(a.value)
		}
	case opened:
		defer unix.Close(a.fd)
		// In two steps: if a signal of Go's scheduler interrupts the one that does both, the call returns 0 and nothing is opened.
		add := addition{id: id, ours: uint32(a.fd)}
		if a.exec {
			add.fd = unix.O_CLOEXEC
		}
		fd, errno := result(listener, unix.SECCOMP_IOCTL_NOTIF_ADDFD, unsafe.Pointer(&add))
		if r.value = int64(fd); errno != 0 {
			r.value, r.errno = 0, -int32(errno)
		}
	}
	ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r))
}

func ioctl(fd int, request uint, p unsafe.Pointer) unix.Errno {
	_, errno := result(fd, request, p)
	return errno
}

// result is ioctl, with what that returns. Signals, of Go's scheduler say, do not disturb it.
func result(fd int, request uint, p unsafe.Pointer) (int, unix.Errno) {
	for {
		n, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(p))
		if errno != unix.EINTR {
			return int(n), errno
		}
	}
}

// Process returns the process of the thread, and that process' parent. It is 0 if the thread has ended.
func (c *Call) Process() (pid, parent int) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", c.Thread))
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		key, value, _ := strings.Cut(s.Text(), ":")
		switch key {
		case "Tgid":
			pid, _ = strconv.Atoi(strings.TrimSpace(value))
		case "PPid":
			parent, _ = strconv.Atoi(strings.TrimSpace(value))
			return pid, parent
		}
	}
	return pid, parent
}

// Read reads memory of the caller.
func (c *Call) Read(at uint64, b []byte) bool {
	if len(b) == 0 {
		return true
	}
	n, err := unix.ProcessVMReadv(c.Thread, local(b), remote(at, b), 0)
	return err == nil && n == len(b)
}

// Write writes to memory of the caller.
func (c *Call) Write(at uint64, b []byte) bool {
	if len(b) == 0 {
		return true
	}
	n, err := unix.ProcessVMWritev(c.Thread, local(b), remote(at, b), 0)
	return err == nil && n == len(b)
}

func local(b []byte) []unix.Iovec { return []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}} }

func remote(at uint64, b []byte) []unix.RemoteIovec {
	return []unix.RemoteIovec{{Base: uintptr(at), Len: len(b)}}
}

// Borrow returns a descriptor of the caller.
func (c *Call) Borrow(fd int) (int, error) {
	const thread = unix.O_EXCL // PIDFD_THREAD, since Linux 6.9
	p, err := unix.PidfdOpen(c.Thread, thread)
	if err != nil {
		pid, _ := c.Process()
		if p, err = unix.PidfdOpen(pid, 0); err != nil {
			return -1, err
		}
	}
	defer unix.Close(p)
	return unix.PidfdGetfd(p, fd, 0)
}
