// want: violation deadlock

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
		c, err := l.Accept()
		if err == nil {
			c.Read(make([]byte, 1))
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c.Read(make([]byte, 1))
	c.Close()
}
