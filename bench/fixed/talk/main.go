// Command talk has two connections with a server, and uses them at the same time.
//
//	talk tls|http2|postgres right|wrong
//
// The wrong one believes that what it asks first is answered first.
package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
)

// A conn asks for the next number.
type conn interface{ next() string }

func main() {
	var dial func(net.Conn) conn
	switch os.Args[1] {
	case "tls":
		dial = dialTLS
	case "http2":
		dial = dialHTTP2
	case "postgres":
		dial = dialPostgres
	}
	var conns []conn
	for range 2 {
		c, err := net.Dial("tcp", "127.0.0.1:7000")
		must(err)
		conns = append(conns, dial(c))
	}
	var wg sync.WaitGroup
	for i, c := range conns {
		wg.Go(func() {
			n := c.next()
			if os.Args[2] == "wrong" && i == 0 && n != "1" {
				panic("the first one got " + n)
			}
		})
	}
	wg.Wait()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// A tlsConn asks by a line.
type tlsConn struct{ *tls.Conn }

func dialTLS(c net.Conn) conn {
	t := tls.Client(c, &tls.Config{InsecureSkipVerify: true, CurvePreferences: []tls.CurveID{tls.X25519}})
	must(t.Handshake())
	return tlsConn{t}
}

func (c tlsConn) next() string {
	_, err := fmt.Fprintln(c, "next")
	must(err)
	text, err := bufio.NewReader(c).ReadString('\n')
	must(err)
	return strings.TrimSpace(text)
}

// An http2Conn asks by GET.
type http2Conn struct{ net.Conn }

// Kinds and flags of frames.
const (
	frameData, frameHeaders, frameSettings = 0, 1, 4
	endStream, endHeaders                  = 1, 4
)

func frame(kind, flags, stream byte, payload string) string {
	return string([]byte{0, 0, byte(len(payload)), kind, flags, 0, 0, 0, stream}) + payload
}

func dialHTTP2(c net.Conn) conn {
	_, err := io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+frame(frameSettings, 0, 0, ""))
	must(err)
	return http2Conn{c}
}

func (c http2Conn) next() (body string) {
	// GET / of localhost, by the static table of names.
	_, err := io.WriteString(c, frame(frameHeaders, endStream|endHeaders, 1, "\x82\x86\x84\x41\x09localhost"))
	must(err)
	for in := bufio.NewReader(c); ; {
		var head [9]byte
		_, err := io.ReadFull(in, head[:])
		must(err)
		payload := make([]byte, int(head[1])<<8|int(head[2]))
		_, err = io.ReadFull(in, payload)
		must(err)
		if head[3] == frameData {
			body += string(payload)
			if head[4]&endStream != 0 {
				return strings.TrimSpace(body)
			}
		}
	}
}
