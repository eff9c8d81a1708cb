package main

import (
	"bufio"
	"io"
	"log"
	"net"
	"strings"

	"github.com/heddle-mc/heddle/verify"
)

// A peer is the other side of a connection of the balancer.
type peer struct {
	net.Conn
	in *bufio.Scanner
}

// dial connects to the balancer, which need not have begun to serve.
func dial(addr net.Addr) *peer {
	c, err := net.Dial("tcp", addr.String())
	if err != nil {
		log.Fatal(err)
	}
	return &peer{c, bufio.NewScanner(c)}
}

// say sends a line. That the balancer has closed the connection shows when the peer
// listens.
func (p *peer) say(line string) { io.WriteString(p, line+"\n") }

// hear waits for a line. It returns false if there is none, or if the peer has
// rather hung up.
func (p *peer) hear() (string, bool) {
	if verify.Bool() || !p.in.Scan() {
		return "", false
	}
	return p.in.Text(), true
}

// client wants a document printed, and answers questions or does not.
func client(p *peer) {
	defer p.Close()
	p.say("print a")
	for {
		line, ok := p.hear()
		switch {
		case !ok:
			return
		case strings.HasPrefix(line, "question "):
			p.say([]string{"data b", "quit"}[verify.Choose(2)])
		}
	}
}

// processor wants a job, and then does some of the things that it can do, in any
// order.
func processor(p *peer, things []string, rounds int) {
	defer p.Close()
	line := "work"
	for {
		p.say(line)
		if line != "done" { // which nobody answers
			if _, ok := p.hear(); !ok {
				return
			}
		}
		if rounds == 0 {
			return
		}
		rounds--
		line = things[verify.Choose(len(things))]
	}
}
