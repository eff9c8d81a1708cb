//go:build linux

package intercept

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Want is a system call that somebody wants to be told of, always or depending on the lower
// halves of its arguments.
type Want struct {
	Call   uint32
	Arg    int      // the argument
	Values []uint32 // it is one of these
	Bits   uint32   // or has one of these bits
	Except []uint32 // or is none of these
	Given  int      // besides, this argument, counted from 1, is a pointer and not nil
}

var architectures = map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}

// Offsets in the kernel's seccomp_data.
const (
	atCall = 0
	atArch = 4
	atArgs = 16
)

// filter lets all calls pass but those that are wanted.
func filter(arch uint32, wants []Want) []unix.SockFilter {
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	// unless skips some instructions if a comparison fails.
	unless := func(op uint16, k uint32, skip int) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | op | unix.BPF_K, K: k, Jf: uint8(skip)}
	}
	end := func(action uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
	}
	prog := []unix.SockFilter{
		load(atArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: arch, Jt: 1},
		end(unix.SECCOMP_RET_ALLOW),
		load(atCall),
	}
	for i := range wants {
		w := &wants[i]
		var block []unix.SockFilter
		argument := func(n int) { block = append(block, load(atArgs+8*uint32(n))) } // both architectures have the lower half first
		where := func(op uint16, k uint32, action uint32) { block = append(block, unless(op, k, 1), end(action)) }
		if w.Given > 0 {
			argument(w.Given - 1)
			where(unix.BPF_JEQ, 0, unix.SECCOMP_RET_ALLOW)
		}
		last := uint32(unix.SECCOMP_RET_USER_NOTIF)
		if len(w.Values)+len(w.Except) > 0 || w.Bits != 0 {
			argument(w.Arg)
		}
		for _, v := range w.Except {
			where(unix.BPF_JEQ, v, unix.SECCOMP_RET_ALLOW)
		}
		for _, v := range w.Values {
			where(unix.BPF_JEQ, v, unix.SECCOMP_RET_USER_NOTIF)
			last = unix.SECCOMP_RET_ALLOW
		}
		if w.Bits != 0 {
			where(unix.BPF_JSET, w.Bits, unix.SECCOMP_RET_USER_NOTIF)
			last = unix.SECCOMP_RET_ALLOW
		}
		block = append(block, end(last))
		prog = append(prog, unless(unix.BPF_JEQ, w.Call, len(block)))
		prog = append(prog, block...)
	}
	return append(prog, end(unix.SECCOMP_RET_ALLOW))
}

// Install puts a filter on the calling thread, which must be locked to its goroutine. It
// holds for that thread and for all processes that it launches from now on: their calls wait until
// somebody who has the descriptor calls [Server.Serve], or until it is closed everywhere, in which case they fail. Where the
// kernel wants it, they can gain no privileges any more by executing a program.
func Install(wants []Want) (listener int, err error) {
	arch, ok := architectures[runtime.GOARCH]
	if !ok {
		return -1, fmt.Errorf("seccomp: not known for %s", runtime.GOARCH)
	}
	prog := filter(arch, wants)
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
