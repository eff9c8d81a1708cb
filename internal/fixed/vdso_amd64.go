//go:build linux

package fixed

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// call is the code that makes a system call with the arguments of the function it stands in.
func call(nr uint32) []byte {
	code := binary.LittleEndian.AppendUint32([]byte{0xb8}, nr) // mov eax, nr
	return append(code, 0x0f, 0x05, 0xc3)                      // syscall; ret
}

// refuse is the code that returns an error.
func refuse(e unix.Errno) []byte {
	code := binary.LittleEndian.AppendUint32([]byte{0xb8}, -uint32(e)) // mov eax, -e
	return append(code, 0x48, 0x98, 0xc3)                              // cdqe; ret
}

// replaced are the functions of the vDSO that tell time and random numbers. Who asks for the latter there is told that
// there are none, and makes a system call.
var replaced = map[string][]byte{
	"__vdso_clock_gettime": call(unix.SYS_CLOCK_GETTIME),
	"__vdso_gettimeofday":  call(unix.SYS_GETTIMEOFDAY),
	"__vdso_time":          call(sysTime),
	"__vdso_getrandom":     refuse(unix.ENOSYS),
}

// Supported says why processes cannot be made to repeat themselves on this processor, if so.
func Supported() error { return nil }
