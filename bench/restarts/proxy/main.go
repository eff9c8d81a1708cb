// Command proxy stands between two clients and a store.
package main

import (
	"io"
	"net"
	"sync"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for range 2 {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		wg.Go(func() {
			defer c.Close()
			s, err := net.Dial("tcp", "127.0.0.1:6379")
			if err != nil {
				panic(err)
			}
			defer s.Close()
			wg.Go(func() { io.Copy(c, s) })
			io.Copy(s, c)
			s.(*net.TCPConn).CloseWrite()
		})
	}
	wg.Wait()
}
