// want: verified

package main

import (
	"os"
	"path/filepath"
	"time"
)

// A time that the program has set stays, and a later change is later.
func main() {
	dir, _ := os.MkdirTemp("", "")
	name := filepath.Join(dir, "f")
	os.WriteFile(name, nil, 0o600)
	modTime := func() time.Time {
		info, _ := os.Stat(name)
		return info.ModTime()
	}
	began := time.Now()
	old := began.Add(-time.Hour)
	os.Chtimes(name, old, old)
	if got := modTime(); !got.Equal(old) || !got.Equal(modTime()) {
		panic("it has changed")
	}
	time.Sleep(time.Second)
	os.WriteFile(name, nil, 0o600)
	if got := modTime(); !got.After(began) || got.After(time.Now()) {
		panic("not the time of the change")
	}
}
