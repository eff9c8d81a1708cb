package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// unique is part of the names that all processes of the host share. It is not
// printed.
var unique = fmt.Sprint(os.Getpid(), "-", os.Getenv("UNIQUE"), "-")

// backlog makes the queue of a listener short, below package net's back.
func backlog(w *world, l *listener, b, n int) string {
	raw, err := l.Listener.(syscall.Conn).SyscallConn()
	if err != nil {
		return l.show(err)
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = syscall.Listen(int(fd), n%3) })
	l.short = l.short || err == nil && failed == nil
	return l.show(err) + " " + l.show(failed)
}

// pending error of a connection, which getsockopt takes.
func pendingError(w *world, c *conn, b, n int) string {
	raw, err := c.Conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return c.show(err)
	}
	v := 0
	var failed error
	err = raw.Control(func(fd uintptr) {
		v, failed = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_ERROR)
	})
	return fmt.Sprint(v, " ", c.show(err), " ", c.show(failed))
}

// rawRead reads from the descriptor of a connection, which does not wait. If b is odd it leaves there what it has read.
func rawRead(w *world, c *conn, b, n int) string {
	if c.reading {
		return "busy"
	}
	return c.raw(func(fd int) string {
		buf := make([]byte, n)
		if b%2 == 1 {
			n, _, err := syscall.Recvfrom(fd, buf, syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
			return fmt.Sprintf("%q %s", buf[:max(n, 0)], c.show(err))
		}
		n, err := syscall.Read(fd, buf)
		return fmt.Sprintf("%q %s", buf[:max(n, 0)], c.show(err))
	})
}

// rawWrite writes to the descriptor of a connection.
func rawWrite(w *world, c *conn, b, n int) string {
	if c.writing {
		return "busy"
	}
	data := strings.Repeat(string(rune('A'+w.num%26)), n)
	return c.raw(func(fd int) string {
		n, err := syscall.Write(fd, []byte(data))
		return fmt.Sprint(n, " ", c.show(err))
	})
}

// raw calls f with the descriptor of a connection.
func (c *conn) raw(f func(fd int) string) string {
	raw, err := c.Conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return c.show(err)
	}
	text := ""
	err = raw.Control(func(fd uintptr) { text = f(int(fd)) })
	return text + " " + c.show(err)
}

// operations are what a script can say.
var operations = map[string]func(w *world, a, b, n int) string{
	"listen":    listen,
	"relisten":  onListener(relisten),
	"dial":      onListener(dial),
	"accept":    onListener(accept),
	"backlog":   onListener(backlog),
	"unlisten":  onListener(closeListener),
	"until":     onListener(deadlineListener),
	"read":      onConn(read),
	"write":     onFree(write),
	"fill":      onFree(fill),
	"shutread":  onFree(closeRead),
	"shutwrite": onFree(closeWrite),
	"close":     onFree(closeConn),
	"linger":    onConn(linger),
	"abort":     onFree(abort),
	"deadline":  onConn(deadline),
	"addresses": onConn(addresses),
	"dup":       onConn(duplicate),
	"options":   onConn(options),
	"error":     onConn(pendingError),
	"rawread":   onFree(rawRead),
	"rawwrite":  onFree(rawWrite),
	"packet":    packet,
	"talk":      onPacket(talk),
	"send":      onPacket(send),
	"receive":   onPacket(receive),
	"limit":     onPacket(deadlinePacket),
	"finish":    onPacket(closePacket),
}
