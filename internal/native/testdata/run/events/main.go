// This program waits for events with the system calls themselves, by package
// syscall and golang.org/x/sys/unix.
package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

func main() {
	epoll()
	nested()
	pollAndSelect()
	timers()
	connect()
	vectors()
	datagrams()
	descriptors()
	waiting()
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// told prints what an epoll has to tell, by the names in its data.
func told(ep, limit int) {
	events := make([]unix.EpollEvent, 8)
	n := must(unix.EpollWait(ep, events, limit))
	for _, ev := range events[:n] {
		fmt.Printf(" %c:%#x", ev.Fd, ev.Events)
	}
	fmt.Println()
}

func add(ep, fd int, name rune, events uint32) {
	check(unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: events, Fd: int32(name)}))
}

func epoll() {
	ep := must(unix.EpollCreate1(unix.EPOLL_CLOEXEC))
	var p, q [2]int
	check(unix.Pipe2(p[:], unix.O_NONBLOCK))
	check(unix.Pipe2(q[:], unix.O_NONBLOCK))
	count := must(unix.Eventfd(0, unix.EFD_NONBLOCK))
	add(ep, p[0], 'l', unix.EPOLLIN)
	add(ep, q[0], 'e', unix.EPOLLIN|unix.EPOLLET)
	add(ep, count, 'o', unix.EPOLLIN|unix.EPOLLONESHOT)
	told(ep, 0)
	one := binary.LittleEndian.AppendUint64(nil, 1)
	for range 2 {
		must(unix.Write(p[1], []byte("ab")))
		must(unix.Write(q[1], []byte("ab")))
		must(unix.Write(count, one))
		told(ep, -1)
		told(ep, 0)
	}
	check(unix.EpollCtl(ep, unix.EPOLL_CTL_MOD, count, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: 'O'}))
	told(ep, 0)
	fmt.Println(unix.EpollCtl(ep, unix.EPOLL_CTL_ADD, count, &unix.EpollEvent{}), unix.EpollCtl(ep, unix.EPOLL_CTL_DEL, q[1], nil))
	buf := make([]byte, 8)
	fmt.Println(must(unix.Read(count, buf)), buf)
	_, err := unix.Read(count, buf)
	fmt.Println(err)
	check(unix.Close(p[1]))
	check(unix.Close(q[0]))
	told(ep, 0)
	for _, fd := range []int{ep, p[0], q[1], count} {
		check(unix.Close(fd))
	}
}

func nested() {
	outer, inner := must(unix.EpollCreate1(0)), must(unix.EpollCreate1(0))
	var p [2]int
	check(syscall.Pipe2(p[:], 0))
	add(outer, inner, 'i', unix.EPOLLIN)
	add(inner, p[0], 'p', unix.EPOLLIN)
	fmt.Println(unix.EpollCtl(inner, unix.EPOLL_CTL_ADD, outer, &unix.EpollEvent{Events: unix.EPOLLIN}))
	done := make(chan bool)
	go func() {
		told(outer, -1) // waits for the writer
		done <- true
	}()
	must(unix.Write(p[1], []byte("x")))
	<-done
	told(inner, 1000)
	for _, fd := range []int{outer, inner, p[0], p[1]} {
		check(unix.Close(fd))
	}
}

func pollAndSelect() {
	pair := must(unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0))
	fds := []unix.PollFd{{Fd: int32(pair[0]), Events: unix.POLLIN | unix.POLLOUT}, {Fd: -1, Events: unix.POLLIN}, {Fd: 99, Events: unix.POLLIN}}
	fmt.Println(must(unix.Poll(fds, 10)), fds[0].Revents, fds[1].Revents, fds[2].Revents)
	fds = []unix.PollFd{{Fd: int32(pair[0]), Events: unix.POLLIN}}
	fmt.Println(must(unix.Poll(fds, 5)), fds[0].Revents)
	var r, w unix.FdSet
	r.Set(pair[0])
	fmt.Println(must(unix.Select(pair[0]+1, &r, nil, nil, &unix.Timeval{Usec: 2000})), r.IsSet(pair[0]))
	done := make(chan bool)
	go func() {
		var r unix.FdSet
		r.Set(pair[0])
		fmt.Println(must(unix.Pselect(pair[0]+1, &r, nil, nil, nil, nil)), r.IsSet(pair[0]))
		done <- true
	}()
	must(unix.Write(pair[1], []byte("x")))
	<-done
	r.Set(pair[0])
	w.Set(pair[0])
	fmt.Println(must(unix.Select(pair[1]+1, &r, &w, nil, nil)), r.IsSet(pair[0]), w.IsSet(pair[0]))
	check(unix.Close(pair[1]))
	fmt.Println(must(unix.Ppoll(fds, nil, nil)), fds[0].Revents)
	check(unix.Close(pair[0]))
}

func timers() {
	t := must(unix.TimerfdCreate(unix.CLOCK_MONOTONIC, 0))
	buf := make([]byte, 8)
	check(unix.TimerfdSettime(t, 0, &unix.ItimerSpec{Value: unix.Timespec{Nsec: 2e6}}, nil))
	fmt.Println(must(unix.Read(t, buf)), buf) // waits
	ep := must(unix.EpollCreate1(0))
	add(ep, t, 't', unix.EPOLLIN)
	told(ep, 0)
	check(unix.TimerfdSettime(t, 0, &unix.ItimerSpec{Value: unix.Timespec{Nsec: 2e6}}, nil))
	told(ep, -1)
	check(unix.TimerfdSettime(t, 0, &unix.ItimerSpec{}, nil))
	told(ep, 1)
	var now unix.ItimerSpec
	check(unix.TimerfdGettime(t, &now))
	fmt.Println(now)
	check(unix.Close(t))
	check(unix.Close(ep))
}

