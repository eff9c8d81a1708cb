// Server counts its visitors. It is a server of package net/http, each connection
// has a goroutine, and the counter has a mutex. In folder buggy it has none.
//
// See the README of the folder above for how it is checked.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
)

// A counter is a handler that tells each visitor his number.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.mu.Lock()
	c.n++
	n := c.n
	c.mu.Unlock()
	fmt.Fprintf(w, "visitor %d\n", n)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr())
	log.Fatal(http.Serve(l, new(counter)))
}
