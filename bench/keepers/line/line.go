// Package line asks a server that answers lines with lines.
package line

import (
	"bufio"
	"net"
)

// A Conn is a connection with the server.
type Conn struct {
	c  net.Conn
	in *bufio.Scanner
}

// Dial connects to the server.
func Dial() *Conn {
	c, err := net.Dial("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	return &Conn{c, bufio.NewScanner(c)}
}

// Ask sends a line and returns the answer.
func (c *Conn) Ask(text string) string {
	if _, err := c.c.Write([]byte(text + "\n")); err != nil {
		panic(err)
	}
	if !c.in.Scan() {
		panic("no answer to " + text)
	}
	return c.in.Text()
}

// Close ends the connection.
func (c *Conn) Close() { c.c.Close() }
