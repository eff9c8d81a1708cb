// Server counts its visitors, and may count two as one.
//
// The bug: the handler counts without a mutex, although package net/http calls it
// in a goroutine for each connection. heddle check reports the race with two
// clients. The cure is in the folder above.
//
// Finding: race.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
)

// A counter is a handler that tells each visitor his number.
type counter struct {
	n int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	c.n++ // BUG: without a mutex
	fmt.Fprintf(w, "visitor %d\n", c.n)
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
