package cli

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// getTermios is the request that only terminals answer.
const getTermios = unix.TCGETS

// peakBytes returns the most memory that this program has held at once, 0 if that is not known. What getrusage tells is no less than what the process held
// that started it.
func peakBytes() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	return peakIn(string(text))
}

// peakIn finds it in a text of the kernel.
func peakIn(status string) int64 {
	for line := range strings.Lines(status) {
		if text, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}
