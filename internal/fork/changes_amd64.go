//go:build linux

package fork

import (
	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// oldChanges are calls that newer architectures have only in another form.
var oldChanges = []intercept.Want{
	{Call: unix.SYS_OPEN, Arg: 1, Bits: writable},
	{Call: unix.SYS_CREAT}, {Call: unix.SYS_RENAME}, {Call: unix.SYS_RENAMEAT}, {Call: unix.SYS_UNLINK}, {Call: unix.SYS_RMDIR}, {Call: unix.SYS_MKDIR},
	{Call: unix.SYS_MKNOD}, {Call: unix.SYS_LINK}, {Call: unix.SYS_SYMLINK},
}
