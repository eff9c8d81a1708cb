//go:build unix

package natsqueue

import (
	"os"

	"golang.org/x/sys/unix"
)

// errLocked says that another process has the lock.
const errLocked = unix.EWOULDBLOCK

// lock takes the lock of a file, which ends with the process.
func lock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
