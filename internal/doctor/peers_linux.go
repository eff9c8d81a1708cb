package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// peersLine is about live peers: processes of one's own have to be looked at, and for -pieces, -fixed and -copies
// stopped and copied.
func peersLine(ctx context.Context) Line {
	return judge(look(ctx), stop(), trace(ctx))
}

// judge says what is not there, by the errors of three trials.
func judge(look, stop, trace error) Line {
	var missing []string
	if look != nil {
		missing = append(missing, fmt.Sprintf("processes cannot be looked at (%v): -delay 100ms waits instead", look))
	}
	if stop != nil {
		missing = append(missing, fmt.Sprintf("system calls cannot be stopped (seccomp: %v): give -pieces=false -fixed=false", stop))
	}
	if trace != nil {
		missing = append(missing, fmt.Sprintf("processes cannot be copied (ptrace: %v): do not give -copies; in a container, --cap-add=SYS_PTRACE allows it", trace))
	}
	if len(missing) > 0 {
		return Line{"peers", false, "live peers are not what they could be", strings.Join(missing, "; ")}
	}
	return ok("peers", "live peers can be looked at (/proc), stopped (seccomp) and copied (ptrace)")
}

// child starts a process that waits, and calls f with its number.
func child(ctx context.Context, f func(pid int) error) error {
	cmd := exec.CommandContext(ctx, "sh", "-c", "read x")
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	}()
	return f(cmd.Process.Pid)
}

// look reads which system call a child is in.
func look(ctx context.Context) error {
	return child(ctx, func(pid int) error {
		_, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", pid))
		return err
	})
}

// stop asks whether system calls of others can be answered.
func stop() error {
	action := uint32(unix.SECCOMP_RET_USER_NOTIF)
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action))); e != 0 {
		return e
	}
	return nil
}

// trace attaches to a child, which is not stopped, and goes away again when the child is killed.
func trace(ctx context.Context) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return child(ctx, func(pid int) error {
		return unix.PtraceSeize(pid)
	})
}
