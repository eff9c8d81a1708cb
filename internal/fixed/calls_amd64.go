//go:build linux

package fixed

import (
	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// Calls that newer processors have only in another form.
const (
	sysArchPrctl = unix.SYS_ARCH_PRCTL
	sysOpen      = unix.SYS_OPEN
	sysTime      = unix.SYS_TIME
	sysEpollWait = unix.SYS_EPOLL_WAIT
	sysPoll      = unix.SYS_POLL
	sysSelect    = unix.SYS_SELECT
	sysAlarm     = unix.SYS_ALARM
)

var (
	oldCalls  = []intercept.Want{{Call: sysArchPrctl}, {Call: sysOpen}, {Call: sysTime}}
	oldWaits  = []intercept.Want{{Call: sysEpollWait, Arg: 3, Except: untimed}, {Call: sysPoll, Arg: 2, Except: untimed}, {Call: sysSelect, Given: 5}}
	oldTimers = []intercept.Want{{Call: sysAlarm}}
)
