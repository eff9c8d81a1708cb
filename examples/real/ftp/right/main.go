// Two workers fetch two reports from an FTP server, each on a connection of its own.
package main

import (
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/jlaffaye/ftp"
)

// login returns a connection with the server.
func login() (*ftp.ServerConn, error) {
	c, err := ftp.Dial("127.0.0.1:21")
	if err != nil {
		return nil, err
	}
	if err := c.Login("anonymous", "anonymous"); err != nil {
		return nil, err
	}
	return c, nil
}

// fetch returns what is in a file.
func fetch(c *ftp.ServerConn, name string) (string, error) {
	r, err := c.Retr(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	return string(data), err
}

func main() {
	var conns [2]*ftp.ServerConn
	for i := range conns {
		c, err := login()
		if err != nil {
			log.Fatal(err)
		}
		defer c.Quit()
		conns[i] = c
	}
	var workers sync.WaitGroup
	for i, c := range conns {
		workers.Go(func() {
			report, err := fetch(c, fmt.Sprintf("report%d.txt", i+1))
			if err != nil {
				log.Fatal(err)
			}
			if want := fmt.Sprintf("report %d\n", i+1); report != want {
				log.Panicf("got %q, want %q", report, want)
			}
		})
	}
	workers.Wait()
}
