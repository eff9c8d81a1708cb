// Client downloads a file as a whole and, at the same time, in pieces over more
// connections. Whichever is complete first is the file, and the others stop.
//
// This is Jget of paper 000, table 1, with the part of HTTP that it needs. In
// folder buggy it calls a file incomplete that it has. See the README of the folder
// above for how it is checked.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/verify"
)

// The pieces of a file are downloaded by as many goroutines.
type pieces struct {
	mu   sync.Mutex
	data [][]byte
	left int  // how many are missing
	stop bool // nobody wants them any more
}

func (p *pieces) put(i int, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.data[i] = data
	p.left--
}

func (p *pieces) complete() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.left == 0
}

func (p *pieces) cancel() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stop = true
}

func (p *pieces) cancelled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stop
}

// A response is what comes for a request: its body can be read from body.
type response struct {
	conn net.Conn
	body io.Reader
	size int
}

// get asks for a file, or for a part of it if a range is given.
func get(addr, span string) response {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	request := "GET / HTTP/1.0\r\n"
	if span != "" {
		request += "Range: bytes=" + span + "\r\n"
	}
	if _, err := io.WriteString(conn, request+"\r\n"); err != nil {
		log.Fatal(err)
	}
	r := response{conn: conn}
	in := bufio.NewReader(conn)
	for line := ""; line != "\r\n"; {
		if line, err = in.ReadString('\n'); err != nil {
			log.Fatal(err)
		}
		if length, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			fmt.Sscan(length, &r.size)
		}
	}
	r.body = io.LimitReader(in, int64(r.size))
	return r
}

// piece downloads piece i of n of a file.
func (p *pieces) piece(addr string, i, n, size int) {
	r := get(addr, fmt.Sprintf("%d-%d", i*size/n, (i+1)*size/n-1))
	defer r.conn.Close()
	if p.cancelled() {
		return
	}
	data, err := io.ReadAll(r.body)
	if err != nil {
		log.Fatal(err)
	}
	p.put(i, data)
}

// download returns the file at an address.
func download(addr string, n int) []byte {
	r := get(addr, "")
	defer r.conn.Close()
	p := &pieces{data: make([][]byte, n), left: n}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { p.piece(addr, i, n, r.size) })
	}

	var whole []byte
	block := make([]byte, 4)
	for len(whole) < r.size && !p.complete() {
		got, err := r.body.Read(block)
		if err != nil {
			log.Fatal(err)
		}
		whole = append(whole, block[:got]...)
	}
	p.cancel()
	wg.Wait()

	if len(whole) == r.size {
		return whole
	}
	verify.Assert(p.complete(), "incomplete download")
	var file []byte
	for _, d := range p.data {
		file = append(file, d...)
	}
	return file
}

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "address of the server")
	n := flag.Int("n", 2, "number of pieces")
	flag.Parse()

	file := download(*addr, *n)
	for i, c := range file {
		verify.Assert(c == byte('a'+i%26), "a wrong byte")
	}
	fmt.Printf("%s\n", file)
}
