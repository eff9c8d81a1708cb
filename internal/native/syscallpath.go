package native

import (
	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// System calls on paths. Those without a directory descriptor are the same as
// those with one, relative to the working directory.

func (s *sys) open(dirfd, path, flags int, mode uint64) linux.Errno {
	name, e := s.str(path)
	if e != 0 {
		return e
	}
	return s.fdResult(s.k.Openat(dirfd, name, flags, uint32(mode)))
}

func (s *sys) stat(dirfd, path int, addr uint64, flags int) linux.Errno {
	name, e := s.str(path)
	if e != 0 {
		return e
	}
	st, e := s.k.Statat(dirfd, name, flags)
	return s.putStat(addr, st, e)
}

func (s *sys) access(dirfd, path int, mode uint64, flags int) linux.Errno {
	name, e := s.str(path)
	if e != 0 {
		return e
	}
	return s.k.Faccessat(dirfd, name, uint32(mode), flags)
}

func (s *sys) readlink(dirfd, path int, addr, n uint64) linux.Errno {
	name, e := s.str(path)
	if e != 0 {
		return e
	}
	target, e := s.k.Readlinkat(dirfd, name)
	if e != 0 {
		return e
	}
	b, e := s.outAt(addr, min(n, uint64(len(target))))
	s.r1 = uint64(copy(b, target))
	return e
}

// change alters a file. The path is in argument path.
func (s *sys) change(dirfd, path int, c host.Change) linux.Errno {
	var e linux.Errno
	if c.Path, e = s.str(path); e != 0 {
		return e
	}
	return s.k.Changeat(c, dirfd, files.AtCwd)
}

// change2 is change with a second path.
func (s *sys) change2(dirfd, path, todirfd, to int, c host.Change) linux.Errno {
	var e linux.Errno
	if c.Path, e = s.str(path); e != 0 {
		return e
	}
	if c.To, e = s.str(to); e != 0 {
		return e
	}
	return s.k.Changeat(c, dirfd, todirfd)
}

func sysUnlinkat(s *sys) linux.Errno {
	op := host.Unlink
	if s.fd(2)&files.AtRemoveDir != 0 {
		op = host.Rmdir
	}
	return s.change(s.fd(0), 1, host.Change{Op: op})
}

// sysMknodat makes regular files only. A named pipe would have to be modelled:
// opening one waits for the other end.
func sysMknodat(s *sys) linux.Errno {
	mode := uint32(s.a[2])
	if mode&linux.S_IFMT == linux.S_IFIFO {
		return s.refuse("named pipe (system call mknodat)")
	}
	return s.change(s.fd(0), 1, host.Change{Op: host.Mknod, Mode: mode})
}

func sysFchownat(s *sys) linux.Errno {
	c := host.Change{Op: host.Chown, UID: s.fd(2), GID: s.fd(3), NoFollow: s.fd(4)&files.AtSymlinkNoFollow != 0}
	return s.change(s.fd(0), 1, c)
}

// Values of the nanoseconds in utimensat(2) that are not times.
const (
	utimeNow  = 1<<30 - 1
	utimeOmit = 1<<30 - 2
)

func sysUtimensat(s *sys) linux.Errno {
	now := s.k.FileTime()
	c := host.Change{Op: host.Times, Atime: now, Mtime: now, NoFollow: s.fd(3)&files.AtSymlinkNoFollow != 0}
	if s.a[2] != 0 {
		w, e := s.get(s.a[2], 4)
		if e != 0 {
			return e
		}
		for i, t := range []*int64{&c.Atime, &c.Mtime} {
			switch sec, nsec := int64(w[2*i]), int64(w[2*i+1]); {
			case nsec == utimeOmit:
				*t = host.OmitTime
			case nsec != utimeNow:
				*t = sec*nanos + nsec
			}
		}
	}
	if s.a[1] == 0 {
		return s.k.Fchange(s.fd(0), c)
	}
	return s.change(s.fd(0), 1, c)
}

func sysChdir(s *sys) linux.Errno {
	name, e := s.str(0)
	if e != 0 {
		return e
	}
	return s.k.Chdir(name)
}

func sysGetcwd(s *sys) linux.Errno {
	dir := s.k.Getcwd()
	n := uint64(len(dir)) + 1
	switch {
	case n > 4096:
		return linux.ENAMETOOLONG
	case n > s.a[1]:
		return linux.ERANGE
	}
	b, e := s.outAt(s.a[0], n)
	if e != 0 {
		return e
	}
	b[copy(b, dir)] = 0
	s.r1 = n
	return 0
}

func init() {
	const cwd, noFollow = files.AtCwd, files.AtSymlinkNoFollow
	handle(map[int]handler{
		linux.SYS_OPENAT:     func(s *sys) linux.Errno { return s.open(s.fd(0), 1, s.fd(2), s.a[3]) },
		linux.SYS_OPEN:       func(s *sys) linux.Errno { return s.open(cwd, 0, s.fd(1), s.a[2]) },
		linux.SYS_NEWFSTATAT: func(s *sys) linux.Errno { return s.stat(s.fd(0), 1, s.a[2], s.fd(3)) },
		linux.SYS_STAT:       func(s *sys) linux.Errno { return s.stat(cwd, 0, s.a[1], 0) },
		linux.SYS_LSTAT:      func(s *sys) linux.Errno { return s.stat(cwd, 0, s.a[1], noFollow) },
		linux.SYS_FACCESSAT:  func(s *sys) linux.Errno { return s.access(s.fd(0), 1, s.a[2], 0) },
		linux.SYS_FACCESSAT2: func(s *sys) linux.Errno { return s.access(s.fd(0), 1, s.a[2], s.fd(3)) },
		linux.SYS_ACCESS:     func(s *sys) linux.Errno { return s.access(cwd, 0, s.a[1], 0) },
		linux.SYS_READLINKAT: func(s *sys) linux.Errno { return s.readlink(s.fd(0), 1, s.a[2], s.a[3]) },
		linux.SYS_READLINK:   func(s *sys) linux.Errno { return s.readlink(cwd, 0, s.a[1], s.a[2]) },

		linux.SYS_MKDIRAT: func(s *sys) linux.Errno {
			return s.change(s.fd(0), 1, host.Change{Op: host.Mkdir, Mode: uint32(s.a[2])})
		},
		linux.SYS_MKDIR: func(s *sys) linux.Errno {
			return s.change(cwd, 0, host.Change{Op: host.Mkdir, Mode: uint32(s.a[1])})
		},
		linux.SYS_MKNODAT:  sysMknodat,
		linux.SYS_UNLINKAT: sysUnlinkat,
		linux.SYS_UNLINK:   func(s *sys) linux.Errno { return s.change(cwd, 0, host.Change{Op: host.Unlink}) },
		linux.SYS_RMDIR:    func(s *sys) linux.Errno { return s.change(cwd, 0, host.Change{Op: host.Rmdir}) },
		linux.SYS_RENAMEAT2: func(s *sys) linux.Errno {
			return s.change2(s.fd(0), 1, s.fd(2), 3, host.Change{Op: host.Rename, Flags: s.fd(4)})
		},
		linux.SYS_RENAMEAT: func(s *sys) linux.Errno {
			return s.change2(s.fd(0), 1, s.fd(2), 3, host.Change{Op: host.Rename})
		},
		linux.SYS_RENAME: func(s *sys) linux.Errno {
			return s.change2(cwd, 0, cwd, 1, host.Change{Op: host.Rename})
		},
		linux.SYS_LINKAT: func(s *sys) linux.Errno {
			return s.change2(s.fd(0), 1, s.fd(2), 3, host.Change{Op: host.Link, Flags: s.fd(4)})
		},
		linux.SYS_LINK: func(s *sys) linux.Errno { return s.change2(cwd, 0, cwd, 1, host.Change{Op: host.Link}) },
		linux.SYS_SYMLINKAT: func(s *sys) linux.Errno {
			return s.change2(cwd, 0, s.fd(1), 2, host.Change{Op: host.Symlink})
		},
		linux.SYS_SYMLINK: func(s *sys) linux.Errno {
			return s.change2(cwd, 0, cwd, 1, host.Change{Op: host.Symlink})
		},
		linux.SYS_FCHMODAT: func(s *sys) linux.Errno {
			return s.change(s.fd(0), 1, host.Change{Op: host.Chmod, Mode: uint32(s.a[2])})
		},
		linux.SYS_FCHMODAT2: func(s *sys) linux.Errno {
			c := host.Change{Op: host.Chmod, Mode: uint32(s.a[2]), NoFollow: s.fd(3)&noFollow != 0}
			return s.change(s.fd(0), 1, c)
		},
		linux.SYS_CHMOD: func(s *sys) linux.Errno {
			return s.change(cwd, 0, host.Change{Op: host.Chmod, Mode: uint32(s.a[1])})
		},
		linux.SYS_FCHOWNAT: sysFchownat,
		linux.SYS_LCHOWN: func(s *sys) linux.Errno {
			return s.change(cwd, 0, host.Change{Op: host.Chown, UID: s.fd(1), GID: s.fd(2), NoFollow: true})
		},
		linux.SYS_CHOWN: func(s *sys) linux.Errno {
			return s.change(cwd, 0, host.Change{Op: host.Chown, UID: s.fd(1), GID: s.fd(2)})
		},
		linux.SYS_TRUNCATE: func(s *sys) linux.Errno {
			return s.change(cwd, 0, host.Change{Op: host.Truncate, Size: int64(s.a[1])})
		},
		linux.SYS_UTIMENSAT: sysUtimensat,
		linux.SYS_CHDIR:     sysChdir,
		linux.SYS_FCHDIR:    func(s *sys) linux.Errno { return s.k.Fchdir(s.fd(0)) },
		linux.SYS_GETCWD:    sysGetcwd,
		linux.SYS_UMASK: func(s *sys) linux.Errno {
			s.r1 = uint64(s.k.Umask(uint32(s.a[0])))
			return 0
		},
		linux.SYS_OPENAT2: absent,
	})
}
