package progcache

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// buildID identifies the running binary by content, so that programs compiled
// by another build of it are not found. It is the build ID that the go command
// stores in binaries or, without one, the hash of the file. It is "" if the
// binary cannot be read.
var buildID = sync.OnceValue(func() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	if id := goBuildID(name); id != "" {
		return id
	}
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
})

// goBuildID returns the contents of the ELF note with the go build ID, or "".
func goBuildID(name string) string {
	f, err := elf.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	section := f.Section(".note.go.buildid")
	if section == nil {
		return ""
	}
	note, err := section.Data()
	if err != nil || len(note) < 32 {
		return ""
	}
	return string(note[16:])
}

// BuildID identifies the running binary by content, "" if that is not known.
func BuildID() string { return buildID() }
