package limit

import "golang.org/x/sys/unix"

// Machine returns how much memory the machine has, 0 if that cannot be known.
func Machine() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int64(n)
}
