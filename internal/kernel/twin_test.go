package kernel

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// calls is the part of the kernel that the twin test drives: the same sequence
// of calls goes to the host itself and to kernels, and must have the same
// results.
type calls interface {
	Openat(dirfd int, name string, flags int, mode uint32) (int, linux.Errno)
	Close(fd int) linux.Errno
	Read(fd int, p []byte) (int, linux.Errno)
	Write(fd int, p []byte) (int, linux.Errno)
	Pread(fd int, p []byte, off int64) (int, linux.Errno)
	Pwrite(fd int, p []byte, off int64) (int, linux.Errno)
	Seek(fd int, off int64, whence int) (int64, linux.Errno)
	Fstat(fd int) (linux.Stat, linux.Errno)
	Statat(dirfd int, name string, flags int) (linux.Stat, linux.Errno)
	Readlinkat(dirfd int, name string) (string, linux.Errno)
	Changeat(c host.Change, dirfd, todirfd int) linux.Errno
	Fchange(fd int, c host.Change) linux.Errno
	Getdents(fd int, p []byte) (int, linux.Errno)
	Dup(fd, min int, cloexec bool) (int, linux.Errno)
	Pipe2(flags int) (r, w int, e linux.Errno)
	Fcntl(fd, cmd, arg int) (int, linux.Errno)
	Chdir(name string) linux.Errno
	Getcwd() string
}

// realHost is the real thing, in the directory of the test process. Descriptors are
// translated so that they do not depend on what that has open.
type realHost struct{ fds map[int]int }

// failed returns the number of a system call's error.
func failed(err error) linux.Errno {
	e, _ := err.(syscall.Errno)
	return linux.Errno(e)
}

func (h *realHost) fd(fd int) int {
	if fd == files.AtCwd {
		return files.AtCwd
	}
	if real, ok := h.fds[fd]; ok {
		return real
	}
	return 1 << 20
}

func (h *realHost) enter(real int, err error) (int, linux.Errno) {
	if err != nil {
		return -1, failed(err)
	}
	for fd := 3; ; fd++ {
		if _, used := h.fds[fd]; !used {
			h.fds[fd] = real
			return fd, 0
		}
	}
}

// Chdir changes the directory of the test process itself.
func (h *realHost) Chdir(name string) linux.Errno { return failed(unix.Chdir(name)) }

func (h *realHost) Getcwd() string {
	dir, _ := syscall.Getwd()
	return dir
}

func (h *realHost) Openat(dirfd int, name string, flags int, mode uint32) (int, linux.Errno) {
	return h.enter(unix.Openat(h.fd(dirfd), name, flags, mode))
}

func (h *realHost) Close(fd int) linux.Errno {
	e := failed(unix.Close(h.fd(fd)))
	delete(h.fds, fd)
	return e
}

func (h *realHost) Read(fd int, p []byte) (int, linux.Errno)  { return host.FD(h.fd(fd)).Read(p) }
func (h *realHost) Write(fd int, p []byte) (int, linux.Errno) { return host.FD(h.fd(fd)).Write(p) }
func (h *realHost) Pread(fd int, p []byte, off int64) (int, linux.Errno) {
	return host.FD(h.fd(fd)).ReadAt(p, off)
}
func (h *realHost) Pwrite(fd int, p []byte, off int64) (int, linux.Errno) {
	return host.FD(h.fd(fd)).WriteAt(p, off)
}
func (h *realHost) Seek(fd int, off int64, whence int) (int64, linux.Errno) {
	return host.FD(h.fd(fd)).Lseek(off, whence)
}
func (h *realHost) Fstat(fd int) (linux.Stat, linux.Errno) { return host.FD(h.fd(fd)).Stat() }
func (h *realHost) Statat(dirfd int, name string, flags int) (linux.Stat, linux.Errno) {
	return (&host.Real{}).Stat(host.FD(h.fd(dirfd)), name, flags&files.AtSymlinkNoFollow == 0)
}
func (h *realHost) Readlinkat(dirfd int, name string) (string, linux.Errno) {
	buf := make([]byte, 4096)
	n, err := unix.Readlinkat(h.fd(dirfd), name, buf)
	return string(buf[:max(n, 0)]), failed(err)
}
func (h *realHost) Changeat(c host.Change, dirfd, todirfd int) linux.Errno {
	if dirfd != files.AtCwd {
		c.Dir = host.FD(h.fd(dirfd))
	}
	if todirfd != files.AtCwd {
		c.ToDir = host.FD(h.fd(todirfd))
	}
	return (&host.Real{}).Change(c)
}
func (h *realHost) Fchange(fd int, c host.Change) linux.Errno { return host.FD(h.fd(fd)).Change(c) }
func (h *realHost) Getdents(fd int, p []byte) (int, linux.Errno) {
	return host.FD(h.fd(fd)).Getdents(p)
}
func (h *realHost) Dup(fd, min int, cloexec bool) (int, linux.Errno) {
	return h.enter(unix.Dup(h.fd(fd)))
}
func (h *realHost) Pipe2(flags int) (r, w int, e linux.Errno) {
	var p [2]int
	if err := unix.Pipe2(p[:], flags); err != nil {
		return -1, -1, failed(err)
	}
	r, _ = h.enter(p[0], nil)
	w, _ = h.enter(p[1], nil)
	return r, w, 0
}
func (h *realHost) Fcntl(fd, cmd, arg int) (int, linux.Errno) {
	n, err := unix.FcntlInt(uintptr(h.fd(fd)), cmd, arg)
	return n, failed(err)
}

