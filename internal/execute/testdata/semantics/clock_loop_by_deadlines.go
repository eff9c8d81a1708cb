// want: violation panic

package main

import (
	"net"
	"time"
)

// A deadline comes for who does nothing but set it again, too.
func main() {
	c, d := net.Pipe()
	go func() {
		for b := make([]byte, 1); ; {
			if _, err := d.Read(b); err != nil {
				return
			}
		}
	}()
	end := time.Now().Add(3 * time.Millisecond)
	for {
		c.SetWriteDeadline(end)
		if _, err := c.Write([]byte("x")); err != nil {
			panic(err)
		}
	}
}
