// A web server and its clients in one process.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/rpc"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func show(resp *http.Response, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	fmt.Printf("%s %s %q %d bytes %v\n", resp.Proto, resp.Status, b[:min(len(b), 50)], len(b), err)
}

func handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /hello/{name}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "hello, %s", r.PathValue("name"))
	})
	mux.HandleFunc("POST /double", func(w http.ResponseWriter, r *http.Request) {
		var v struct{ N int }
		check(json.NewDecoder(r.Body).Decode(&v))
		v.N *= 2
		json.NewEncoder(w).Encode(v)
	})
	mux.HandleFunc("GET /chunks", func(w http.ResponseWriter, r *http.Request) {
		for i := range 5 {
			fmt.Fprintf(w, "chunk %d\n", i)
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("GET /large", func(w http.ResponseWriter, r *http.Request) {
		w.Write(bytes.Repeat([]byte("0123456789"), 200_000))
	})
	mux.HandleFunc("GET /abort", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	return mux
}

func main() {
	l, err := net.Listen("tcp", "localhost:0")
	check(err)
	srv := &http.Server{Handler: handler()}
	served := make(chan error)
	go func() { served <- srv.Serve(l) }()
	base := "http://" + l.Addr().String()

	show(http.Get(base + "/hello/world"))
	show(http.Post(base+"/double", "application/json", strings.NewReader(`{"N":21}`)))
	show(http.Get(base + "/chunks"))
	show(http.Get(base + "/large"))
	show(http.Get(base + "/none"))
	_, err = http.Get(base + "/abort")
	fmt.Println(errors.Is(err, io.EOF))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	req, err := http.NewRequestWithContext(ctx, "GET", base+"/slow", nil)
	check(err)
	_, err = http.DefaultClient.Do(req)
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	cancel()

	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for i := range 4 {
		wg.Go(func() {
			resp, err := http.Get(fmt.Sprintf("%s/hello/%d", base, i))
			check(err)
			b, err := io.ReadAll(resp.Body)
			check(err)
			resp.Body.Close()
			mu.Lock()
			total += len(b)
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Println(total)
	check(srv.Shutdown(context.Background()))
	fmt.Println(<-served)

	ts := httptest.NewTLSServer(handler())
	show(ts.Client().Get(ts.URL + "/hello/tls"))
	_, err = http.Get(ts.URL)
	fmt.Println(err != nil)
	ts.Close()

	ts2 := httptest.NewUnstartedServer(handler())
	ts2.EnableHTTP2 = true
	ts2.StartTLS()
	show(ts2.Client().Get(ts2.URL + "/large"))
	ts2.Close()

	overUnix()
	remote()
}

// overUnix serves at a path.
func overUnix() {
	dir, err := os.MkdirTemp("", "http")
	check(err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s")
	l, err := net.Listen("unix", path)
	check(err)
	srv := &http.Server{Handler: handler()}
	go srv.Serve(l)
	client := &http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		},
	}}
	show(client.Get("http://unix/hello/unix"))
	srv.Close()
}

// Arith is for package net/rpc.
type Arith int

// Add adds.
func (*Arith) Add(args [2]int, sum *int) error {
	*sum = args[0] + args[1]
	return nil
}

func remote() {
	srv := rpc.NewServer()
	check(srv.Register(new(Arith)))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	go srv.Accept(l)
	c, err := rpc.Dial("tcp", l.Addr().String())
	check(err)
	var sum int
	fmt.Println(c.Call("Arith.Add", [2]int{40, 2}, &sum), sum)
	fmt.Println(c.Call("Arith.Sub", [2]int{40, 2}, &sum))
	c.Close()
}
