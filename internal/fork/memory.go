//go:build linux

package fork

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// private reports an error if a process shares memory that can be written.
func private(pid int) error {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/maps")
	if err != nil {
		return err
	}
	for line := range bytes.Lines(data) {
		// address perms offset dev inode name
		f := bytes.Fields(line)
		if len(f) >= 2 && len(f[1]) == 4 && f[1][1] == 'w' && f[1][3] == 's' {
			return fmt.Errorf("it shares memory: %s", f[0])
		}
	}
	return nil
}

// timers reports an error if a process has a timer, which a copy would not have.
func (t *Template) timers() error {
	at := t.regs.scratch()
	for which := range uint64(3) { // ITIMER_REAL, VIRTUAL, PROF
		result, _, err := t.inject(t.pid, unix.SYS_GETITIMER, which, at)
		if err != nil {
			return err
		}
		now, ok := readWords(t.pid, at, 4)
		if result < 0 || !ok {
			return fmt.Errorf("its timers cannot be seen")
		}
		if now[2] != 0 || now[3] != 0 {
			return fmt.Errorf("it has a timer")
		}
	}
	data, err := os.ReadFile("/proc/" + strconv.Itoa(t.pid) + "/timers")
	if err == nil && len(data) > 0 {
		return fmt.Errorf("it has a timer")
	}
	return nil
}

// tidAddress returns where the C library keeps the number of the thread, which a copy needs to have right. The kernel knows, since it
// clears it when the thread ends; but not all libraries have the number there.
func (t *Template) tidAddress() uint64 {
	at := t.regs.scratch()
	result, _, err := t.inject(t.pid, unix.SYS_PRCTL, unix.PR_GET_TID_ADDRESS, at)
	if err != nil || result < 0 {
		return 0
	}
	where, ok := readWords(t.pid, at, 1)
	if !ok {
		return 0
	}
	tid, ok := readWords(t.pid, where[0], 1)
	if !ok || int32(tid[0]) != int32(t.pid) {
		return 0
	}
	return where[0]
}

// A robustList is where a thread keeps the locks that the kernel returns when it ends.
type robustList struct{ head, size uint64 }

func robustListOf(pid int) (l robustList) {
	_, _, errno := unix.Syscall(unix.SYS_GET_ROBUST_LIST, uintptr(pid), uintptr(unsafe.Pointer(&l.head)), uintptr(unsafe.Pointer(&l.size)))
	if errno != 0 {
		return robustList{}
	}
	return l
}

// readWords reads words of the memory of a process.
func readWords(pid int, at uint64, n int) ([]uint64, bool) {
	b := make([]byte, 8*n)
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	remote := []unix.RemoteIovec{{Base: uintptr(at), Len: len(b)}}
	if got, err := unix.ProcessVMReadv(pid, local, remote, 0); err != nil || got != len(b) {
		return nil, false
	}
	words := make([]uint64, n)
	for i := range words {
		words[i] = binary.NativeEndian.Uint64(b[8*i:])
	}
	return words, true
}
