// Server counts its visitors, and may count two as one.
//
// The bug: the handler counts without a mutex, although package net/http calls it
// in a goroutine for each connection. heddle check reports the race with two
// clients. The cure is in the folder above.
//
// Finding: race.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"sync"
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
	n := flag.Int("n", 2, "number of connections to serve")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr())
	var visitors sync.WaitGroup
	visitors.Add(*n)
	srv := &http.Server{
		Handler: new(counter),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateClosed {
				visitors.Done()
			}
		},
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	})
	visitors.Wait()
	srv.Close()
	wg.Wait()
}
