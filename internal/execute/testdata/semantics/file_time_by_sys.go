// want: violation panic

package main

import (
	"os"
	"path/filepath"
	"syscall"
)

// The same by what the system has told.
func main() {
	dir, _ := os.MkdirTemp("", "")
	name := filepath.Join(dir, "f")
	os.WriteFile(name, []byte("a"), 0o600)
	changed := func() syscall.Timespec {
		info, _ := os.Stat(name)
		switch st := info.Sys().(type) {
		case *syscall.Stat_t:
			return st.Ctim
		}
		return syscall.Timespec{}
	}
	first := changed()
	for first == changed() {
		os.Chmod(name, 0o400)
	}
	panic("it has changed")
}
