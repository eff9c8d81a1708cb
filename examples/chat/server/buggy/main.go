// Server is a chat room that speaks without looking who is there.
//
// The bug: say reads the list of members without the mutex, while others join and
// leave. heddle check reports the race as soon as there are two clients. The cure
// is in the folder above.
//
// Finding: race.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"slices"
	"sync"
)

// A room knows who is in it, in the order in which they came.
type room struct {
	mu      sync.Mutex
	members []net.Conn
}

func (r *room) join(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members = append(r.members, c)
}

func (r *room) leave(c net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members = slices.DeleteFunc(r.members, func(m net.Conn) bool { return m == c })
}

// say sends a line to all members. That one of them has just gone is not an
// error: its own goroutine will notice.
func (r *room) say(line string) {
	for _, m := range r.members { // BUG: without the mutex
		io.WriteString(m, line+"\n")
	}
}

// serve listens to one member until it goes.
func (r *room) serve(c net.Conn) {
	defer c.Close()
	defer r.leave(c)
	in := bufio.NewScanner(c)
	for in.Scan() {
		r.say(in.Text())
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6667", "address to listen on")
	n := flag.Int("n", 2, "number of clients that are let in, 0 for no end")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	fmt.Println("listening on", l.Addr())
	var r room
	var wg sync.WaitGroup
	for i := 0; *n == 0 || i < *n; i++ {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		r.join(c)
		wg.Go(func() { r.serve(c) })
	}
	wg.Wait()
}
