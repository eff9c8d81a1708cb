package kernel

import (
	"fmt"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// TestFaultsTwin holds what a program sees of each fault, by the call to which it
// happens and by the calls after it, against what the host's sockets do when the same
// happens to them.
func TestFaultsTwin(t *testing.T) {
	for _, test := range []struct {
		fault sockets.Fault
		call  sockets.FaultyCall
		host  func(t *testing.T) []string
	}{
		{sockets.FaultReset, sockets.CallRead, func(t *testing.T) []string {
			near, far := hostPair(t)
			reset(t, far)
			return hostCalls(near, "read", "read", "write")
		}},
		{sockets.FaultReset, sockets.CallWrite, func(t *testing.T) []string {
			near, far := hostPair(t)
			reset(t, far)
			awaitError(t, near)
			return hostCalls(near, "write", "read", "write")
		}},
		{sockets.FaultEOF, sockets.CallRead, func(t *testing.T) []string {
			near, far := hostPair(t)
			unix.Shutdown(far, unix.SHUT_WR)
			return hostCalls(near, "read", "read", "write")
		}},
		{sockets.FaultShort, sockets.CallRead, func(t *testing.T) []string {
			near, far := hostPair(t)
			mustSend(t, far, "a")
			first := hostCalls(near, "read")
			mustSend(t, far, "b")
			return append(first, hostCalls(near, "read", "write")...)
		}},
		{sockets.FaultTimeout, sockets.CallRead, func(t *testing.T) []string {
			near := timedOut(t)
			awaitError(t, near)
			return hostCalls(near, "read", "read", "write")
		}},
		{sockets.FaultTimeout, sockets.CallWrite, func(t *testing.T) []string {
			near := timedOut(t)
			awaitError(t, near)
			return hostCalls(near, "write", "read", "write")
		}},
		{sockets.FaultRefuse, sockets.CallConnect, func(t *testing.T) []string {
			l, at := hostListener(t, 1)
			unix.Close(l)
			return []string{outcome(0, unix.Connect(hostSocket(t), at))}
		}},
		{sockets.FaultTimeout, sockets.CallConnect, func(t *testing.T) []string {
			if testing.Short() {
				t.Skip("takes a second")
			}
			_, at := hostListener(t, 0)
			for range 9 { // nobody accepts, until there is no room
				fd := hostSocket(t)
				unix.SetNonblock(fd, true)
				unix.Connect(fd, at)
			}
			fd := hostSocket(t)
			unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_SYNCNT, 1)
			unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 1)
			return []string{outcome(0, unix.Connect(fd, at))}
		}},
	} {
		name := fmt.Sprintf("%v of %s", test.fault, [...]string{sockets.CallRead: "read", sockets.CallWrite: "write", sockets.CallConnect: "connect"}[test.call])
		t.Run(name, func(t *testing.T) {
			got := strings.Join(modelledFault(t, test.fault, test.call), "; ")
			if want := strings.Join(test.host(t), "; "); got != want {
				t.Errorf("got %s, the host says %s", got, want)
			} else {
				t.Log(got)
			}
		})
	}
}

// TestShortWrite: the host, too, takes less than it is given.
func TestShortWrite(t *testing.T) {
	near, _ := hostPair(t)
	unix.SetNonblock(near, true)
	big := make([]byte, 64<<20)
	n, err := unix.SendmsgN(near, big, nil, nil, unix.MSG_NOSIGNAL)
	if err != nil || n < 1 || n == len(big) {
		t.Errorf("got %d bytes and %v, want a part of %d", n, err, len(big))
	}
	var faults sockets.Faults
	faults[sockets.FaultShort] = 1
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Faults: faults}})
	fd, _ := connectedPair(t, k)
	if got := k.FaultsAt(nil, fd, sockets.CallWrite, len(big)); len(got) != 1 || k.Inject(fd, got[0]) != 0 {
		t.Errorf("got faults %v, want a short write that goes on", got)
	}
	if got := k.FaultsAt(nil, fd, sockets.CallWrite, 1); len(got) != 0 {
		t.Errorf("got faults %v of a write of one byte, want none", got)
	}
}

