//go:build linux

package peer

import (
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

// large is a write that no buffer of a connection holds.
const large = 8 << 20

func init() {
	// Answers in so many writes as there are words, in different ways.
	helpers["writes"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			kind, rest, _ := strings.Cut(line, " ")
			words := strings.Fields(rest)
			switch kind {
			case "write":
				for _, w := range words {
					io.WriteString(c, w)
				}
			case "writev":
				for _, w := range words {
					list := net.Buffers{[]byte(w[:1]), []byte(w[1:])}
					list.WriteTo(c)
				}
			case "sendmsg":
				raw, _ := c.SyscallConn()
				for _, w := range words {
					raw.Write(func(fd uintptr) bool { return syscall.Sendmsg(int(fd), []byte(w), nil, nil, 0) == nil })
				}
			case "more": // the first is held back
				raw, _ := c.SyscallConn()
				for i, w := range words {
					more := 0
					if i == 0 {
						more = syscall.MSG_MORE
					}
					raw.Write(func(fd uintptr) bool { return unix.Sendto(int(fd), []byte(w), more, nil) == nil })
				}
			case "splice": // from a pipe
				raw, _ := c.SyscallConn()
				for _, w := range words {
					r, pipe, _ := os.Pipe()
					io.WriteString(pipe, w)
					raw.Write(func(fd uintptr) bool {
						_, err := unix.Splice(int(r.Fd()), nil, int(fd), nil, len(w), 0)
						return err == nil
					})
				}
			case "large":
				fmt.Fprint(c, strings.Repeat("x", large))
				fmt.Fprint(c, "end")
			}
		})
	}
}

// TestPieces: what a peer writes at once is told at once, and what it writes twice is told twice, however it
// arrives.
func TestPieces(t *testing.T) {
	spec := helper(Server, "writes", "{addr}")
	whole := spec
	whole.Name, whole.Whole = "whole", true
	g := newGroup(t, spec, whole)
	if got := g.Whole(); !slices.Equal(got, []string{"whole"}) {
		t.Errorf("got answers of %q as a whole, want those of one peer", got)
	}
	pieces := func(peer string, n int, request string) []int {
		l := start(t, g, connection(peer, n))
		l.say(iocache.Open, out(n), "", "")
		var sizes []int
		for range 2 { // the second answer begins a piece, whatever came before
			if err := l.p.Do(iocache.Request{Kind: iocache.Write, Conn: out(n), Data: []byte(request + "\n")}); err != nil {
				t.Fatal(err)
			}
			for {
				r, err := l.p.Poll()
				if err != nil {
					t.Fatal(err)
				}
				if r.Kind == iocache.Quiet {
					break
				}
				if r.More {
					sizes[len(sizes)-1] += len(r.Data)
				} else {
					sizes = append(sizes, len(r.Data))
				}
			}
		}
		return sizes
	}
	for i, test := range []struct {
		request string
		want    []int
	}{
		{"write one three seven", []int{3, 5, 5}},
		{"write one", []int{3}},
		{"writev one three", []int{3, 5}},
		{"sendmsg one three", []int{3, 5}},
		{"more one three seven", []int{8, 5}},
		{"splice one three", []int{3, 5}},
	} {
		if got := pieces("server", i, test.request); !slices.Equal(got, slices.Concat(test.want, test.want)) {
			t.Errorf("%s: got pieces of %d bytes, want %d, twice", test.request, got, test.want)
		}
	}
	// What is larger than a segment is cut at places that depend on nothing but the stream.
	got := pieces("server", 100, "large")
	sum := 0
	for i, n := range got {
		if sum += n; n > segment || sum%segment != 0 && sum != large && sum != large+3 && sum != 2*large+3 && i != len(got)-1 {
			t.Errorf("large: got a piece of %d bytes up to %d", n, sum)
		}
	}
	if sum != 2*(large+3) || len(got) != 2*large/segment+3 {
		t.Errorf("large: got %d pieces of %d bytes, want %d of %d", len(got), sum, 2*large/segment+3, 2*(large+3))
	}
	if got := pieces("whole", 0, "write one three"); !slices.Equal(got, []int{8, 8}) {
		t.Errorf("as a whole: got pieces of %d bytes, want 8, twice", got)
	}
}
