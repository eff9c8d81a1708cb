package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"regexp"
	"strings"
	"syscall"
)

// names are what ports are called in the output: their numbers differ from one
// machine to the other.
type names map[string]string

var port = regexp.MustCompile(`(127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[[0-9a-f:.]+\]):(\d+)`)

// text replaces the ports in a text by their names.
func (n names) text(s string) string {
	s = strings.ReplaceAll(s, unique, "")
	return port.ReplaceAllStringFunc(s, func(addr string) string {
		i := strings.LastIndexByte(addr, ':')
		name, ok := n[addr[i+1:]]
		switch {
		case addr[i+1:] == "0":
			name = "0"
		case !ok:
			name = "unknown"
		}
		return addr[:i+1] + name
	})
}

// show prints an error with all that programs ask of it.
func (n names) show(err error) string {
	if err == nil {
		return "ok"
	}
	var b strings.Builder
	b.WriteString(n.text(err.Error()))
	for _, is := range []struct {
		err  error
		name string
	}{{io.EOF, "EOF"}, {net.ErrClosed, "closed"}, {os.ErrDeadlineExceeded, "deadline"}} {
		if errors.Is(err, is.err) {
			b.WriteString(" [" + is.name + "]")
		}
	}
	if e := net.Error(nil); errors.As(err, &e) && e.Timeout() {
		b.WriteString(" [timeout]")
	}
	if e := syscall.Errno(0); errors.As(err, &e) {
		fmt.Fprintf(&b, " [errno %d]", int(e))
	}
	return b.String()
}

// portOf returns the port of an address, "" if it has none.
func portOf(a net.Addr) string {
	switch a := a.(type) {
	case *net.TCPAddr:
		return fmt.Sprint(a.Port)
	case *net.UDPAddr:
		return fmt.Sprint(a.Port)
	}
	return ""
}

// with returns the names and one more for the port of an address.
func (n names) with(a net.Addr, name string) names {
	m := names{}
	for k, v := range n {
		m[k] = v
	}
	if p := portOf(a); p != "" && m[p] == "" {
		m[p] = name
	}
	return m
}
