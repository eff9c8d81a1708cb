//go:build linux

package peer

import "golang.org/x/sys/unix"

// Calls that newer processors have only in another form.
const (
	sysEpollWait = unix.SYS_EPOLL_WAIT
	sysPoll      = unix.SYS_POLL
	sysSelect    = unix.SYS_SELECT
	sysPause     = unix.SYS_PAUSE
)
