package host

import (
	"io/fs"
	"syscall"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// more adds what only this system knows of a file.
func more(st *linux.Stat, _ string, info fs.FileInfo) {
	if u, ok := info.Sys().(*syscall.Stat_t); ok {
		st.Dev, st.Ino, st.Nlink, st.Uid, st.Gid, st.Rdev = uint64(u.Dev), u.Ino, uint64(u.Nlink), u.Uid, u.Gid, uint64(u.Rdev)
		st.Blksize, st.Blocks = int64(u.Blksize), u.Blocks
		st.Atim, st.Ctim = linux.NsecToTimespec(u.Atim.Nano()), linux.NsecToTimespec(u.Ctim.Nano())
	}
}

// errnoOf returns the number that an error of the host has in the model: it is the same one.
func errnoOf(e syscall.Errno) linux.Errno { return linux.Errno(e) }
