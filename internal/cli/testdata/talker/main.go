// Command talker asks a server twice, over two connections, and insists on the answers.
package main

import (
	"bufio"
	"io"
	"net"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	for _, line := range []string{"a\n", "b\n"} {
		conn, err := net.Dial("tcp", "127.0.0.1:2626")
		if err != nil {
			panic(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			io.WriteString(conn, line)
			answer, err := bufio.NewReader(conn).ReadString('\n')
			if err != nil || answer != string(line[0]-32)+"\n" {
				panic("wrong answer")
			}
			conn.Close()
		}()
	}
	wg.Wait()
}
