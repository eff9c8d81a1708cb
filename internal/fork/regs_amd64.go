//go:build linux

package fork

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"
)

// Registers are those of a process that was stopped in a system call.
type registers struct {
	unix.PtraceRegs
	known bool
}

// waiting reads the registers of a process that was interrupted, and reports an error if it was not in a
// system call that can be made again.
func (r *registers) waiting(pid int) error {
	if err := unix.PtraceGetRegs(pid, &r.PtraceRegs); err != nil {
		return fmt.Errorf("ptrace: %w", err)
	}
	// What the kernel has in store for the process, which never sees the first four.
	const restartSys, restartNoIntr, restartNoHand, restartBlock = -512, -513, -514, -516
	switch int64(r.Rax) {
	case restartSys, restartNoIntr, restartNoHand, restartBlock, -int64(unix.EINTR):
	default:
		return errors.New("it does not wait in a system call")
	}
	var code [2]byte
	if _, err := unix.PtracePeekText(pid, uintptr(r.Rip-2), code[:]); err != nil || code != [2]byte{0x0f, 0x05} || int64(r.Orig_rax) < 0 {
		return errors.New("it does not wait in a system call")
	}
	r.known = true
	return nil
}

// call sets the registers so that the process makes a call when it goes on.
func (r *registers) call(pid int, call uintptr, args ...uint64) error {
	now := r.PtraceRegs
	now.Rip -= 2
	now.Rax, now.Orig_rax = uint64(call), ^uint64(0) // the last: no call is to be made again by the kernel
	for i, a := range args {
		*[]*uint64{&now.Rdi, &now.Rsi, &now.Rdx, &now.R10, &now.R8, &now.R9}[i] = a
	}
	return unix.PtraceSetRegs(pid, &now)
}

// again sets the registers so that the process makes the call in which it waited.
func (r *registers) again(pid int) error {
	now := r.PtraceRegs
	now.Rip -= 2
	now.Rax, now.Orig_rax = r.Orig_rax, ^uint64(0)
	return unix.PtraceSetRegs(pid, &now)
}

// scratch is where the process has memory that it does not use: below its stack.
func (r *registers) scratch() uint64 { return (r.Rsp - 1024) &^ 63 }

// result64 returns what a call has returned.
func result64(pid int) (int64, error) {
	var now unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &now); err != nil {
		return 0, fmt.Errorf("ptrace: %w", err)
	}
	return int64(now.Rax), nil
}
