// want: inconclusive

package main

import (
	"net"
)

func main() {
	if c, err := net.Dial("tcp", "127.0.0.1:7000"); err == nil {
		c.Close()
	}
}
