//go:build linux && !amd64

package peer

// Calls that this processor does not have. A thread that is in no call is in -1.
const (
	sysEpollWait = -2 - iota
	sysPoll
	sysSelect
	sysPause
)
