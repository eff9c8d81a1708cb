// want: violation panic

package main

import (
	"os"
	"path/filepath"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

// How old a file is does not begin anew in a loop that nobody looks at the clock in.
func main() {
	dir, _ := os.MkdirTemp("", "")
	name := filepath.Join(dir, "f")
	os.WriteFile(name, nil, 0o600)
	for verify.Choose(2) == 0 {
		time.Sleep(time.Minute)
	}
	if info, _ := os.Stat(name); time.Since(info.ModTime()) > 3*time.Minute {
		panic("old")
	}
}
