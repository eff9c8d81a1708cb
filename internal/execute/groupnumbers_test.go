package execute_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel"
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
		settings := execute.Settings{Delays: kernel.DelayAll}
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
