// Client says one line in a chat room, waits until the room says something, which
// is its own line or that of another client, and leaves.
//
// The clients of paper 000 begin each message with their name. With a cache that
// has one answer for each connection they must not, since the names would come in
// another order under another schedule; so there is a name only if one is given.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:6667", "address of the server")
	name := flag.String("name", "", "who speaks")
	flag.Int("n", 0, "is not looked at")
	flag.Parse()

	conn, err := net.Dial("tcp", *addr)
	if err != nil {
		log.Print(err) // the room has closed
		return
	}
	defer conn.Close()
	if _, err := fmt.Fprintf(conn, "%shello\n", *name); err != nil {
		log.Print(err)
		return
	}
	in := bufio.NewScanner(conn)
	if !in.Scan() {
		fmt.Println("nobody let us in")
		return
	}
	fmt.Println("heard", in.Text())
}
