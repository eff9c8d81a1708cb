// Command server answers lines:
//
//	incr     how often that was said, on all connections
//	pieces   two lines, in two writes
//	pause    the same, with a pause between
//	bye      a line, and the end of the connection
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"
)

func main() {
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	var n atomic.Int32
	for {
		c, err := l.Accept()
		if err != nil {
			os.Exit(1)
		}
		go serve(c, &n)
	}
}

func serve(c net.Conn, n *atomic.Int32) {
	defer c.Close()
	for in := bufio.NewScanner(c); in.Scan(); {
		switch in.Text() {
		case "incr":
			fmt.Fprintln(c, n.Add(1))
		case "pieces":
			fmt.Fprintln(c, "head")
			fmt.Fprintln(c, "body")
		case "pause":
			fmt.Fprintln(c, "head")
			time.Sleep(20 * time.Millisecond)
			fmt.Fprintln(c, "body")
		case "bye":
			fmt.Fprintln(c, "bye")
			return
		}
	}
}
