package execute_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

func udpSettings(t *testing.T, text string) execute.Settings {
	t.Helper()
	s, err := datagram.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return execute.Settings{UDP: s}
}

// udpLetters sends the first letters and receives for ever.
const udpLetters = `package main

import "net"

var got string

func main() {
	r, err := net.ListenPacket("udp", "127.0.0.1:4000")
	if err != nil {
		panic(err)
	}
	s, err := net.Dial("udp", "127.0.0.1:4000")
	if err != nil {
		panic(err)
	}
	for i := range %d {
		s.Write([]byte{'a' + byte(i)})
	}
	b := make([]byte, 10)
	for {
		n, _, err := r.ReadFrom(b)
		if err != nil {
			panic(err)
		}
		got += string(b[:n])
		b[0] = 0
	}
}
`

// TestUDPSequences: a search of a program that receives n datagrams ends in as many
// states as there are sequences of them, whoever decides about them.
func TestUDPSequences(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	for _, n := range []int{1, 3} {
		prog := compileText(t, fmt.Sprintf(udpLetters, n))
		for _, text := range []string{"", "multiply=1,0", "multiply=1,0,2", "window=2", "multiply=0,1 window=2", "multiply=1,2 window=3"} {
			for _, side := range []string{"", " receive.multiply=1 receive.window=1", " send.multiply=1 send.window=1"} {
				s := udpSettings(t, text+side)
				how := s.UDP.Send
				if how.Reliable() {
					how = s.UDP.Receive
				}
				r, err := searchFor(prog, way{Settings: s, Options: explore.Options{All: true}})
				if err != nil {
					t.Fatal(err)
				}
				if got, want := len(r.ends), int(datagram.Count(how, n).Int64()); got != want {
					t.Errorf("%d datagrams, %q: got %d final states, want %d", n, text+side, got, want)
				}
			}
		}
	}
}

// udpPrograms are programs in which datagrams are lost, duplicated and reordered
// between goroutines.
var udpPrograms = []struct {
	name, udp, body string
	kinds           []string
}{
	{"two pairs", "multiply=1,0", `
func pair(port int, done chan bool) {
	r, _ := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	s, _ := net.DialUDP("udp", nil, r.LocalAddr().(*net.UDPAddr))
	go func() {
		s.Write([]byte("x"))
		done <- true
	}()
	b := make([]byte, 1)
	r.Read(b)
	done <- true
}

func main() {
	done := make(chan bool)
	go pair(4000, done)
	go pair(4001, done)
	for range 4 {
		<-done
	}
}`, []string{"deadlock"}},
	{"connected both ways", "multiply=1,2 window=2", `
func main() {
	a, b := &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4000}, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4001}
	x, _ := net.DialUDP("udp", a, b)
	y, _ := net.DialUDP("udp", b, a)
	done := make(chan bool)
	go func() {
		x.Write([]byte("1"))
		x.Write([]byte("2"))
		done <- true
	}()
	go func() {
		p := make([]byte, 4)
		y.Read(p)
		n, _ := y.Read(p)
		if string(p[:n]) == "1" {
			panic("again")
		}
		done <- true
	}()
	<-done
	<-done
}`, []string{"panic"}},
	{"who asks again", "multiply=1,0", `
func main() {
	r, _ := net.ListenPacket("udp", "127.0.0.1:4000")
	go func() {
		b := make([]byte, 4)
		for {
			n, from, _ := r.ReadFrom(b)
			r.WriteTo(b[:n], from)
		}
	}()
	c, _ := net.Dial("udp", "127.0.0.1:4000")
	b := make([]byte, 4)
	for range 2 {
		c.Write([]byte("?"))
		c.SetReadDeadline(time.Now().Add(time.Second))
		if _, err := c.Read(b); err == nil {
			break
		}
	}
	os.Exit(0)
}`, nil},
	{"nobody there", "unreachable send.multiply=1", `
func main() {
	r, _ := net.ListenPacket("udp", "127.0.0.1:4000")
	c, _ := net.Dial("udp", "127.0.0.1:4000")
	c.Write([]byte("1"))
	if _, err := c.Write([]byte("2")); errors.Is(err, syscall.ECONNREFUSED) {
		panic("refused")
	}
	r.ReadFrom(make([]byte, 1))
}`, []string{"panic"}},
	{"only half", "truncate", `
func main() {
	r, _ := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4000})
	c, _ := net.Dial("udp", "127.0.0.1:4000")
	c.Write([]byte("1234"))
	b := make([]byte, 9)
	n, _, flags, _, _ := r.ReadMsgUDP(b, nil)
	if string(b[:n]) != "1234" {
		if string(b[:n]) != "12" || flags&syscall.MSG_TRUNC == 0 {
			os.Exit(3)
		}
		panic("half")
	}
}`, []string{"panic"}},
	{"in a section", "", `
func main() {
	r, _ := net.ListenPacket("udp", "127.0.0.1:4000")
	c, _ := net.Dial("udp", "127.0.0.1:4000")
	c.Write([]byte("1"))
	restore := verify.UDP("multiply=1,2")
	c.Write([]byte("2"))
	restore()
	c.Write([]byte("3"))
	b, got := make([]byte, 1), ""
	for len(got) < 3 {
		r.ReadFrom(b)
		got += string(b)
	}
	verify.Assert(got == "123", got)
}`, []string{"assert"}},
}