// stage makes a directory with some files for a program to start from.
func stage(t testing.TB, root string) {
	t.Helper()
	for _, err := range []error{
		os.Mkdir(filepath.Join(root, "d"), 0o755),
		os.WriteFile(filepath.Join(root, "a"), []byte("hello, host"), 0o644),
		os.WriteFile(filepath.Join(root, "d", "b"), []byte(strings.Repeat("0123456789", 100)), 0o600),
		os.Symlink("d/b", filepath.Join(root, "l")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// show prints what of a Stat must be the same everywhere.
func show(st linux.Stat, e linux.Errno) string {
	if e != 0 {
		return e.Error()
	}
	size := st.Size
	if st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
		size = 0
	}
	return fmt.Sprintf("%o %d links %d bytes", st.Mode, st.Nlink, size)
}

// list prints the names in an open directory.
func list(c calls, fd int) string {
	buf := make([]byte, 64<<10)
	if _, e := c.Seek(fd, 0, 0); e != 0 {
		return e.Error()
	}
	n, e := c.Getdents(fd, buf)
	if e != 0 {
		return e.Error()
	}
	const head = 19 // of a linux_dirent64
	names := map[string]bool{}
	for p := buf[:n]; len(p) > 0; p = p[int(p[16])|int(p[17])<<8:] {
		name, _, _ := strings.Cut(string(p[head:int(p[16])|int(p[17])<<8]), "\x00")
		names[fmt.Sprint(name, " ", p[18])] = true
	}
	return fmt.Sprint(names)
}

// A step is one random call; it returns its results as text.
type step func(c calls) string

var names = []string{"a", "b", "d", "d/b", "d/c", "e", "e/f", "l", "m", "d/../a", "d/", "a/", "l/", ".", "d/..", "", "x/y/z", "d/./b", "no/"}

func drawStep(t *rapid.T) step {
	name := rapid.SampledFrom(names).Draw(t, "name")
	to := rapid.SampledFrom(names).Filter(func(s string) bool { return s != "" }).Draw(t, "to")
	fd := rapid.IntRange(3, 8).Draw(t, "fd")
	dirfd := rapid.SampledFrom([]int{files.AtCwd, files.AtCwd, files.AtCwd, fd}).Draw(t, "dirfd")
	if name == "" {
		dirfd = files.AtCwd // which of two errors comes first is not worth modelling
	}
	off := int64(rapid.IntRange(0, 30).Draw(t, "off"))
	n := rapid.IntRange(0, 20).Draw(t, "n")
	text := []byte(strings.Repeat("x", n))
	op := rapid.SampledFrom([]string{
		"open", "open", "open", "create", "create", "excl", "append", "dir", "close", "read", "read", "write", "write", "pread", "pwrite",
		"seek", "fstat", "stat", "lstat", "readlink", "mkdir", "mkdir", "unlink", "rmdir", "rename", "link", "symlink", "chmod",
		"truncate", "ftruncate", "list", "dup", "pipe", "getfl", "chdir",
	}).Draw(t, "op")
	return func(c calls) string {
		buf := make([]byte, n)
		fdOut := func(fd int, e linux.Errno) string { return fmt.Sprintf("%s %s: fd %d %v", op, name, fd, e) }
		out := func(format string, args ...any) string { return op + " " + name + ": " + fmt.Sprintf(format, args...) }
		change := func(ch host.Change) string {
			ch.Path, ch.To = name, to
			return fmt.Sprintf("%s %s %s: %v", op, name, to, c.Changeat(ch, dirfd, files.AtCwd))
		}
		switch op {
		case "open":
			return fdOut(c.Openat(dirfd, name, syscall.O_RDWR, 0))
		case "create":
			return fdOut(c.Openat(dirfd, name, syscall.O_RDWR|syscall.O_CREAT|syscall.O_TRUNC, 0o640))
		case "excl":
			return fdOut(c.Openat(dirfd, name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL, 0o640))
		case "append":
			return fdOut(c.Openat(dirfd, name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_APPEND, 0o640))
		case "dir":
			return fdOut(c.Openat(dirfd, name, syscall.O_RDONLY|syscall.O_DIRECTORY, 0))
		case "close":
			return out("%v", c.Close(fd))
		case "read":
			m, e := c.Read(fd, buf)
			if st, _ := c.Fstat(fd); st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
				return out("%v", e != 0) // the number depends on the offset
			}
			return out("fd %d %d %v %q", fd, m, e, buf[:m])
		case "pread":
			m, e := c.Pread(fd, buf, off)
			return out("fd %d %d %v %q", fd, m, e, buf[:m])
		case "write":
			m, e := c.Write(fd, text)
			return out("fd %d %d %v", fd, m, e)
		case "pwrite":
			m, e := c.Pwrite(fd, text, off)
			return out("fd %d %d %v", fd, m, e)
		case "seek":
			if st, e := c.Fstat(fd); e == 0 && st.Mode&syscall.S_IFMT == syscall.S_IFDIR {
				return "" // offsets into directories mean nothing
			}
			m, e := c.Seek(fd, off, n%3)
			if e != 0 {
				m = 0
			}
			return out("%d %v", m, e)
		case "fstat":
			return out("%s", show(c.Fstat(fd)))
		case "stat":
			return out("%s", show(c.Statat(dirfd, name, 0)))
		case "lstat":
			return out("%s", show(c.Statat(dirfd, name, files.AtSymlinkNoFollow)))
		case "readlink":
			s, e := c.Readlinkat(dirfd, name)
			return out("%s %v", s, e)
		case "mkdir":
			return change(host.Change{Op: host.Mkdir, Mode: 0o750})
		case "unlink":
			return change(host.Change{Op: host.Unlink})
		case "rmdir":
			return change(host.Change{Op: host.Rmdir})
		case "rename":
			return change(host.Change{Op: host.Rename, Flags: n % 2})
		case "link":
			return change(host.Change{Op: host.Link})
		case "symlink":
			return change(host.Change{Op: host.Symlink})
		case "chmod":
			return change(host.Change{Op: host.Chmod, Mode: 0o700 | uint32(n)})
		case "truncate":
			return change(host.Change{Op: host.Truncate, Size: off})
		case "ftruncate":
			return out("%v", c.Fchange(fd, host.Change{Op: host.Truncate, Size: off}))
		case "list":
			return out("%s", list(c, fd))
		case "chdir":
			e := c.Chdir(name)
			if e != 0 {
				return out("%v", e)
			}
			_, dir, _ := strings.Cut(c.Getcwd(), "/root") // below .. it shows which of the three it is
			return out("%q", dir)
		case "dup":
			return fdOut(c.Dup(fd, 0, false))
		case "pipe":
			r, w, e := c.Pipe2(syscall.O_NONBLOCK)
			return out("%d %d %v", r, w, e)
		case "getfl":
			fl, e := c.Fcntl(fd, syscall.F_GETFL, 0)
			return out("%#x %v", fl, e)
		}
		panic(op)
	}
}

// TestTwin holds both kinds of kernel against the host.
func TestTwin(t *testing.T) {
	old := unix.Umask(0o022)
	defer unix.Umask(old)
	t.Chdir(t.TempDir()) // comes back in the end
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		var roots [3]string
		for i := range roots {
			// A link to . can lead up, so there are some levels of safety.
			roots[i] = filepath.Join(dir, fmt.Sprint(i), strings.Repeat("up/", 20), "root")
			os.MkdirAll(roots[i], 0o755)
			stage(t, roots[i])
		}
		real := &realHost{map[int]int{}}
		if e := real.Chdir(roots[0]); e != 0 {
			t.Fatal(e)
		}
		defer func() {
			os.Chdir(packageDir) // out of what is about to be removed
			for fd := range real.fds {
				real.Close(fd)
			}
		}()
		opt := Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: roots[1], Through: true}
		thru := New(&host.Real{}, opt)
		defer func() {
			thru.Exit()
		}()
		opt.Dir, opt.Through = roots[2], false
		over := New(&host.Real{}, opt)
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			s := drawStep(rt)
			want := s(real)
			if got := s(thru); got != want {
				rt.Fatalf("through:\ngot  %s\nwant %s", got, want)
			}
			if got := s(over); got != want {
				rt.Fatalf("overlay:\ngot  %s\nwant %s", got, want)
			}
		}
	})
}

// packageDir is where tests begin, and where they go back to.
var packageDir, _ = os.Getwd()
