//go:build linux

package fork

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A Template is a process that is frozen.
type Template struct {
	pid   int
	regs  registers // those of the call in which it waits
	files []file
	tid   uint64 // where the C library keeps the number of the thread, or 0
	list  robustList
}

// errGone is the error of a process that has ended.
var errGone = errors.New("the process has ended")

// Freeze stops a process that waits in a system call. If it cannot be copied, it goes on, and the error says why.
func Freeze(pid int) (_ *Template, err error) {
	if n := threads(pid); n != 1 {
		return nil, fmt.Errorf("it has %d threads", n)
	}
	if err := seize(pid); err != nil {
		return nil, fmt.Errorf("ptrace: %w", err)
	}
	t := &Template{pid: pid}
	defer func() {
		if err != nil {
			t.release()
		}
	}()
	if err := unix.PtraceInterrupt(pid); err != nil {
		return nil, fmt.Errorf("ptrace: %w", err)
	}
	if err := t.stopped(); err != nil {
		return nil, err
	}
	if err := t.regs.waiting(pid); err != nil {
		return nil, err
	}
	// What is there now stays as it is: nobody else runs in this process.
	if err := private(pid); err != nil {
		return nil, err
	}
	if err := t.timers(); err != nil {
		return nil, err
	}
	if t.files, err = filesOf(pid); err != nil {
		return nil, err
	}
	t.tid = t.tidAddress()
	t.list = robustListOf(pid)
	return t, nil
}

// seize begins to trace a process. If the tracer ends, it is killed.
func seize(pid int) error {
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACESYSGOOD
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, options, 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}

// stopped waits until a process that was interrupted has stopped.
func (t *Template) stopped() error {
	status, err := wait(t.pid)
	if err != nil {
		return err
	}
	if int(status)>>16 != unix.PTRACE_EVENT_STOP {
		unix.PtraceCont(t.pid, int(status.StopSignal())) // it gets its signal
		return fmt.Errorf("it has got a signal: %v", status.StopSignal())
	}
	return nil
}

// wait waits until a process stops.
func wait(pid int) (status unix.WaitStatus, err error) {
	for {
		_, err = unix.Wait4(pid, &status, unix.WALL, nil)
		switch {
		case err == unix.EINTR:
		case err != nil:
			return status, fmt.Errorf("wait: %w", err)
		case !status.Stopped():
			return status, errGone
		default:
			return status, nil
		}
	}
}

// release lets the process go on to wait.
func (t *Template) release() {
	if t.regs.known {
		t.regs.again(t.pid)
	}
	unix.PtraceDetach(t.pid)
}

// syscallStop is what a process stops with before a system call and after it.
const syscallStop = unix.SIGTRAP | 0x80

// inject has a stopped process make a system call. It returns the process that it has made, too, if it has.
func (t *Template) inject(pid int, call uintptr, args ...uint64) (result int64, child int, err error) {
	if err := t.regs.call(pid, call, args...); err != nil {
		return 0, 0, err
	}
	for stops := 0; stops < 2; {
		if err := unix.PtraceSyscall(pid, 0); err != nil {
			return 0, child, fmt.Errorf("ptrace: %w", err)
		}
		status, err := wait(pid)
		if err != nil {
			return 0, child, err
		}
		switch {
		case status.StopSignal() == syscallStop:
			stops++
		case int(status)>>16 == unix.PTRACE_EVENT_FORK:
			n, err := unix.PtraceGetEventMsg(pid)
			if err != nil {
				return 0, child, err
			}
			child = int(n)
		default: // a signal, which is for one who does not run any more
		}
	}
	result, err = result64(pid)
	return result, child, err
}

// Copy returns a new process, which waits where the template does. It is a child of the template's parent,
// the first of a session, and is killed when the thread that is its parent ends.
func (t *Template) Copy() (pid int, err error) {
	if err := t.unchanged(); err != nil {
		return 0, err
	}
	flags := uint64(unix.CLONE_PARENT | uint64(unix.SIGCHLD))
	if t.tid != 0 {
		flags |= unix.CLONE_CHILD_SETTID | unix.CLONE_CHILD_CLEARTID
	}
	result, pid, err := t.inject(t.pid, unix.SYS_CLONE, flags, 0, 0, t.tid)
	switch {
	case err != nil:
		return 0, err
	case result < 0:
		return 0, fmt.Errorf("clone: %w", unix.Errno(-result))
	case pid == 0:
		return 0, errors.New("clone: the new process was not seen")
	}
	if err := t.launch(pid); err != nil {
		unix.Kill(pid, unix.SIGKILL)
		return 0, err
	}
	return pid, nil
}

// launch lets a new process go on to wait.
func (t *Template) launch(pid int) error {
	if _, err := wait(pid); err != nil {
		return err
	}
	for _, c := range []struct {
		call uintptr
		args []uint64
	}{
		{unix.SYS_PRCTL, []uint64{unix.PR_SET_PDEATHSIG, uint64(unix.SIGKILL)}},
		{unix.SYS_SETSID, nil},
		{unix.SYS_SET_ROBUST_LIST, []uint64{t.list.head, t.list.size}},
	} {
		if c.call == unix.SYS_SET_ROBUST_LIST && t.list.head == 0 {
			continue
		}
		result, _, err := t.inject(pid, c.call, c.args...)
		if err != nil {
			return err
		}
		if result < 0 {
			return fmt.Errorf("call %d: %w", c.call, unix.Errno(-result))
		}
	}
	if err := t.regs.again(pid); err != nil {
		return err
	}
	if err := unix.PtraceDetach(pid); err != nil {
		return fmt.Errorf("ptrace: %w", err)
	}
	return nil
}

// threads returns how many threads a process has.
func threads(pid int) int {
	entries, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	return len(entries)
}
