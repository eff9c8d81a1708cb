package cli

import "golang.org/x/sys/unix"

// getTermios is the request that only terminals answer.
const getTermios = unix.TIOCGETA

// peakBytes returns the most memory that this process has held at once, 0 if that is not known.
func peakBytes() int64 {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return u.Maxrss
}
