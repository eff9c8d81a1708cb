// Command client asks for a line, and panics at the answer.
package main

import (
	"bufio"
	"fmt"
	"net"
)

func main() {
	var c net.Conn
	var err error
	for c == nil {
		c, err = net.Dial("tcp", "127.0.0.1:7000")
	}
	_ = err
	fmt.Fprintf(c, "hello\n")
	answer, _ := bufio.NewReader(c).ReadString('\n')
	if answer == "got hello\n" {
		panic("answered")
	}
}
