package kernel

// A Door is the only way out of a kernel: to the host's files and standard
// streams. Tests put doors of their own here, to inject faults.
//
// A path is relative to dir, which is a directory that the same door opened, or
// absolute if dir is nil.
type Door interface {
	// Std returns a standard stream: 0 input, 1 output, 2 errors.
	Std(fd int) HostFile

	// Open opens or creates a file, with flags and mode as open(2) has them.
	Open(dir HostFile, path string, flags int, mode uint32) (HostFile, Errno)

	// Stat describes a file, or the symbolic link itself if follow is false.
	Stat(dir HostFile, path string, follow bool) (Stat, Errno)

	// Readlink returns what a symbolic link points to.
	Readlink(dir HostFile, path string) (string, Errno)

	// Access checks permissions as faccessat2(2) does.
	Access(dir HostFile, path string, mode uint32, flags int) Errno

	// Change alters the host's files. Only kernels with Options.Through call it.
	Change(c Change) Errno
}

// A HostFile is an open file of the host.
type HostFile interface {
	Read(p []byte) (int, Errno)
	Write(p []byte) (int, Errno)
	ReadAt(p []byte, off int64) (int, Errno)
	WriteAt(p []byte, off int64) (int, Errno)
	Lseek(off int64, whence int) (int64, Errno)
	Stat() (Stat, Errno)
	Getdents(p []byte) (int, Errno) // records as getdents64(2) gives them
	Change(c Change) Errno          // of the open file: Chmod, Chown, Times, Truncate, Sync, Flags
	Close() Errno
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
	Dir      HostFile // of Path; nil for absolute paths
	Path     string
	ToDir    HostFile // of To
	To       string
	Mode     uint32
	UID, GID int
	Size     int64
	Atime    int64 // nanoseconds since 1970
	Mtime    int64
	NoFollow bool // act on a symbolic link itself
	Flags    int
}
