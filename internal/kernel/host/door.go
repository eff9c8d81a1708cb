// Package host is the only way from the modelled machine to the one that Heddle runs on: its files and its standard
// streams. It knows nothing of the model, and of no state: what is done through a [Door] is done.
package host

import "github.com/heddle-mc/heddle/internal/kernel/linux"

// A Door is the only way out of a kernel: to the host's files and standard
// streams. Tests put doors of their own here, to inject faults.
//
// A path is relative to dir, which is a directory that the same door opened, or
// absolute if dir is nil.
type Door interface {
	// Std returns a standard stream: 0 input, 1 output, 2 errors.
	Std(fd int) File

	// Open opens or creates a file, with flags and mode as open(2) has them.
	Open(dir File, path string, flags int, mode uint32) (File, linux.Errno)

	// Stat describes a file, or the symbolic link itself if follow is false.
	Stat(dir File, path string, follow bool) (linux.Stat, linux.Errno)

	// Readlink returns what a symbolic link points to.
	Readlink(dir File, path string) (string, linux.Errno)

	// Access checks permissions as faccessat2(2) does.
	Access(dir File, path string, mode uint32, flags int) linux.Errno

	// Change alters the host's files. Only kernels with Options.Through call it.
	Change(c Change) linux.Errno
}

// A File is an open file of the host.
type File interface {
	Read(p []byte) (int, linux.Errno)
	Write(p []byte) (int, linux.Errno)
	ReadAt(p []byte, off int64) (int, linux.Errno)
	WriteAt(p []byte, off int64) (int, linux.Errno)
	Lseek(off int64, whence int) (int64, linux.Errno)
	Stat() (linux.Stat, linux.Errno)
	Getdents(p []byte) (int, linux.Errno) // records as getdents64(2) gives them
	Change(c Change) linux.Errno          // of the open file: Chmod, Chown, Times, Truncate, Sync, Flags
	Close() linux.Errno
}

// A ChangeOp is a way to alter the file system.
type ChangeOp uint8

const (
	Mkdir    ChangeOp = iota + 1 // Path, Mode
	Unlink                       // Path
	Rmdir                        // Path
	Rename                       // Path to To, Flags as renameat2(2)
	Link                         // Path to To, Flags as linkat(2)
	Symlink                      // To becomes a link to Path
	Chmod                        // Path, Mode
	Chown                        // Path, UID, GID, -1 leaves one as it is
	Times                        // Path, Atime, Mtime, OmitTime leaves one as it is
	Truncate                     // Path, Size
	Mknod                        // Path, Mode
	Sync                         // of an open file
	Flags                        // of an open file: Mode is what F_SETFL sets
)

// OmitTime in a Change leaves a time as it is.
const OmitTime = -1 << 63

// A Change is one alteration of the file system.
type Change struct {
	Op       ChangeOp
	Dir      File // of Path; nil for absolute paths
	Path     string
	ToDir    File // of To
	To       string
	Mode     uint32
	UID, GID int
	Size     int64
	Atime    int64 // nanoseconds since 1970
	Mtime    int64
	NoFollow bool // act on a symbolic link itself
	Flags    int
}
