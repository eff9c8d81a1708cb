package host

import (
	"io/fs"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// more adds what only this system knows of a file.
func more(st *linux.Stat, _ string, info fs.FileInfo) {
	if u, ok := info.Sys().(*syscall.Stat_t); ok {
		st.Dev, st.Ino, st.Nlink, st.Uid, st.Gid, st.Rdev = uint64(u.Dev), u.Ino, uint64(u.Nlink), u.Uid, u.Gid, uint64(u.Rdev)
		st.Blksize, st.Blocks = int64(u.Blksize), u.Blocks
		st.Atim, st.Ctim = linux.NsecToTimespec(u.Atimespec.Nano()), linux.NsecToTimespec(u.Ctimespec.Nano())
	}
}

// byName has the numbers of errors by their names, which are the same on all systems of this kind.
var byName = sync.OnceValue(func() map[string]linux.Errno {
	all := map[string]linux.Errno{"EWOULDBLOCK": linux.EAGAIN, "ENOTSUP": linux.EOPNOTSUPP}
	for e := linux.Errno(1); e < 200; e++ {
		if name := e.Name(); name != "" {
			all[name] = e
		}
	}
	return all
})

func errnoOf(e syscall.Errno) linux.Errno { return byName()[unix.ErrnoName(e)] }
