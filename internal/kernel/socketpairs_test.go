package kernel

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// An endOp is something that one end of a connection does.
type endOp struct {
	name string
	do   func(c socketCalls, fd int) string
}

func readOp(c socketCalls, fd int) string {
	buf := make([]byte, 4)
	n, e := c.Read(fd, buf)
	return fmt.Sprintf("%q %v", buf[:n], e)
}

func writeOp(c socketCalls, fd int) string {
	n, e := c.Write(fd, []byte("hello"))
	return fmt.Sprint(n, e)
}

var endOps = []endOp{
	{"write", writeOp},
	{"empty", func(c socketCalls, fd int) string { return fmt.Sprint(c.Write(fd, nil)) }},
	{"read", readOp},
	{"shutread", func(c socketCalls, fd int) string { return fmt.Sprint(c.Shutdown(fd, 0)) }},
	{"shutwrite", func(c socketCalls, fd int) string { return fmt.Sprint(c.Shutdown(fd, 1)) }},
	{"close", func(c socketCalls, fd int) string { return fmt.Sprint(c.Close(fd)) }},
	{"abort", func(c socketCalls, fd int) string {
		return fmt.Sprint(c.Setsockopt(fd, linux.SOL_SOCKET, linux.SO_LINGER, word(1, 0)), c.Close(fd))
	}},
}

// probe is what both ends are asked in the end.
func probe(c socketCalls, fd int) string {
	addr, e := c.Getpeername(fd)
	s := showAddress(c, addr, e)
	v, e := c.Getsockopt(fd, linux.SOL_SOCKET, linux.SO_ERROR)
	return fmt.Sprint(s, v, e, readOp(c, fd), readOp(c, fd), readOp(c, fd))
}

// TestConnections does everything that the two ends of a connection can do in
// three steps, or four, on the host and in a kernel.
func TestConnections(t *testing.T) {
	steps, total := testlong.Or(3, 4), 1
	if testing.Short() {
		steps = 3
	}
	choices := 2 * len(endOps)
	for range steps {
		total *= choices
	}
	for _, kind := range []string{"tcp", "unix", "unixpacket"} {
		t.Run(kind, func(t *testing.T) {
			for n := range total {
				var ops []endOp
				var ends []int
				for i, rest := 0, n; i < steps; i, rest = i+1, rest/choices {
					ops = append(ops, endOps[rest%choices/2])
					ends = append(ends, rest%choices%2)
				}
				if text := tryConnection(kind, ops, ends); text != "" {
					t.Fatal(text)
				}
			}
		})
	}
}

// tryConnection returns how the kernel differs from the host, "" if it does not.
func tryConnection(kind string, ops []endOp, ends []int) string {
	real := &realHost{map[int]int{}}
	k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid()}})
	defer func() {
		for fd := range real.fds {
			real.Close(fd)
		}
	}()
	var fds []int
	var log []string
	both := func(name string, fd int, do func(c socketCalls, fd int) string) bool {
		want, got := do(real, fd), do(k, fd)
		log = append(log, fmt.Sprintf("%s %d: %s", name, fd, want))
		if got != want {
			log = append(log, fmt.Sprintf("got  %s", got))
			return false
		}
		for try := 0; readiness(real) != readiness(k); try++ {
			if try == 1000 {
				log = append(log, fmt.Sprintf("readiness:\ngot  %s\nwant %s", readiness(k), readiness(real)))
				return false
			}
			unix.Poll(nil, 1) // packets may be on their way
		}
		return true
	}
	ok := both(kind, 0, func(c socketCalls, _ int) string {
		if kind == "tcp" {
			return tcpPair(c, 0)
		}
		kinds := map[string]int{"unix": linux.SOCK_STREAM, "unixpacket": linux.SOCK_SEQPACKET}
		a, b, e := c.Socketpair(linux.AF_UNIX, kinds[kind]|linux.SOCK_NONBLOCK, 0)
		return fmt.Sprint(a, b, e)
	})
	fds = []int{3, 4}
	if kind == "tcp" {
		fds = []int{4, 5}
	}
	for i := 0; ok && i < len(ops); i++ {
		ok = both(ops[i].name, fds[ends[i]], ops[i].do)
	}
	for i := 0; ok && i < 2; i++ {
		ok = both("probe", fds[i], probe)
	}
	for i := 0; ok && i < 4; i++ { // twice each
		ok = both("write", fds[i/2], writeOp)
	}
	if ok {
		return ""
	}
	return strings.Join(log, "\n")
}
