package execute

import (
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A watchedDoor remembers whether anybody has looked at files of the host.
type watchedDoor struct {
	host.Real
	looked bool
}

// Open implements host.Door.
func (d *watchedDoor) Open(dir host.File, path string, flags int, mode uint32) (host.File, linux.Errno) {
	d.looked = true
	return d.Real.Open(dir, path, flags, mode)
}

// Stat implements host.Door.
func (d *watchedDoor) Stat(dir host.File, path string, follow bool) (linux.Stat, linux.Errno) {
	d.looked = true
	return d.Real.Stat(dir, path, follow)
}

// Readlink implements host.Door.
func (d *watchedDoor) Readlink(dir host.File, path string) (string, linux.Errno) {
	d.looked = true
	return d.Real.Readlink(dir, path)
}

// Access implements host.Door.
func (d *watchedDoor) Access(dir host.File, path string, mode uint32, flags int) linux.Errno {
	d.looked = true
	return d.Real.Access(dir, path, mode, flags)
}
