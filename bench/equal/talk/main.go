// Two goroutines say hello to a server and print what it says.
package main

import (
	"bufio"
	"fmt"
	"net"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			c, err := net.Dial("tcp", "127.0.0.1:7000")
			if err != nil {
				fmt.Println("dial", err)
				return
			}
			defer c.Close()
			fmt.Fprintf(c, "hello %d\n", i)
			s, err := bufio.NewReader(c).ReadString('\n')
			fmt.Printf("%q %v\n", s, err)
		})
	}
	wg.Wait()
}
