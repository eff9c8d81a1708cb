// want: verified

package main

import (
	"os"
	"path/filepath"
)

// Who waits for another to change a file sees that.
func main() {
	dir, _ := os.MkdirTemp("", "")
	name := filepath.Join(dir, "f")
	os.WriteFile(name, nil, 0o600)
	first, _ := os.Stat(name)
	seen := first.ModTime()
	done := make(chan bool)
	go func() {
		os.WriteFile(name, nil, 0o600)
		done <- true
	}()
	for {
		if now, _ := os.Stat(name); now.ModTime().After(seen) {
			break
		}
	}
	<-done
}