const udpHead = `package main

import (
	"errors"
	"net"
	"os"
	"syscall"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

var _, _, _, _, _ = errors.Is, os.Exit, syscall.EINVAL, time.Now, verify.Assert

`

// TestUDPAgree: searches agree on programs whose datagrams are not reliable, with
// and without reduction, depth first and breadth first, with one worker and with two.
func TestUDPAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	for _, p := range udpPrograms {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			a, complaint := agree(compileText(t, udpHead+p.body), 50000, udpSettings(t, p.udp))
			if complaint != "" {
				t.Error(complaint)
			}
			if got := a.reduced.kinds(); !slices.Equal(got, p.kinds) || !a.whole() {
				t.Errorf("got %v, want %v: %s", got, p.kinds, a.reduced.Result)
			}
			t.Logf("%d states, %d plain", a.reduced.States, a.plain.States)
		})
	}
}

// TestUDPGroup: searches agree on processes side by side that talk by datagrams.
func TestUDPGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	server := compileText(t, udpHead+`
func main() {
	c, _ := net.ListenPacket("udp", "127.0.0.1:4000")
	b := make([]byte, 1)
	for {
		_, from, _ := c.ReadFrom(b)
		b[0]++
		c.WriteTo(b, from)
	}
}`)
	client := compileText(t, udpHead+`
func main() {
	c, _ := net.Dial("udp", "127.0.0.1:4000")
	b := make([]byte, 1)
	for i := range 2 {
		c.Write([]byte{'0' + byte(i)})
		c.Read(b)
		verify.Assert(b[0] == '1'+byte(i), "another answer")
	}
}`)
	members := []execute.Member{{Name: "server", Program: server, Process: emptyProcess}, {Name: "client", Program: client, Process: emptyProcess}}
	for text, kinds := range map[string][]string{
		"":                     nil,
		"multiply=1,0":         {"deadlock"},
		"multiply=1,2":         {"assert"},
		"send.window=2":        nil, // each waits for the other
		"receive.multiply=2,1": {"assert"},
	} {
		s := udpSettings(t, text)
		plain := searchGroupWith(t, members, s, explore.Options{})
		if got := plain.kinds(); !slices.Equal(got, kinds) {
			t.Errorf("%q: got %v, want %v", text, plain.found(), kinds)
		}
		reduced := searchGroupWith(t, members, s, explore.Options{Reduce: true})
		if c := compareReduced(plain, reduced); c != "" {
			t.Errorf("%q: %s", text, c)
		}
		if c := compareOrder(reduced, searchGroupWith(t, members, s, explore.Options{Reduce: true, Workers: 2})); c != "" {
			t.Errorf("%q, two workers: %s", text, c)
		}
		t.Logf("%q: %d states, %d plain", text, reduced.States, plain.States)
	}
}
