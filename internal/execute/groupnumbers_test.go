package execute_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// TestGroupNumbers: a server that makes its own system calls and hands connections on
// to goroutines, beside clients that do and do not. What is found does not depend on
// reduction.
func TestGroupNumbers(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	const server = rawHelp + `
func main() {
	l, _ := listen(7)
	must(syscall.SetNonblock(l, false))
	numbers, done := make(chan int), make(chan bool)
	for range %d {
		go func() {
			%s
			done <- true
		}()
	}
	for range %d {
		conn, _, err := syscall.Accept(l)
		must(err)
		numbers <- conn
	}
	for range %d {
		<-done
	}
}
`
	const raw = rawHelp + `
func main() {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(err)
	must(syscall.Connect(fd, &syscall.SockaddrInet4{Port: 7, Addr: [4]byte{127, 0, 0, 1}}))
	write(fd, "a")
	write(fd, "b")
}
`
	const kept = `
func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	c.Write([]byte("a"))
	c.Write([]byte("b"))
}
`
	for _, test := range []struct {
		serve   string
		clients []string
		want    string
	}{
		{`fd := <-numbers; must(syscall.SetNonblock(fd, true)); if read(fd) == "" { panic("too early") }`, []string{kept}, "panic"},
		{`fd := <-numbers; must(syscall.SetNonblock(fd, true)); if read(fd) == "" { panic("too early") }`, []string{raw}, "panic"},
		{`if read(<-numbers) == "ab" { panic("both") }`, []string{kept}, "panic"},
		{`fd := <-numbers; if read(fd) == "a" && read(fd) != "b" { panic("lost") }`, []string{raw}, ""},
		{`if s := read(<-numbers); s != "a" && s != "ab" { panic(s) }`, []string{raw, raw}, ""},
	} {
		n := len(test.clients)
		members := []execute.Member{{Name: "server", Program: compileText(t, program(fmt.Sprintf(server, n, test.serve, n, n))), Process: emptyProcess}}
		for i, text := range test.clients {
			members = append(members, execute.Member{Name: fmt.Sprint("client.", i), Program: compileText(t, program(text)), Process: emptyProcess})
		}
		settings := execute.Settings{Delays: sockets.DelayAll}
		plain := searchGroupWith(t, members, settings, explore.Options{})
		reduced := searchGroupWith(t, members, settings, explore.Options{Reduce: true})
		for _, s := range []search{plain, reduced} {
			if got, want := s.kinds(), strings.Fields(test.want); !slices.Equal(got, want) || len(s.Left) > 0 {
				t.Errorf("%s: got %v, want %v: %s", test.serve, got, want, s.Result)
			}
		}
		t.Logf("%s: %d states, %d reduced", test.serve, plain.States, reduced.States)
	}
}

// TestGroupMail: datagrams of sockets that are not connected, in a process of a group.
func TestGroupMail(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	for _, p := range mailArguments {
		members := []execute.Member{{Name: "one", Program: compileText(t, program(p.body)), Process: emptyProcess}}
		plain := searchGroupWith(t, members, execute.Settings{}, explore.Options{})
		reduced := searchGroupWith(t, members, execute.Settings{}, explore.Options{Reduce: true})
		for _, s := range []search{plain, reduced} {
			if got, want := s.kinds(), strings.Fields(p.want); !slices.Equal(got, want) || len(s.Left) > 0 {
				t.Errorf("%s: got %v, want %v: %s", p.name, got, want, s.Result)
			}
		}
		if p.body == independentMail && 4*reduced.States > 3*plain.States {
			t.Errorf("%s: got %d states, %d without reduction", p.name, reduced.States, plain.States)
		}
		t.Logf("%s: %d states, %d reduced", p.name, plain.States, reduced.States)
	}
}

// mailArguments attack that it is taken to be known who sends to a port
// (kernel/sockets/owner.go).
var mailArguments = []argument{
	{"two send to one", "panic", mailHelp + `
func main() {
	a, b, c := open(7), open(8), open(9)
	go send(b, 7, "b")
	go send(c, 7, "c")
	if receive(a)+receive(a) == "cb" {
		panic("the other order")
	}
}`},
	{"who is asked answers", "", mailHelp + `
func serve(c *net.UDPConn) {
	buf := make([]byte, 9)
	n, from, err := c.ReadFromUDP(buf)
	must(err)
	c.WriteToUDP(append(buf[:n], '!'), from)
}

func main() {
	a, b := open(7), open(8)
	go serve(a)
	send(b, 7, "x")
	if receive(b) != "x!" {
		panic("wrong answer")
	}
}`},
	{"one sends what it was told to", "panic", mailHelp + `
func main() {
	a, b, c := open(7), open(8), open(9)
	texts := make(chan string, 1)
	go func() { send(b, 7, "b"); texts <- "late" }()
	go func() { send(c, 7, "c"); send(c, 7, <-texts) }()
	if receive(a)+receive(a)+receive(a) == "blatec" {
		panic("never")
	}
	go send(b, 7, "1")
	go send(a, 7, "2")
	if receive(a) == "2" {
		panic("own first")
	}
}`},
	{"a socket is gone and another one has its port", "panic", mailHelp + `
func main() {
	a, b := open(7), open(8)
	go send(b, 7, "x")
	a.Close()
	c := open(7)
	c.SetReadDeadline(time.Now().Add(time.Second))
	if n, _, _ := c.ReadFromUDP(make([]byte, 9)); n > 0 {
		panic("meant for another one")
	}
}`},
	{"a connected socket and one that is not", "panic", mailHelp + `
func main() {
	a := open(7)
	c, err := net.DialUDP("udp", nil, &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7})
	must(err)
	b := open(8)
	go func() { c.Write([]byte("c")) }()
	go send(b, 7, "b")
	if receive(a) == "b" {
		panic("was faster")
	}
}`},
	{"datagrams of their own", "", independentMail},
}

// mailHelp sends and receives datagrams by sockets that are not connected.
const mailHelp = `
func must(err error) {
	if err != nil {
		panic(err)
	}
}

func open(port int) *net.UDPConn {
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	must(err)
	return c
}

func send(c *net.UDPConn, port int, s string) {
	c.WriteToUDP([]byte(s), &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
}

func receive(c *net.UDPConn) string {
	b := make([]byte, 9)
	n, _, err := c.ReadFromUDP(b)
	must(err)
	return string(b[:n])
}
`

// independentMail are two pairs of goroutines that send datagrams to each other.
const independentMail = mailHelp + `
func ping(c *net.UDPConn, port int) {
	send(c, port, "ping")
	if receive(c) != "pong" {
		panic("lost")
	}
}

func pong(c *net.UDPConn, port int) {
	if receive(c) != "ping" {
		panic("lost")
	}
	send(c, port, "pong")
}

func main() {
	for i := range 2 {
		a, b := open(100+i), open(200+i)
		go ping(a, 200+i)
		go pong(b, 100+i)
	}
}`
