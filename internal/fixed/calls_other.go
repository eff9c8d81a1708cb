//go:build linux && !amd64

package fixed

import "github.com/heddle-mc/heddle/internal/intercept"

// Calls that this processor does not have.
const (
	sysArchPrctl = -1 - iota
	sysOpen
	sysTime
	sysEpollWait
	sysPoll
	sysSelect
	sysAlarm
)

var oldCalls, oldWaits, oldTimers []intercept.Want
