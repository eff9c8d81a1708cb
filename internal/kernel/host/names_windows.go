package host

import (
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/windows"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// rootOfDrives stands for the folder that has all drives.
const rootOfDrives = ""

// A drive is an entry of it.
type drive struct{ fs.FileInfo }

func (d drive) Name() string               { return d.FileInfo.Name() }
func (d drive) Type() fs.FileMode          { return fs.ModeDir }
func (d drive) Info() (fs.FileInfo, error) { return d, nil }

// A named is a folder by another name.
type named struct {
	fs.FileInfo
	name string
}

func (n named) Name() string { return n.name }

// drives returns what is in the folder of all drives.
func drives() (list []fs.DirEntry) {
	for c := 'A'; c <= 'Z'; c++ {
		if info, err := os.Stat(string(c) + `:\`); err == nil {
			list = append(list, drive{named{info, string(c) + ":"}})
		}
	}
	if info, err := os.Stat(os.TempDir()); err == nil {
		list = append(list, drive{named{info, "tmp"}})
	}
	return list
}

// hostName returns what the host calls a path of the modelled machine.
func hostName(path string) (string, linux.Errno) { return drivePath(path, os.TempDir()) }

// under returns what the host calls a path that begins in a directory of its own.
func under(dir, path string) (string, linux.Errno) {
	if dir == rootOfDrives {
		return hostName("/" + path)
	}
	if strings.ContainsAny(path, `\:*?"<>|`) {
		return "", linux.ENOENT
	}
	return strings.TrimRight(dir, `\`) + `\` + strings.ReplaceAll(path, "/", `\`), 0
}

// FromHost returns what the modelled machine calls a path of the host.
func FromHost(path string) string { return fromDrive(path) }

// User returns the numbers of the user and of the user's group, of which Windows has none.
func User() (uid, gid int) { return 1000, 1000 }

// more adds what only this system knows of a file.
func more(st *linux.Stat, name string, info fs.FileInfo) {
	uid, gid := User()
	st.Uid, st.Gid = uint32(uid), uint32(gid)
	st.Ino = 1
	p, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return
	}
	const how = windows.FILE_FLAG_BACKUP_SEMANTICS | windows.FILE_FLAG_OPEN_REPARSE_POINT
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(p, 0, share, nil, windows.OPEN_EXISTING, how, 0)
	if err != nil {
		return
	}
	defer windows.CloseHandle(h)
	var id windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(h, &id) == nil {
		st.Dev, st.Ino, st.Nlink = uint64(id.VolumeSerialNumber), uint64(id.FileIndexHigh)<<32|uint64(id.FileIndexLow), uint64(id.NumberOfLinks)
	}
}

// numbers are the errors that programs ask for by name.
var numbers = map[syscall.Errno]linux.Errno{
	windows.ERROR_FILE_NOT_FOUND: linux.ENOENT, windows.ERROR_PATH_NOT_FOUND: linux.ENOENT, windows.ERROR_INVALID_NAME: linux.ENOENT,
	windows.ERROR_BAD_NETPATH: linux.ENOENT, windows.ERROR_ACCESS_DENIED: linux.EACCES, windows.ERROR_SHARING_VIOLATION: linux.EBUSY,
	windows.ERROR_FILE_EXISTS: linux.EEXIST, windows.ERROR_ALREADY_EXISTS: linux.EEXIST, windows.ERROR_DIR_NOT_EMPTY: linux.ENOTEMPTY,
	windows.ERROR_DIRECTORY: linux.ENOTDIR, windows.ERROR_DISK_FULL: linux.ENOSPC, windows.ERROR_BROKEN_PIPE: linux.EPIPE,
	windows.ERROR_NO_DATA: linux.EPIPE, windows.ERROR_INVALID_HANDLE: linux.EBADF, windows.ERROR_PRIVILEGE_NOT_HELD: linux.EPERM,
	windows.ERROR_NOT_SAME_DEVICE: linux.EXDEV, windows.ERROR_FILENAME_EXCED_RANGE: linux.ENAMETOOLONG, windows.ERROR_INVALID_PARAMETER: linux.EINVAL,
	windows.ERROR_NOT_SUPPORTED: linux.EOPNOTSUPP, windows.ERROR_WRITE_PROTECT: linux.EROFS,
}

func errnoOf(e syscall.Errno) linux.Errno { return numbers[e] }
