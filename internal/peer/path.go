//go:build linux

package peer

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// Peers at sockets of the Unix domain. What the program calls /run/db.sock is really db.sock in a folder of its own, so that runs do not get in
// each other's way: one for each run of a server, and for a client one for each door at which it finds the program.

// maxPath is how long the path of a socket may be.
const maxPath = 107

// newPath returns a path in a new folder. All are of one length: addresses in the memory of a process depend on that.
func newPath(of string) (string, error) {
	var b [6]byte
	rand.Read(b[:])
	dir := filepath.Join(os.TempDir(), "heddle-"+hex.EncodeToString(b[:]))
	path := filepath.Join(dir, filepath.Base(of))
	if len(path) > maxPath {
		return "", fmt.Errorf("%s: the path of a socket has %d bytes: limit is %d", path, len(path), maxPath)
	}
	// A server may run as another user.
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	return path, os.Chmod(dir, 0o777|os.ModeSticky)
}

// removePath removes a path and its folder.
func removePath(path string) {
	if path != "" {
		os.RemoveAll(filepath.Dir(path))
	}
}

// takePath finds a path for a run: where a server shall listen, or where a client finds the program.
func (r *run) takePath(of string) (err error) {
	if r.spec.Role == Server {
		r.addr.unix, err = newPath(of)
		return err
	}
	if r.door, err = r.g.takePathDoor(r.spec.Name, of); err == nil {
		r.addr.unix = r.door.path
	}
	return err
}

// givePath removes the path of a server.
func (r *run) givePath() {
	if r.spec.Role == Server && !r.copied {
		removePath(r.addr.unix)
	}
}

// takePathDoor is takeDoor for a socket of the Unix domain.
func (g *Group) takePathDoor(name, of string) (*door, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, d := range g.doors[name] {
		if !d.used {
			d.used = true
			return d, nil
		}
	}
	path, err := newPath(of)
	if err != nil {
		return nil, err
	}
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	if err = unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err == nil {
		err = unix.Listen(fd, 128)
	}
	if err != nil {
		unix.Close(fd)
		removePath(path)
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	os.Chmod(path, 0o777)
	d := &door{fd: fd, path: path, used: true}
	g.doors[name] = append(g.doors[name], d)
	return d, nil
}

// awaitPath waits until a server accepts connections at its path.
func (r *run) awaitPath() error {
	limit := time.Now().Add(r.spec.Ready)
	for pause := 200 * time.Microsecond; !acceptsAt(r.addr.unix); pause = min(2*pause, 2*time.Millisecond) {
		if err := r.stillStarting(limit, func() string { return "it does not listen at " + r.addr.unix }); err != nil {
			return err
		}
		time.Sleep(pause)
	}
	return nil
}

// acceptsAt reports whether somebody accepts connections at a path. Nobody else knows it.
func acceptsAt(path string) bool {
	const accepts = 1 << 16 // __SO_ACCEPTCON
	data, _ := os.ReadFile("/proc/net/unix")
	for line := range bytes.Lines(data) { // Num RefCount Protocol Flags Type St Inode Path
		f := bytes.Fields(line)
		if len(f) == 8 && string(f[7]) == path {
			flags, err := strconv.ParseUint(string(f[3]), 16, 64)
			return err == nil && flags&accepts != 0
		}
	}
	return false
}

// dialPath connects to a server at a path. The kernel says at once how that ends, unless too many wait there.
func dialPath(name iocache.Name, path string) (*conn, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &conn{name: name, fd: fd, path: true, connecting: true}
	const tries = 1000
	for n := 0; ; n++ {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
		if err != unix.EINTR && err != unix.EAGAIN || n == tries {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if err != nil {
		c.failure = err.(unix.Errno)
	}
	return c, nil
}
