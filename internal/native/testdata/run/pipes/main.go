// Pipes is a program of goroutines that wait for each other through the
// operating system, with deadlines and signals.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	go func() {
		for i := range 3 {
			fmt.Fprintf(w, "msg %d\n", i)
			time.Sleep(time.Millisecond)
		}
		w.Write(bytes.Repeat([]byte("z"), 200_000)) // more than fits
		w.Close()
	}()
	all, err := io.ReadAll(r)
	fmt.Printf("%d %q %v\n", len(all), all[:6], err)

	r, w, _ = os.Pipe()
	r.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err, errors.Is(err, os.ErrDeadlineExceeded))
	r.SetReadDeadline(time.Time{})
	go func() {
		time.Sleep(time.Millisecond)
		r.Close()
	}()
	_, err = r.Read(make([]byte, 1))
	fmt.Println(err, errors.Is(err, os.ErrClosed))
	_, err = w.Write([]byte("x"))
	fmt.Println(errors.Is(err, syscall.EPIPE))

	var p [2]int
	syscall.Pipe(p[:]) // blocking, without the poller
	go func() {
		time.Sleep(time.Millisecond)
		syscall.Write(p[1], []byte("raw"))
	}()
	buf := make([]byte, 10)
	n, err := syscall.Read(p[0], buf)
	fmt.Printf("%q %v\n", buf[:n], err)

	keep(p)

	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	syscall.Kill(syscall.Getpid(), syscall.SIGUSR1)
	fmt.Println(<-c)
	signal.Stop(c)
}

// keep blocks a writer whose bytes nothing but the system call refers to, and
// collects garbage meanwhile.
func keep(p [2]int) {
	syscall.Write(p[1], make([]byte, 65536)) // it is full now
	done := make(chan syscall.Errno)
	go func() {
		b := bytes.Repeat([]byte("k"), 100)
		_, _, err := syscall.Syscall(syscall.SYS_WRITE, uintptr(p[1]), uintptr(unsafe.Pointer(&b[0])), 100)
		done <- err
	}()
	time.Sleep(time.Millisecond)
	runtime.GC()
	var garbage [][]byte
	for i := range 100 {
		garbage = append(garbage, bytes.Repeat([]byte("g"), 100+i%2))
	}
	runtime.KeepAlive(garbage)
	buf := make([]byte, 65536)
	n, err := syscall.Read(p[0], buf)
	fmt.Println(n, err, <-done)
	n, err = syscall.Read(p[0], buf)
	fmt.Printf("%d %q %v\n", n, buf[:3], err)
}
