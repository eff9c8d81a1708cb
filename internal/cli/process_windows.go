package cli

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// cpuTime returns the time of all processors that this process has taken.
func cpuTime() time.Duration {
	var made, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &made, &ended, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) } // of 100 ns
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}

var memoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// peakBytes returns the most memory that this process has held at once, 0 if that is not known.
func peakBytes() int64 {
	var info struct { // PROCESS_MEMORY_COUNTERS
		size, faults uint32
		peak         uintptr
		rest         [7]uintptr
	}
	info.size = uint32(unsafe.Sizeof(info))
	if ok, _, _ := memoryInfo.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&info)), uintptr(info.size)); ok == 0 {
		return 0
	}
	return int64(info.peak)
}

// columns returns how many columns a terminal has, 0 if that is not known.
func columns(fd uintptr) int {
	var info windows.ConsoleScreenBufferInfo
	if windows.GetConsoleScreenBufferInfo(windows.Handle(fd), &info) != nil {
		return 0
	}
	return int(info.Window.Right-info.Window.Left) + 1
}

// isConsole reports whether an open file is a terminal that understands what colours and moves of the cursor look like elsewhere.
func isConsole(fd uintptr) bool {
	var mode uint32
	if windows.GetConsoleMode(windows.Handle(fd), &mode) != nil {
		return false
	}
	if columns(fd) == 0 {
		return true // the keyboard
	}
	const ansi = windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING
	return mode&ansi != 0 || windows.SetConsoleMode(windows.Handle(fd), mode|ansi) == nil
}
