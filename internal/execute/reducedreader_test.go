package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
)

// ends makes both ends of a connection.
const ends = `
func ends() (near, far *net.TCPConn) {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := net.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	a, err := l.Accept()
	if err != nil {
		panic(err)
	}
	return a.(*net.TCPConn), c.(*net.TCPConn)
}
`

// readers are arguments about who waits before the lock of a connection until there is
// something to read (native/pollreader.go).
var readers = []argument{
	{"where somebody closes under a reader, the end is neither open nor closed", "panic", ends + `
func main() {
	near, far := ends()
	go near.Read(make([]byte, 1))
	go near.Close()
	if _, err := near.Write([]byte("a")); err != nil {
		far.Write([]byte("x"))
		if _, err := far.Write([]byte("y")); err == nil {
			panic("still open")
		}
	}
}`},
	{"who closes after the reader has got something does not", "", ends + `
func main() {
	near, far := ends()
	got := make(chan bool)
	go func() {
		near.Read(make([]byte, 1))
		got <- true
	}()
	far.Write([]byte("x"))
	<-got
	near.Close()
	far.Write([]byte("x"))
	if _, err := far.Write([]byte("y")); err == nil {
		panic("still open")
	}
}`},
	{"either of two readers may get something", "panic", ends + `
func main() {
	near, far := ends()
	got := make(chan int, 2)
	for i := range 2 {
		go func() {
			b := make([]byte, 1)
			near.Read(b)
			got <- i*2 + int(b[0]-'x')
		}()
	}
	far.Write([]byte("x"))
	far.Write([]byte("y"))
	if a, b := <-got, <-got; a+b == 3 && (a == 3 || b == 3) {
		panic("the first one has got the first")
	}
}`},
	{"to read nothing is not to wait, unless another one does", "deadlock panic", ends + `
func main() {
	near, _ := ends()
	go func() {
		near.Read(nil)
		panic("read")
	}()
	near.Read(make([]byte, 1))
}`},
	{"what is called back is called also if there is nothing to read", "panic", ends + `
func main() {
	near, far := ends()
	raw, _ := near.SyscallConn()
	go raw.Read(func(uintptr) bool { panic("called") })
	far.Read(make([]byte, 1))
}`},
	{"what is called back is not called while another one waits", "deadlock panic", ends + `
func main() {
	near, _ := ends()
	raw, _ := near.SyscallConn()
	go raw.Read(func(uintptr) bool { panic("called") })
	near.Read(make([]byte, 1))
}`},
	{"a deadline ends the wait of another one", "panic", ends + `
func main() {
	near, far := ends()
	go near.SetReadDeadline(time.Unix(1, 0))
	if _, err := near.Read(make([]byte, 1)); err != nil {
		panic("too late")
	}
	far.Close()
}`},
	{"who is inside when a deadline is set may get what comes after it", "panic", ends + `
func main() {
	near, far := ends()
	got := make(chan int)
	go func() {
		n, _ := near.Read(make([]byte, 1))
		got <- n
	}()
	near.SetReadDeadline(time.Unix(1, 0))
	far.Write([]byte("x"))
	if <-got == 1 {
		panic("in spite of the deadline")
	}
}`},
	{"no more of the other end, or of this one", "panic", ends + `
func main() {
	near, far := ends()
	go near.CloseRead()
	go far.CloseWrite()
	if n, err := near.Read(make([]byte, 1)); n == 0 && err != nil {
		panic("the end")
	}
}`},
	{"the number of a descriptor is closed under a reader", "", ends + `
func main() {
	near, far := ends()
	raw, _ := near.SyscallConn()
	var fd int
	raw.Control(func(n uintptr) { fd = int(n) })
	done := make(chan bool)
	go func() {
		near.Read(make([]byte, 1))
		done <- true
	}()
	syscall.Close(fd)
	<-done
	far.Close()
}`},
	{"what cannot come is waited for, for ever", "deadlock", ends + `
func main() {
	near, far := ends()
	done := make(chan bool)
	go func() {
		near.Read(make([]byte, 1))
		done <- true
	}()
	<-done
	far.Close()
}`},
}

// TestReadersTold: what is said of two who wait to read does not depend on who of them has
// the lock, if anybody has it.
func TestReadersTold(t *testing.T) {
	prog := compileText(t, program(ends+`
func main() {
	near, _ := ends()
	for range 2 {
		go func() { near.Read(make([]byte, 1)) }()
	}
}`))
	plain, err := searchFor(prog, way{Options: explore.Options{All: true}})
	if err != nil {
		t.Fatal(err)
	}
	reduced, err := searchFor(prog, way{Options: explore.Options{All: true, Reduce: true}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := reduced.found(), plain.found(); !slices.Equal(got, want) || len(want) != 1 {
		t.Errorf("got %q, want %q", got, want)
	}
}
