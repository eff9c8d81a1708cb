package limit

import (
	"bufio"
	"bytes"
	"os"
	"strconv"
	"strings"
)

// Machine returns how much memory there is for this process, 0 if that cannot be known: that of the machine, or what the group of processes
// may take.
func Machine() int64 {
	all := int64(0)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
			if f := strings.Fields(s.Text()); len(f) == 3 && f[0] == "MemTotal:" {
				kib, _ := strconv.ParseInt(f[1], 10, 64)
				all = kib << 10
			}
		}
	}
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(file); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && (all == 0 || n < all) {
				all = n
			}
		}
	}
	return all
}
