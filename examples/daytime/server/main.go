// Server tells everybody who connects what time it is (RFC 867), one after the
// other. As in paper 000 it is always the same time, so that answers are equal.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
)

const now = "Tuesday, November 10, 2009 23:00:00-UTC\r\n"

func main() {
	addr := flag.String("addr", "127.0.0.1:1313", "address to listen on")
	n := flag.Int("n", 2, "number of connections to serve, 0 for no end")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	fmt.Println("listening on", l.Addr())
	for i := 0; *n == 0 || i < *n; i++ {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		if _, err := io.WriteString(conn, now); err != nil {
			log.Print(err)
		}
		conn.Close()
	}
}
