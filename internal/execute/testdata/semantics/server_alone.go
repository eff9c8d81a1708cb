// want: inconclusive

package main

import (
	"net"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	l.Accept()
}
