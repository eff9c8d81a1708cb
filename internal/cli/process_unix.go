//go:build unix

package cli

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime returns the time of all processors that this process has taken.
func cpuTime() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// columns returns how many columns a terminal has, 0 if that is not known.
func columns(fd uintptr) int {
	size, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil {
		return 0
	}
	return int(size.Col)
}

// isConsole reports whether an open file is a terminal.
func isConsole(fd uintptr) bool {
	_, err := unix.IoctlGetTermios(int(fd), getTermios)
	return err == nil
}
