// want: verified

package main

import (
	"os"
	"path/filepath"
	"time"
)

// A loop that writes a file and looks at its size comes back to a state: nobody asks when it was written.
func main() {
	dir, _ := os.MkdirTemp("", "")
	name := filepath.Join(dir, "f")
	for {
		os.WriteFile(name, []byte("a"), 0o600)
		if info, _ := os.Stat(name); info.Size() != 1 {
			panic("size")
		}
		if data, _ := os.ReadFile(name); len(data) != 1 {
			panic("content")
		}
		time.Sleep(time.Second)
	}
}
