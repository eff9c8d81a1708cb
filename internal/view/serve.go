package view

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// Serve shows a page on a listener of this machine, under a name that nobody can guess, until the context ends. Ready is told the address. Whoever
// asks under another host name, or for anything else, gets nothing. One page needs so little of HTTP that net/http, which is a tenth of
// the command, is not linked for it.
func Serve(ctx context.Context, l net.Listener, page []byte, ready func(url string)) error {
	s := &server{page: page, path: "/" + rand.Text() + "/", host: l.Addr().String()}
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	ready("http://" + s.host + s.path)
	for {
		c, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		go s.answer(c)
	}
}

// A server answers requests for one page.
type server struct {
	page       []byte
	path, host string
}

// maxRequest bounds what is read of a request, and patience how long one is waited for.
const (
	maxRequest = 16 << 10
	patience   = 30 * time.Second
)

// answer answers one request and ends the connection.
func (s *server) answer(c net.Conn) {
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(patience))
	method, path, host, ok := readRequest(io.LimitReader(c, maxRequest))
	status, kind, body := "404 Not Found", "text/plain", []byte("not found\n")
	switch {
	case !ok:
		status, body = "400 Bad Request", []byte("bad request\n")
	case host != s.host || subtle.ConstantTimeCompare([]byte(path), []byte(s.path)) != 1:
	case method != "GET" && method != "HEAD":
		status, body = "405 Method Not Allowed", []byte("not allowed\n")
	default:
		status, kind, body = "200 OK", "text/html", s.page
	}
	fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\nContent-Length: %d\r\nX-Content-Type-Options: nosniff\r\n"+
		"Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nX-Frame-Options: DENY\r\nConnection: close\r\n\r\n", status, kind, len(body))
	if method != "HEAD" {
		_, _ = c.Write(body) // who is gone does not want it
	}
}

// readRequest reads the head of a request.
func readRequest(r io.Reader) (method, path, host string, ok bool) {
	in := bufio.NewReader(r)
	for first := true; ; first = false {
		line, err := in.ReadString('\n')
		if err != nil {
			return "", "", "", false
		}
		line = strings.TrimRight(line, "\r\n")
		switch {
		case first:
			f := strings.Split(line, " ")
			if len(f) != 3 || !strings.HasPrefix(f[2], "HTTP/1.") {
				return "", "", "", false
			}
			method, path = f[0], f[1]
		case line == "":
			return method, path, host, true
		default:
			name, value, found := strings.Cut(line, ":")
			if !found {
				return "", "", "", false
			}
			if strings.EqualFold(name, "Host") {
				if host != "" {
					return "", "", "", false
				}
				host = strings.TrimSpace(value)
			}
		}
	}
}
