// Command server answers one line.
package main

import (
	"bufio"
	"fmt"
	"net"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	line, _ := bufio.NewReader(c).ReadString('\n')
	fmt.Fprintf(c, "got %s", line)
	c.Close()
}
