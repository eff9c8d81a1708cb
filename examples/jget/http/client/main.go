// Client downloads a file as a whole and, at the same time, in pieces over more
// connections, on package net/http. Whichever is complete first is the file.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

// Each request has a connection of its own.
var client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

// get asks for a file, or for a part of it if a range is given.
func get(url, span string) (*http.Response, error) {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if span != "" {
		req.Header.Set("Range", "bytes="+span)
	}
	return client.Do(req)
}

// piece returns piece i of n of a file.
func piece(url string, i, n, size int) ([]byte, error) {
	resp, err := get(url, fmt.Sprintf("%d-%d", i*size/n, (i+1)*size/n-1))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// inPieces returns a file that was downloaded in n pieces.
func inPieces(url string, n, size int) ([]byte, error) {
	data, errs := make([][]byte, n), make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { data[i], errs[i] = piece(url, i, n, size) })
	}
	wg.Wait()
	return slices.Concat(data...), errors.Join(errs...)
}

// download returns the file at an address.
func download(url string, n int) ([]byte, error) {
	resp, err := get(url, "")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()

	type result struct {
		file []byte
		err  error
	}
	results := make(chan result, 2)
	var wg sync.WaitGroup
	wg.Go(func() {
		file, err := inPieces(url, n, int(resp.ContentLength))
		results <- result{file, err}
	})
	wg.Go(func() {
		file, err := io.ReadAll(resp.Body)
		results <- result{file, err}
	})
	first := <-results
	wg.Wait()
	return first.file, first.err
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address of the server")
	n := flag.Int("n", 2, "number of pieces")
	flag.Parse()

	file, err := download("http://"+*addr+"/", *n)
	if err != nil {
		log.Fatal(err)
	}
	for i, c := range file {
		verify.Assert(c == byte('a'+i%26), "a wrong byte")
	}
	fmt.Printf("%s\n", file)
}
