package writes

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// calls are the system calls that write to sockets of streams.
var calls = []uint32{unix.SYS_WRITE, unix.SYS_WRITEV, unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDFILE, unix.SYS_SPLICE}

var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Offsets in the kernel's seccomp_data.
const (
	atCall = 0
	atArch = 4
)

// filter lets all calls pass but those that write. The standard descriptors may be sockets, too: those of
// programs that a server starts for a connection.
func filter(arch uint32) []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(op uint16, k uint32, yes, no int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jt: uint8(yes), Jf: uint8(no)}
	}
	end := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	n := len(calls)
	prog := []unix.SockFilter{load(atArch), jump(unix.BPF_JEQ, arch, 0, n+1), load(atCall)}
	for i, nr := range calls {
		prog = append(prog, jump(unix.BPF_JEQ, nr, n-i, 0))
	}
	return append(prog, end(unix.SECCOMP_RET_ALLOW), end(unix.SECCOMP_RET_USER_NOTIF))
}

// Watch puts a filter on the calling thread, which must be locked to its goroutine. It
// holds for that thread and for all processes that it launches from now on: their writes wait until
// somebody who has the descriptor calls [Serve], or until it is closed everywhere, in which case they fail. Where the
// kernel wants it, they can gain no privileges any more by executing a program.
func Watch() (listener int, err error) {
	arch, ok := architectures[runtime.GOARCH]
	if !ok {
		return -1, fmt.Errorf("seccomp: not known for %s", runtime.GOARCH)
	}
	prog := filter(arch)
	fprog := unix.SockFprog{Len: uint16(len(prog)), Filter: &prog[0]}
	install := func(flags uintptr) unix.Errno {
		fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&fprog)))
		listener = int(fd)
		return errno
	}
	// A signal to a thread that waits for us need not disturb the call.
	flags := uintptr(unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV)
	errno := install(flags)
	if errno == unix.EINVAL { // before Linux 5.19
		flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER
		errno = install(flags)
	}
	if errno == unix.EACCES {
		if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
			return -1, fmt.Errorf("no_new_privs: %w", err)
		}
		errno = install(flags)
	}
	runtime.KeepAlive(prog)
	if errno != 0 {
		return -1, fmt.Errorf("seccomp: %w", errno)
	}
	return listener, nil
}
