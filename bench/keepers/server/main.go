// Command server keeps a value, a counter, a lock, a queue and sessions: a goroutine for
// each connection. The same as keep.py and keep.pl.
package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

type keeper struct {
	mu       sync.Mutex
	value    string
	count    int
	locked   bool
	queue    []string
	sessions map[string]string
}

func main() {
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	k := &keeper{value: "0", sessions: make(map[string]string)}
	for {
		c, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go k.serve(c)
	}
}

func (k *keeper) serve(c net.Conn) {
	defer c.Close()
	for in := bufio.NewScanner(c); in.Scan(); {
		fmt.Fprintln(c, k.answer(strings.Fields(in.Text())))
	}
}

func (k *keeper) answer(words []string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch words[0] {
	case "GET":
		return k.value
	case "SET":
		k.value = words[1]
	case "INCR":
		k.count++
		return strconv.Itoa(k.count)
	case "LOCK":
		if k.locked {
			return "BUSY"
		}
		k.locked = true
	case "UNLOCK":
		k.locked = false
	case "PUSH":
		k.queue = append(k.queue, words[1])
	case "POP":
		if len(k.queue) == 0 {
			return "EMPTY"
		}
		first := k.queue[0]
		k.queue = k.queue[1:]
		return first
	case "LOGIN":
		token := "token-" + words[1]
		k.sessions[token] = words[1]
		return token
	case "WHO":
		if name, ok := k.sessions[words[1]]; ok {
			return name
		}
		return "DENIED"
	}
	return "OK"
}
