//go:build unix

package host

import (
	"io/fs"
	"os"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// rootOfDrives is no name here.
const rootOfDrives = "\x00"

func drives() []fs.DirEntry { return nil }

// hostName returns what the host calls a path of the modelled machine.
func hostName(path string) (string, linux.Errno) { return path, 0 }

// under returns what the host calls a path that begins in a directory of its own.
func under(dir, path string) (string, linux.Errno) { return dir + "/" + path, 0 }

// FromHost returns what the modelled machine calls a path of the host.
func FromHost(path string) string { return path }

// User returns the numbers of the user and of the user's group.
func User() (uid, gid int) { return os.Getuid(), os.Getgid() }
