package limit

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

var memoryStatus = windows.NewLazySystemDLL("kernel32.dll").NewProc("GlobalMemoryStatusEx")

// Machine returns how much memory the machine has, 0 if that cannot be known.
func Machine() int64 {
	var status struct { // MEMORYSTATUSEX
		length, load uint32
		total        uint64
		rest         [6]uint64
	}
	status.length = uint32(unsafe.Sizeof(status))
	if ok, _, _ := memoryStatus.Call(uintptr(unsafe.Pointer(&status))); ok == 0 {
		return 0
	}
	return int64(status.total)
}
