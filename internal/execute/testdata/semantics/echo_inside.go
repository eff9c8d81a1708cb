// want: verified

package main

import (
	"net"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	go func() {
		if c, err := l.Accept(); err == nil {
			c.Write([]byte("a"))
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	b := make([]byte, 1)
	if n, _ := c.Read(b); n != 1 || b[0] != 'a' {
		panic(n)
	}
	c.Close()
}
