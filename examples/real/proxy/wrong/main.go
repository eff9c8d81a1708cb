// A reverse proxy in front of nginx counts the requests of each path, without a lock, although
// requests on two connections are handled by two goroutines.
package main

import (
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
)

// A counter counts requests on their way to the next handler.
type counter struct {
	next http.Handler
	hits map[string]int
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.hits[r.URL.Path]++ // BUG: another request may be counted at the same time
	c.next.ServeHTTP(w, r)
}

func main() {
	backend, err := url.Parse("http://127.0.0.1:8080")
	if err != nil {
		log.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:8000")
	if err != nil {
		log.Fatal(err)
	}
	c := &counter{next: httputil.NewSingleHostReverseProxy(backend), hits: make(map[string]int)}
	log.Fatal(http.Serve(l, c))
}
