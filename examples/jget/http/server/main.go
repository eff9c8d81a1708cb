// Server is a web server for one file that also serves parts of it, on package
// net/http. It ends when as many connections have been closed as it was told.
package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// file is the content of the file: letters in the order of the alphabet.
func file(size int) string {
	return strings.Repeat("abcdefghijklmnopqrstuvwxyz", size/26+1)[:size]
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address to listen on")
	n := flag.Int("n", 2, "number of pieces in which a client downloads the file besides the whole")
	size := flag.Int("size", 8, "size of the file")
	flag.Parse()

	l, err := net.Listen("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", l.Addr())
	content := file(*size)
	var clients sync.WaitGroup
	clients.Add(*n + 1)
	srv := &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/plain") // or the tables of the system are read for it
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(content))
		}),
		ConnState: func(_ net.Conn, s http.ConnState) {
			if s == http.StateClosed {
				clients.Done()
			}
		},
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := srv.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Fatal(err)
		}
	})
	clients.Wait()
	srv.Close()
	wg.Wait()
}
