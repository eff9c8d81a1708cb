// want: violation panic

package main

import (
	"sync"
	"syscall"
	"time"
)

var epoll, r, w int
var start time.Time

func worker(ms int, wg *sync.WaitGroup) {
	events := make([]syscall.EpollEvent, 1)
	if n, _ := syscall.EpollWait(epoll, events, ms); n > 0 {
		var b [1]byte
		syscall.Read(r, b[:])
	} else if time.Since(start) < 80*time.Second {
		panic("early")
	}
	wg.Done()
}

// Two goroutines are not alike if one of them waits for longer.
func main() {
	start = time.Now()
	epoll, _ = syscall.EpollCreate1(0)
	var p [2]int
	syscall.Pipe2(p[:], syscall.O_NONBLOCK)
	r, w = p[0], p[1]
	e := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(r)}
	syscall.EpollCtl(epoll, syscall.EPOLL_CTL_ADD, r, &e)
	var wg sync.WaitGroup
	wg.Add(2)
	go worker(50000, &wg)
	go worker(100000, &wg)
	time.Sleep(10 * time.Second)
	syscall.Write(w, []byte{1})
	wg.Wait()
}
