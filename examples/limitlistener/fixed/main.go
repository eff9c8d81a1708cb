// A server that lets in one client at a time, by LimitListener of package
// golang.org/x/net/netutil, and is shut down while that client is still there. Who
// accepts connections has to be told so: Accept must return an error.
//
// In folder stuck it does not, since the version of the package is that before the
// cure of golang/go#24458: Accept waits until the client goes. Folder fixed has the
// version with the cure; the program is the same.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"sync"

	"golang.org/x/net/netutil"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:7777", "address to listen on")
	flag.Parse()

	inner, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	l := netutil.LimitListener(inner, 1)
	fmt.Println("listening on", l.Addr())

	clients := make(chan net.Conn, 1)
	var handlers sync.WaitGroup
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			handlers.Go(func() {
				io.Copy(io.Discard, conn)
				conn.Close()
			})
			clients <- conn
		}
	}()

	held := <-clients
	fmt.Println("one client")
	l.Close()
	<-stopped
	held.Close()
	handlers.Wait()
	fmt.Println("stopped")
}
