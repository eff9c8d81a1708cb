package peer

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"
	"testing"

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
		{"large", []int{large, 3}},
	} {
		if got := pieces("server", i, test.request); !slices.Equal(got, slices.Concat(test.want, test.want)) {
			t.Errorf("%s: got pieces of %d bytes, want %d, twice", test.request, got, test.want)
		}
	}
	if got := pieces("whole", 0, "write one three"); !slices.Equal(got, []int{8, 8}) {
		t.Errorf("as a whole: got pieces of %d bytes, want 8, twice", got)
	}
}
