// want: violation panic

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// The same by system calls.
func main() {
	dir, _ := os.MkdirTemp("", "")
	name := filepath.Join(dir, "f")
	os.WriteFile(name, []byte("a"), 0o600)
	var first, now syscall.Stat_t
	syscall.Stat(name, &first)
	for syscall.Stat(name, &now); now.Mtim == first.Mtim; syscall.Stat(name, &now) {
		os.Truncate(name, 0)
	}
	panic("it has changed")
}
