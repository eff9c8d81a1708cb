//go:build linux

package fork

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A file is a descriptor of a process, of which all copies have the same open file.
type file struct {
	fd   int
	name string // as in /proc/PID/fd
	info string // what the kernel tells of it: how far it was read, its flags, what an epoll set has, the count of an eventfd
	keep bool   // what is there to be read must be as it was when a copy is made
	was  pending
	// drain takes what others have left there, if they may have: a connection that nobody has accepted, say.
	drain func(fd int) error
}

// filesOf returns the descriptors of a process, or why it cannot be copied because of one.
func filesOf(pid int) (list []file, err error) {
	dir := "/proc/" + strconv.Itoa(pid) + "/fd"
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	process, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return nil, fmt.Errorf("pidfd_open: %w", err)
	}
	defer unix.Close(process)
	streams := []string{link(pid, 1), link(pid, 2)} // what it says there is for us
	for _, e := range entries {
		fd, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		f := file{fd: fd, name: link(pid, fd), info: infoOf(pid, fd)}
		kind, _, _ := strings.Cut(f.name, "[")
		switch kind {
		case "pipe:":
			if slices.Contains(streams, f.name) {
				continue
			}
			f.keep = true
		case "anon_inode:":
			if f.name != "anon_inode:[eventpoll]" && f.name != "anon_inode:[eventfd]" {
				return nil, fmt.Errorf("it has a descriptor of %s", f.name)
			}
			f.keep = f.name == "anon_inode:[eventfd]"
		case "socket:":
			if f.drain, err = socket(process, pid, fd); err != nil {
				return nil, err
			}
			f.keep = true
		default:
			if err := f.readOnly(); err != nil {
				return nil, err
			}
		}
		if f.keep {
			if f.was, err = f.pending(process); err != nil {
				return nil, err
			}
			if f.was.bytes > 0 { // later there may be others
				return nil, fmt.Errorf("something is in %s", f.name)
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// A pending is what there is to be read from a descriptor.
type pending struct {
	events int16
	bytes  int
}

// pending looks what there is, after what others have left was taken.
func (f *file) pending(process int) (p pending, err error) {
	fd, err := unix.PidfdGetfd(process, f.fd, 0)
	if err != nil {
		return p, fmt.Errorf("pidfd_getfd: %w", err)
	}
	defer unix.Close(fd)
	poll := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		if _, err := unix.Poll(poll, 0); err != nil {
			return p, fmt.Errorf("poll: %w", err)
		}
		p.events = poll[0].Revents
		if f.drain == nil || p.events&unix.POLLIN == 0 || f.drain(fd) != nil {
			break
		}
	}
	p.bytes, _ = unix.IoctlGetInt(fd, unix.TIOCINQ)
	return p, nil
}

func link(pid, fd int) string {
	name, _ := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "fd", strconv.Itoa(fd)))
	return name
}

// devices keep nothing of what is written to them, and are not read on.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// infoOf returns what the kernel tells of a descriptor.
func infoOf(pid, fd int) string {
	data, _ := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "fdinfo", strconv.Itoa(fd)))
	return string(data)
}

// readOnly reports an error if a file can be written.
func (f *file) readOnly() error {
	if slices.Contains(devices, f.name) {
		return nil
	}
	for line := range strings.Lines(f.info) {
		if value, ok := strings.CutPrefix(line, "flags:"); ok {
			if flags, err := strconv.ParseUint(strings.TrimSpace(value), 8, 64); err == nil && flags&unix.O_ACCMODE == unix.O_RDONLY {
				return nil
			}
		}
	}
	return fmt.Errorf("it has %s open, and can write to it", f.name)
}

// socket looks at a socket. It may be one at which connections are accepted or datagrams received, or half of a pair by which
// the process wakes itself. It returns how to drain it, if others can reach it.
func socket(process, pid, fd int) (drain func(fd int) error, err error) {
	s, err := unix.PidfdGetfd(process, fd, 0)
	if err != nil {
		return nil, fmt.Errorf("pidfd_getfd: %w", err)
	}
	defer unix.Close(s)
	if listens, _ := unix.GetsockoptInt(s, unix.SOL_SOCKET, unix.SO_ACCEPTCONN); listens == 1 {
		return refuse, nil
	}
	if kind, _ := unix.GetsockoptInt(s, unix.SOL_SOCKET, unix.SO_TYPE); kind != unix.SOCK_STREAM {
		return discard, nil
	}
	if _, err := unix.Getpeername(s); errors.Is(err, unix.ENOTCONN) {
		return nil, nil
	}
	domain, _ := unix.GetsockoptInt(s, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if cred, err := unix.GetsockoptUcred(s, unix.SOL_SOCKET, unix.SO_PEERCRED); domain == unix.AF_UNIX && err == nil && int(cred.Pid) == pid {
		return nil, nil
	}
	return nil, errors.New("it has a connection")
}

// refuse ends a connection that waits to be accepted.
func refuse(listener int) error {
	fd, _, err := unix.Accept4(listener, unix.SOCK_CLOEXEC)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

// discard takes a datagram.
func discard(socket int) error {
	_, _, err := unix.Recvfrom(socket, nil, unix.MSG_DONTWAIT)
	return err
}

// unchanged reports an error if something is left of what a copy has done.
func (t *Template) unchanged() error {
	process, err := unix.PidfdOpen(t.pid, 0)
	if err != nil {
		return fmt.Errorf("pidfd_open: %w", err)
	}
	defer unix.Close(process)
	for _, f := range t.files {
		if infoOf(t.pid, f.fd) != f.info && !slices.Contains(devices, f.name) {
			return fmt.Errorf("%s has changed", f.name)
		}
		if !f.keep {
			continue
		}
		now, err := f.pending(process)
		if err != nil {
			return err
		}
		if now != f.was {
			return fmt.Errorf("something is left in %s", f.name)
		}
	}
	return nil
}
