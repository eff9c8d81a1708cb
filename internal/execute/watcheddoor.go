package execute

import "github.com/heddle-mc/heddle/internal/kernel"

// A watchedDoor remembers whether anybody has looked at files of the host.
type watchedDoor struct {
	kernel.HostDoor
	looked bool
}

// Open implements kernel.Door.
func (d *watchedDoor) Open(dir kernel.HostFile, path string, flags int, mode uint32) (kernel.HostFile, kernel.Errno) {
	d.looked = true
	return d.HostDoor.Open(dir, path, flags, mode)
}

// Stat implements kernel.Door.
func (d *watchedDoor) Stat(dir kernel.HostFile, path string, follow bool) (kernel.Stat, kernel.Errno) {
	d.looked = true
	return d.HostDoor.Stat(dir, path, follow)
}

// Readlink implements kernel.Door.
func (d *watchedDoor) Readlink(dir kernel.HostFile, path string) (string, kernel.Errno) {
	d.looked = true
	return d.HostDoor.Readlink(dir, path)
}

// Access implements kernel.Door.
func (d *watchedDoor) Access(dir kernel.HostFile, path string, mode uint32, flags int) kernel.Errno {
	d.looked = true
	return d.HostDoor.Access(dir, path, mode, flags)
}
