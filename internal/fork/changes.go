//go:build linux

package fork

import (
	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// writable are the flags of a file that is opened to be changed, or made.
const writable = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC

// Names are the calls by which a process gets to know its number, and uses it. A copy has another one than it remembers.
var Names = []intercept.Want{{Call: unix.SYS_GETPID}, {Call: unix.SYS_KILL}, {Call: unix.SYS_TGKILL}}

// Changes are the calls by which a process changes what others find: files, and what is shared by a number. A process that is
// started anew may begin by clearing what an earlier one has left. A copy does not begin, so who makes such calls is not to be copied.
var Changes = append([]intercept.Want{
	{Call: unix.SYS_OPENAT, Arg: 2, Bits: writable},
	{Call: unix.SYS_OPENAT2},
	{Call: unix.SYS_RENAMEAT2}, {Call: unix.SYS_UNLINKAT}, {Call: unix.SYS_MKDIRAT}, {Call: unix.SYS_MKNODAT},
	{Call: unix.SYS_LINKAT}, {Call: unix.SYS_SYMLINKAT}, {Call: unix.SYS_TRUNCATE},
	{Call: unix.SYS_SHMGET}, {Call: unix.SYS_SEMGET}, {Call: unix.SYS_MSGGET}, {Call: unix.SYS_MQ_OPEN},
}, oldChanges...)
