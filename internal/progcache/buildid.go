package progcache

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"io"
	"os"
	"sync"
)

// BuildID identifies the running binary by content, so that programs compiled
// by another build of it are not found. It is the build ID that the go command
// stores in binaries or, without one, the hash of the file.
var BuildID = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	if id := goBuildID(name); id != "" {
		return id, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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
