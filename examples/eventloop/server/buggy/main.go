// Server is a small HTTP server with an event loop and workers, if it comes to it.
//
// The bug: a worker that is done forgets its event without the lock under which the
// selector looks for a worker that has none. That is a race, and an event may be
// forgotten that the worker was just given. It is the race of rupy 0.4.4 that paper
// 003, section V.C, has found. The cure: the lock, as in the folder above.
//
// Finding: race.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"log"
	"net/netip"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/verify"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8000", "address to listen on")
	n := flag.Int("n", 2, "number of connections to serve, 0 for no end")
	workers := flag.Int("workers", 2, "number of workers")
	flag.Parse()

	d, err := listen(*addr, *workers)
	if err != nil {
		log.Fatal(err)
	}
	if err := d.run(*n); err != nil {
		log.Fatal(err)
	}
}

// A daemon is the selector: an epoll with the port, the connections and a bell that
// workers ring when they are done with a connection.
type daemon struct {
	poll, port, bell int
	events           map[int]*event // by descriptor; the selector's own
	workers          []*worker

	mu    sync.Mutex
	queue []*event // what no worker had time for
}

// An event is a connection on which something happens.
type event struct {
	fd      int
	in, out []byte
}

// A worker works at one event at a time.
type worker struct {
	d     *daemon
	wake  chan bool
	event *event // nil if it has none; guarded by the mutex of the daemon
}

// listen opens the port.
func listen(addr string, workers int) (*daemon, error) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil {
		return nil, err
	}
	d := &daemon{events: make(map[int]*event)}
	if d.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	if d.bell, err = unix.Eventfd(0, unix.EFD_NONBLOCK|unix.EFD_CLOEXEC); err != nil {
		return nil, err
	}
	if d.port, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0); err != nil {
		return nil, err
	}
	if err := unix.SetsockoptInt(d.port, unix.SOL_SOCKET, unix.SO_REUSEADDR, 1); err != nil {
		return nil, err
	}
	if err := unix.Bind(d.port, &unix.SockaddrInet4{Port: int(at.Port()), Addr: at.Addr().As4()}); err != nil {
		return nil, err
	}
	if err := unix.Listen(d.port, unix.SOMAXCONN); err != nil {
		return nil, err
	}
	sa, err := unix.Getsockname(d.port)
	if err != nil {
		return nil, err
	}
	bound := sa.(*unix.SockaddrInet4)
	fmt.Println("listening on", netip.AddrPortFrom(netip.AddrFrom4(bound.Addr), uint16(bound.Port)))
	for range workers {
		d.workers = append(d.workers, &worker{d: d, wake: make(chan bool, 1)})
	}
	if err := d.watch(unix.EPOLL_CTL_ADD, d.bell, unix.EPOLLIN); err != nil {
		return nil, err
	}
	return d, d.watch(unix.EPOLL_CTL_ADD, d.port, unix.EPOLLIN)
}

// watch says what epoll is to tell of a descriptor.
func (d *daemon) watch(op, fd int, events uint32) error {
	return unix.EpollCtl(d.poll, op, fd, &unix.EpollEvent{Events: events, Fd: int32(fd)})
}

// run serves n connections.
func (d *daemon) run(n int) error {
	var wg sync.WaitGroup
	for _, w := range d.workers {
		wg.Go(w.run)
	}
	for done := 0; n == 0 || done < n; {
		var events [16]unix.EpollEvent
		ready, err := unix.EpollWait(d.poll, events[:], -1)
		if err != nil && err != unix.EINTR {
			return err
		}
		for _, ev := range events[:max(ready, 0)] {
			switch fd := int(ev.Fd); fd {
			case d.port:
				if err := d.accept(); err != nil {
					return err
				}
			case d.bell:
				done += d.rung()
			default:
				d.employ(d.events[fd])
			}
		}
	}
	for _, w := range d.workers {
		close(w.wake)
	}
	wg.Wait()
	return nil
}

// accept takes one connection.
func (d *daemon) accept() error {
	fd, _, err := unix.Accept4(d.port, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	if err == unix.EAGAIN {
		return nil
	}
	if err != nil {
		return err
	}
	d.events[fd] = &event{fd: fd}
	return d.watch(unix.EPOLL_CTL_ADD, fd, unix.EPOLLIN|unix.EPOLLONESHOT)
}

// rung returns how often the bell was rung.
func (d *daemon) rung() int {
	var b [8]byte
	if _, err := unix.Read(d.bell, b[:]); err != nil {
		return 0
	}
	return int(binary.NativeEndian.Uint64(b[:]))
}

// employ gives an event to a worker that has none.
func (d *daemon) employ(e *event) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range d.workers {
		if w.event == nil {
			w.event = e
			w.wake <- true
			return
		}
	}
	d.queue = append(d.queue, e)
}

// run works at events until there are no more.
func (w *worker) run() {
	for range w.wake {
		w.d.mu.Lock()
		e := w.event
		w.d.mu.Unlock()
		for e != nil {
			w.handle(e)
			e = w.next()
		}
	}
}

// next takes an event that nobody had time for.
func (w *worker) next() *event {
	d := w.d
	w.event = nil // BUG: the selector looks at it under the lock
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.queue) > 0 {
		w.event, d.queue = d.queue[0], d.queue[1:]
	}
	return w.event
}

// answer is what every request gets.
const answer = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nhello\n"

// handle goes on with a connection as far as it can without waiting.
func (w *worker) handle(e *event) {
	for len(e.out) == 0 {
		var b [512]byte
		n, err := unix.Read(e.fd, b[:])
		switch {
		case err == unix.EAGAIN:
			w.again(e, unix.EPOLLIN)
			return
		case err != nil || n == 0:
			w.end(e)
			return
		}
		e.in = append(e.in, b[:n]...)
		if bytes.HasSuffix(e.in, []byte("\r\n\r\n")) {
			e.out = []byte(answer)
		}
	}
	for len(e.out) > 0 {
		n, err := unix.Write(e.fd, e.out)
		switch {
		case err == unix.EAGAIN:
			w.again(e, unix.EPOLLOUT)
			return
		case err != nil:
			w.end(e)
			return
		}
		e.out = e.out[n:]
	}
	w.end(e)
}

// again has the selector look at a connection again.
func (w *worker) again(e *event, events uint32) {
	err := w.d.watch(unix.EPOLL_CTL_MOD, e.fd, events|unix.EPOLLONESHOT)
	verify.Assert(err == nil, "a connection that is not watched")
}

// end closes a connection and rings the bell.
func (w *worker) end(e *event) {
	unix.Close(e.fd)
	one := binary.NativeEndian.AppendUint64(nil, 1)
	_, err := unix.Write(w.d.bell, one)
	verify.Assert(err == nil, "a bell that cannot be rung")
}
