//go:build linux

package fork

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A child is a process whose standard streams are pipes.
type child struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.ReadCloser
}

// launch starts a command. The test goes on in one thread, as the package wants it.
func launch(t *testing.T, name string, args ...string) *child {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("registers are known for amd64 only")
	}
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
	runtime.LockOSThread()
	c := &child{t: t, cmd: exec.Command(name, args...)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.cmd.Process.Kill()
		c.cmd.Wait()
		runtime.UnlockOSThread()
	})
	return c
}

// rests waits until the process sleeps in a system call.
func (c *child) rests(call int) *child {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", c.cmd.Process.Pid))
		if strings.HasPrefix(string(text), fmt.Sprint(call, " ")) {
			return c
		}
	}
	c.t.Fatal("the process does not come to rest")
	return nil
}

func (c *child) freeze() *Template {
	c.t.Helper()
	f, err := Freeze(c.cmd.Process.Pid)
	if err != nil {
		c.t.Fatal(err)
	}
	return f
}

// says reads so many bytes of what the process and its copies write.
func (c *child) says(n int) string {
	c.t.Helper()
	b := make([]byte, n)
	if _, err := io.ReadFull(c.out, b); err != nil {
		c.t.Fatal(err)
	}
	return string(b)
}

func kill(t *testing.T, pid int) {
	t.Helper()
	unix.Kill(pid, unix.SIGKILL)
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, 0, nil); err != nil || status.Signal() != unix.SIGKILL {
		t.Errorf("got %v and status %v, want a child that was killed", err, status)
	}
}

// TestCopy: copies read from where the process did, which itself never runs again.
func TestCopy(t *testing.T) {
	c := launch(t, "cat").rests(unix.SYS_READ)
	f := c.freeze()
	for i := range 20 {
		pid, err := f.Copy()
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("line %02d\n", i)
		io.WriteString(c.in, line)
		if got := c.says(len(line)); got != line {
			t.Errorf("got %q, want %q", got, line)
		}
		sid, _ := unix.Getsid(pid)
		if sid != pid {
			t.Errorf("process %d is in session %d, want its own", pid, sid)
		}
		kill(t, pid)
	}
	io.WriteString(c.in, "left")
	if _, err := f.Copy(); err == nil || !strings.Contains(err.Error(), "left in pipe:") {
		t.Errorf("got %v, want that something is left", err)
	}
}

// TestCopyServer: a server has its memory as it was for each copy, and its socket; the C library of a copy knows the number of its process.
func TestCopyServer(t *testing.T) {
	c := launch(t, "python3", "-c", `
import os, select, signal, socket
l = socket.socket()
l.bind(("127.0.0.1", 0))
l.listen()
print("%05d" % l.getsockname()[1], flush=True)
n = 0
p = select.epoll()
p.register(l, select.EPOLLIN)
while True:
    p.poll()
    s, _ = l.accept()
    while s.recv(1):
        n += 1
        s.send(b"%d" % n)
    signal.raise_signal(signal.SIGABRT)
`)
	addr := "127.0.0.1:" + strings.TrimLeft(strings.TrimSpace(c.says(6)), "0")
	f := c.rests(unix.SYS_EPOLL_WAIT).freeze()
	for range 5 {
		pid, err := f.Copy()
		if err != nil {
			t.Fatal(err)
		}
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"1", "2", "3"} {
			io.WriteString(conn, "x")
			b := make([]byte, 1)
			if _, err := conn.Read(b); string(b) != want || err != nil {
				t.Errorf("got %q, %v, want %s", b, err, want)
			}
		}
		conn.Close()
		var status unix.WaitStatus
		if _, err := unix.Wait4(pid, &status, 0, nil); err != nil || status.Signal() != unix.SIGABRT {
			t.Errorf("got %v and status %x, want a child that has sent itself a signal", err, status)
		}
	}
}

// TestRefused: what copies would share, or would not have.
func TestRefused(t *testing.T) {
	python := func(text string) []string {
		return []string{"python3", "-c", "import os, mmap, signal, socket, sys, threading, time\n" + text + "\nprint('x', end='', flush=True)\nsys.stdin.buffer.raw.read(1)"}
	}
	file := filepath.Join(t.TempDir(), "file")
	for _, test := range []struct {
		want    string // of the error
		command []string
	}{
		{"it has 2 threads", python("threading.Thread(target=time.sleep, args=[100], daemon=True).start()")},
		{"open, and can write to it", python("f = open('" + file + "', 'w')")},
		{"it shares memory", python("m = mmap.mmap(-1, 4096)")},
		{"it has a connection", python("l = socket.create_server(('127.0.0.1', 0))\ns = socket.create_connection(l.getsockname())")},
		{"it has a timer", python("signal.alarm(1000)")},
		{"descriptor of anon_inode", python("import ctypes\nctypes.CDLL(None).timerfd_create(1, 0)")},
	} {
		t.Run(test.want, func(t *testing.T) {
			c := launch(t, test.command[0], test.command[1:]...)
			c.says(1)
			c.rests(unix.SYS_READ)
			if _, err := Freeze(c.cmd.Process.Pid); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			c.in.Close() // and it goes on
			if err := c.cmd.Wait(); err != nil {
				t.Errorf("got %v, want a process that ends well", err)
			}
		})
	}
}

// TestRefusedGoesOn: a process that is refused goes on to wait where it did, also in a call that others would see interrupted.
func TestRefusedGoesOn(t *testing.T) {
	c := launch(t, "python3", "-c", `
import select, sys
f = open("`+filepath.Join(t.TempDir(), "file")+`", "w")
p = select.epoll()
p.register(sys.stdin, select.EPOLLIN)
print("x", end="", flush=True)
p.poll()
print(len(sys.stdin.buffer.raw.read(5)), end="", flush=True)
`)
	c.says(1)
	c.rests(unix.SYS_EPOLL_WAIT)
	if _, err := Freeze(c.cmd.Process.Pid); err == nil {
		t.Error("got no error, want one for the file")
	}
	io.WriteString(c.in, "hello")
	if got := c.says(1); got != "5" {
		t.Errorf("got %q, want 5", got)
	}
}

func BenchmarkCopy(b *testing.B) {
	runtime.LockOSThread()
	cmd := exec.Command("cat")
	in, _ := cmd.StdinPipe()
	defer in.Close()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	f, err := Freeze(cmd.Process.Pid)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		pid, err := f.Copy()
		if err != nil {
			b.Fatal(err)
		}
		unix.Kill(pid, unix.SIGKILL)
		unix.Wait4(pid, nil, 0, nil)
	}
	cmd.Process.Kill()
}
