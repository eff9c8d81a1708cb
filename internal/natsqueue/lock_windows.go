package natsqueue

import (
	"os"

	"golang.org/x/sys/windows"
)

// errLocked says that another process has the lock.
const errLocked = windows.ERROR_LOCK_VIOLATION

// lock takes the lock of a file, which ends with the process.
func lock(f *os.File) error {
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	return windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, new(windows.Overlapped))
}