// modelledFault lets a fault happen to a call of the model and tells what it and the
// calls after it return.
func modelledFault(t *testing.T, f sockets.Fault, call sockets.FaultyCall) (list []string) {
	var faults sockets.Faults
	faults[f] = 1
	k := New(&host.Real{}, Options{Settings: sockets.Settings{Faults: faults}})
	if call == sockets.CallConnect {
		fd, e := k.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
		if e != 0 {
			t.Fatal(e)
		}
		if got := k.FaultsAt(nil, fd, call, 2); len(got) != 1 || got[0] != f {
			t.Fatalf("got %v, want it alone", got)
		}
		return []string{outcome(0, k.Inject(fd, f))}
	}
	near, far := connectedPair(t, k)
	if _, e := k.Write(far, []byte("ab")); e != 0 {
		t.Fatal(e)
	}
	if got := k.FaultsAt(nil, near, call, 2); len(got) != 1 || got[0] != f {
		t.Fatalf("got %v, want it alone", got)
	}
	read := func(size int) string {
		n, e := k.Read(near, make([]byte, size))
		return outcome(n, e)
	}
	write := func() string {
		n, e := k.Write(near, []byte("x"))
		return outcome(n, e)
	}
	size := 8
	if f == sockets.FaultShort {
		size = 1 // as the call is made then
	}
	switch e := k.Inject(near, f); {
	case e != 0:
		list = append(list, outcome(0, e))
	default:
		list = append(list, read(size))
	}
	return append(list, read(8), write())
}

func outcome(n int, err error) string {
	switch e := err.(type) {
	case linux.Errno: // of the model
		if e != 0 {
			return e.Name()
		}
	case syscall.Errno: // of the host
		if e != 0 {
			return unix.ErrnoName(e)
		}
	}
	return fmt.Sprint(n)
}

// hostCalls makes calls on a socket of the host.
func hostCalls(fd int, calls ...string) (list []string) {
	for _, call := range calls {
		n, err := 0, error(nil)
		switch call {
		case "read":
			n, _, err = unix.Recvfrom(fd, make([]byte, 8), 0)
		case "write":
			n, err = unix.SendmsgN(fd, []byte("x"), nil, nil, unix.MSG_NOSIGNAL)
		}
		list = append(list, outcome(max(n, 0), err))
	}
	return list
}

func hostSocket(t *testing.T) int {
	t.Helper()
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return fd
}

func hostListener(t *testing.T, backlog int) (int, unix.Sockaddr) {
	t.Helper()
	fd := hostSocket(t)
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, backlog); err != nil {
		t.Fatal(err)
	}
	at, err := unix.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return fd, at
}

// hostPair returns the ends of a connection of the host.
func hostPair(t *testing.T) (near, far int) {
	t.Helper()
	l, at := hostListener(t, 1)
	near = hostSocket(t)
	if err := unix.Connect(near, at); err != nil {
		t.Fatal(err)
	}
	far, _, err := unix.Accept4(l, unix.SOCK_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(far) })
	return near, far
}

// reset closes an end such that the other one is reset.
func reset(t *testing.T, fd int) {
	t.Helper()
	dup, err := unix.Dup(fd) // the number is closed again at the end of the test
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.SetsockoptLinger(dup, unix.SOL_SOCKET, unix.SO_LINGER, &unix.Linger{Onoff: 1}); err != nil {
		t.Fatal(err)
	}
	unix.Dup3(hostSocket(t), fd, unix.O_CLOEXEC)
	unix.Close(dup)
}

// timedOut returns an end whose far end has not taken anything for too long.
func timedOut(t *testing.T) int {
	t.Helper()
	near, _ := hostPair(t)
	unix.SetNonblock(near, true)
	for {
		if _, err := unix.SendmsgN(near, make([]byte, 1<<20), nil, nil, unix.MSG_NOSIGNAL); err != nil {
			break // there is no more room
		}
	}
	unix.SetNonblock(near, false)
	// Not before, or else it is one of the sends of a slow machine that gets the error.
	if err := unix.SetsockoptInt(near, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, 1); err != nil {
		t.Fatal(err)
	}
	return near
}

// awaitError waits until a connection has failed.
func awaitError(t *testing.T, fd int) {
	t.Helper()
	p := []unix.PollFd{{Fd: int32(fd)}}
	for {
		n, err := unix.Poll(p, 600_000)
		if err == unix.EINTR {
			continue
		}
		if n != 1 || p[0].Revents&unix.POLLERR == 0 {
			t.Fatalf("got %d, %v, events %x, want an error of the connection", n, err, p[0].Revents)
		}
		return
	}
}

func mustSend(t *testing.T, fd int, text string) {
	t.Helper()
	if n, err := unix.SendmsgN(fd, []byte(text), nil, nil, unix.MSG_NOSIGNAL); n != len(text) || err != nil {
		t.Fatalf("got %d, %v", n, err)
	}
}
