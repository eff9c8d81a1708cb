package writes

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A Write is a call that begins to write to a TCP connection.
type Write struct {
	From, To netip.AddrPort // of the writer's end, and of the other
	At       uint64         // bytes that were written before
}

// A notification is the kernel's seccomp_notif.
type notification struct {
	id    uint64
	pid   uint32 // of the thread
	flags uint32
	call  int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

// A response is the kernel's seccomp_notif_resp.
type response struct {
	id    uint64
	value int64
	errno int32
	flags uint32
}

// Serve lets writes go on, and tells before of those to TCP connections, until stop, a descriptor, can be
// read from or nobody is left who could write. Tell is called by one goroutine at a time.
func Serve(listener, stop int, tell func(Write)) {
	unix.IoctlSetInt(listener, unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP) // faster, since Linux 6.6
	w := &watcher{streams: make(map[uint64]stream)}
	for {
		fds := []unix.PollFd{{Fd: int32(listener), Events: unix.POLLIN}, {Fd: int32(stop), Events: unix.POLLIN}}
		if _, err := unix.Poll(fds, -1); err == unix.EINTR {
			continue
		} else if err != nil || fds[1].Revents != 0 || fds[0].Revents&unix.POLLIN == 0 {
			return
		}
		var n notification
		if ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_RECV, unsafe.Pointer(&n)) != 0 {
			continue // it was killed meanwhile
		}
		if wr, ok := w.look(&n); ok {
			tell(wr)
		}
		r := response{id: n.id, flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		ioctl(listener, unix.SECCOMP_IOCTL_NOTIF_SEND, unsafe.Pointer(&r))
	}
}

func ioctl(fd int, request uint, p unsafe.Pointer) unix.Errno {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(p))
	return errno
}

// A watcher remembers what connections were about to be sent.
type watcher struct {
	streams map[uint64]stream // by the cookie of the socket
}

// A stream is what is known of a connection since the last write that was told.
type stream struct {
	start, end uint64 // of the last call: where it ends, if all of it is taken
	file       bool   // it was one of a file or pipe, of which there may be less
	held       bool   // what it has written is held back until there is more: MSG_MORE, TCP_CORK
}

// continues reports whether a call that finds so many bytes written goes on with what the last one has begun. That of a
// file goes on only if the last one was of a file and has filled a buffer.
func (s stream) continues(sent uint64, file bool) bool {
	const buffer = 64 << 10
	switch {
	case s.held:
		return true
	case sent >= s.end:
		return false
	case s.file || file:
		return s.file && file && sent-s.start >= buffer
	}
	return true
}

// maxStreams is how many connections are remembered. One that is forgotten may have a border too many.
const maxStreams = 1 << 12

// look finds out what a call writes to. It is not ok if that is no TCP connection, or if the call only goes on
// with what an earlier one has begun: of a write that is larger than the buffers of a
// connection the kernel takes now so much and now so much.
func (w *watcher) look(n *notification) (Write, bool) {
	at := 0
	if n.call == unix.SYS_SPLICE {
		at = 2
	}
	fd, err := borrow(int(n.pid), int(int32(n.args[at])))
	if err != nil {
		return Write{}, false
	}
	defer unix.Close(fd)
	info, err := unix.GetsockoptTCPInfo(fd, unix.IPPROTO_TCP, unix.TCP_INFO)
	if err != nil {
		return Write{}, false
	}
	cookie, err := unix.GetsockoptUint64(fd, unix.SOL_SOCKET, unix.SO_COOKIE)
	if err != nil {
		return Write{}, false
	}
	from, to := address(unix.Getsockname(fd)), address(unix.Getpeername(fd))
	if !from.IsValid() || !to.IsValid() {
		return Write{}, false
	}
	sent := info.Bytes_sent - info.Bytes_retrans + uint64(info.Notsent_bytes)
	size, file := length(n)
	before, known := w.streams[cookie]
	if len(w.streams) >= maxStreams {
		clear(w.streams)
	}
	cork, _ := unix.GetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_CORK)
	w.streams[cookie] = stream{sent, sent + size, file, cork != 0 || flags(n)&unix.MSG_MORE != 0}
	return Write{from, to, sent}, !known || !before.continues(sent, file)
}

// flags returns those of a call that has some.
func flags(n *notification) uint64 {
	switch n.call {
	case unix.SYS_SENDTO:
		return n.args[3]
	case unix.SYS_SENDMSG:
		return n.args[2]
	}
	return 0
}

// borrow returns a descriptor of another process.
func borrow(tid, fd int) (int, error) {
	const thread = unix.O_EXCL // PIDFD_THREAD, since Linux 6.9
	p, err := unix.PidfdOpen(tid, thread)
	if err != nil {
		if p, err = unix.PidfdOpen(leader(tid), 0); err != nil {
			return -1, err
		}
	}
	defer unix.Close(p)
	return unix.PidfdGetfd(p, fd, 0)
}

// leader returns the process of a thread.
func leader(tid int) int {
	f, err := os.Open(fmt.Sprintf("/proc/%d/status", tid))
	if err != nil {
		return tid
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if text, ok := strings.CutPrefix(s.Text(), "Tgid:"); ok {
			if pid, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
				return pid
			}
		}
	}
	return tid
}

func address(sa unix.Sockaddr, err error) netip.AddrPort {
	if err == nil {
		switch sa := sa.(type) {
		case *unix.SockaddrInet4:
			return netip.AddrPortFrom(netip.AddrFrom4(sa.Addr), uint16(sa.Port))
		case *unix.SockaddrInet6:
			return netip.AddrPortFrom(netip.AddrFrom16(sa.Addr).Unmap(), uint16(sa.Port))
		}
	}
	return netip.AddrPort{}
}

// length returns how many bytes a call wants to write, and whether they are those of a file or pipe, of which
// there may be less.
func length(n *notification) (size uint64, file bool) {
	switch n.call {
	case unix.SYS_WRITE, unix.SYS_SENDTO:
		return n.args[2], false
	case unix.SYS_WRITEV:
		return vector(int(n.pid), n.args[1], n.args[2]), false
	case unix.SYS_SENDMSG:
		// A msghdr has the vector in its third word and the number of its parts in the fourth.
		var head [32]byte
		if !peek(int(n.pid), n.args[1], head[:]) {
			return 0, false
		}
		return vector(int(n.pid), binary.NativeEndian.Uint64(head[16:]), binary.NativeEndian.Uint64(head[24:])), false
	}
	if n.call == unix.SYS_SPLICE {
		return n.args[4], true
	}
	return n.args[3], true
}

// vector returns the size of the parts of an iovec.
func vector(tid int, at, n uint64) (size uint64) {
	const most = 1024 // UIO_MAXIOV
	if n > most {
		return 0
	}
	parts := make([]byte, 16*n)
	if !peek(tid, at, parts) {
		return 0
	}
	for ; len(parts) > 0; parts = parts[16:] {
		size += binary.NativeEndian.Uint64(parts[8:])
	}
	return size
}

// peek reads memory of another process.
func peek(tid int, at uint64, b []byte) bool {
	if len(b) == 0 {
		return true
	}
	local := []unix.Iovec{{Base: &b[0], Len: uint64(len(b))}}
	remote := []unix.RemoteIovec{{Base: uintptr(at), Len: len(b)}}
	n, err := unix.ProcessVMReadv(tid, local, remote, 0)
	return err == nil && n == len(b)
}