// connect makes a connection without waiting for it.
func connect() {
	l := must(unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0))
	check(unix.Bind(l, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	to := must(unix.Getsockname(l))
	a := must(unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0))
	fmt.Println(unix.Connect(a, to))
	fds := []unix.PollFd{{Fd: int32(a), Events: unix.POLLOUT}}
	fmt.Println(must(unix.Poll(fds, -1)), fds[0].Revents)
	fmt.Println(must(unix.GetsockoptInt(a, unix.SOL_SOCKET, unix.SO_ERROR)))
	check(unix.Listen(l, 1))
	fmt.Println(unix.Connect(a, to))
	for unix.Connect(a, to) == unix.ECONNABORTED { // of the first attempt
	}
	fmt.Println(must(unix.Poll(fds, -1)), fds[0].Revents&unix.POLLERR)
	fmt.Println(must(unix.GetsockoptInt(a, unix.SOL_SOCKET, unix.SO_ERROR)))
	b, _, err := unix.Accept4(l, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	check(err)
	_, _, err = unix.Accept4(l, 8)
	fmt.Println(err)
	buf := make([]byte, 4)
	_, err = unix.Read(b, buf)
	fmt.Println(err)
	check(unix.SetNonblock(b, false))
	done := make(chan bool)
	go func() {
		fmt.Println(must(unix.Read(b, buf)), string(buf)) // waits
		done <- true
	}()
	must(unix.Write(a, []byte("data")))
	<-done
	check(unix.SetNonblock(b, true))
	_, err = unix.Read(b, buf)
	fmt.Println(err)
	for _, fd := range []int{l, a, b} {
		check(unix.Close(fd))
	}
}

func vectors() {
	var p [2]int
	check(unix.Pipe2(p[:], 0))
	fmt.Println(must(unix.Writev(p[1], [][]byte{[]byte("ab"), nil, []byte("cde")})))
	x, y := make([]byte, 3), make([]byte, 3)
	fmt.Println(must(unix.Readv(p[0], [][]byte{x, y})), string(x), string(y))
	check(unix.Close(p[0]))
	check(unix.Close(p[1]))
}

func datagrams() {
	a, b := must(unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)), must(unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0))
	for _, fd := range []int{a, b} {
		check(unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	}
	to := must(unix.Getsockname(b))
	check(unix.Sendto(a, []byte("hello"), 0, to))
	check(unix.Sendmsg(a, []byte("world"), nil, to, 0))
	buf := make([]byte, 3)
	n, _, flags, from, err := unix.Recvmsg(b, buf, nil, 0)
	fmt.Println(n, string(buf), flags == unix.MSG_TRUNC, from.(*unix.SockaddrInet4).Port == must(unix.Getsockname(a)).(*unix.SockaddrInet4).Port, err)
	n, _, err = unix.Recvfrom(b, buf, unix.MSG_TRUNC|unix.MSG_PEEK)
	fmt.Println(n, string(buf), err)
	check(unix.Connect(a, to))
	check(unix.Close(b))
	must(unix.Write(a, []byte("lost")))
	fds := []unix.PollFd{{Fd: int32(a), Events: unix.POLLIN}}
	fmt.Println(must(unix.Poll(fds, -1)), fds[0].Revents)
	_, err = unix.Write(a, []byte("refused"))
	fmt.Println(err, errors.Is(err, unix.ECONNREFUSED))
	check(unix.Close(a))
}

func descriptors() {
	var p [2]int
	check(unix.Pipe2(p[:], unix.O_CLOEXEC))
	fmt.Println(must(unix.Dup(p[1]))-p[1], unix.Dup3(p[1], 20, unix.O_CLOEXEC), unix.Dup3(p[1], p[1], 0), unix.Dup2(p[1], p[1]))
	fmt.Println(must(unix.FcntlInt(20, unix.F_GETFD, 0)), must(unix.FcntlInt(20, unix.F_DUPFD, 30)))
	for _, fd := range []int{p[1], p[1] + 1, 20, 30} {
		check(unix.Close(fd))
	}
	fmt.Println(must(unix.Read(p[0], make([]byte, 1))), "end of file")
	check(unix.Close(p[0]))
}

// waiting has several goroutines wait for the same epoll.
func waiting() {
	ep, count := must(unix.EpollCreate1(0)), must(unix.Eventfd(0, unix.EFD_SEMAPHORE))
	add(ep, count, 'c', unix.EPOLLIN)
	done := make(chan int)
	for range 3 {
		go func() {
			events := make([]unix.EpollEvent, 1)
			n := must(unix.EpollWait(ep, events, -1))
			buf := make([]byte, 8)
			done <- n * must(unix.Read(count, buf))
		}()
	}
	for range 3 {
		must(unix.Write(count, binary.LittleEndian.AppendUint64(nil, 1)))
	}
	fmt.Println(<-done, <-done, <-done)
}
