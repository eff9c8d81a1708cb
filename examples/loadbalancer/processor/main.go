// Processor prints documents for the clients of the load balancer: it asks whom a
// document is for, sends it, and says that it is done.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"strings"
)

// A balancer answers what it is told, line by line.
type balancer struct {
	conn net.Conn
	in   *bufio.Scanner
}

// say sends a line and returns the verb and the rest of the answer. It returns no
// verb if the balancer has closed the connection.
func (b *balancer) say(line string) (verb, text string) {
	fmt.Fprintln(b.conn, line)
	if !b.in.Scan() {
		if err := b.in.Err(); err != nil {
			log.Fatal(err)
		}
		return "", ""
	}
	verb, text, _ = strings.Cut(b.in.Text(), " ")
	return verb, text
}

// print does one job and returns what happened to it.
func (b *balancer) print(name string) string {
	verb, who := b.say("ask who is " + name + " for?")
	if verb != "data" {
		return verb
	}
	if verb, _ := b.say("tell " + name + " for " + who); verb != "told" {
		return verb
	}
	fmt.Fprintln(b.conn, "done")
	return "done"
}

func main() {
	log.SetFlags(0)
	addr := flag.String("addr", "127.0.0.1:7002", "address of the load balancer for processors")
	n := flag.Int("n", 1, "number of jobs, 0 for no end")
	flag.Parse()

	c, err := net.Dial("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	b := &balancer{c, bufio.NewScanner(c)}
	for k := 0; *n == 0 || k < *n; k++ {
		verb, name := b.say("work")
		if verb == "" {
			return // there are no clients any more
		}
		if verb != "job" {
			log.Fatalf("want a job, got %q", verb)
		}
		fmt.Println(name, b.print(name))
	}
}
