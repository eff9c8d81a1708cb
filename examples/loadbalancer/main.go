// Loadbalancer distributes the jobs of clients among document processors. Clients and
// processors are programs of their own, in folders client and processor:
//
//	loadbalancer -clients 127.0.0.1:7001 -processors 127.0.0.1:7002 -n 0
//
// Without addresses it brings its own clients and processors, which do what the real
// ones might do in any order, and hang up when they like. That is what is checked:
//
//	heddle check ./examples/loadbalancer
//	heddle check ./examples/loadbalancer -- -issue 3
//
// The six issues are those of paper 001, section 4.2. See the README.
package main

import (
	"flag"
	"fmt"
	"log"
	"net"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/examples/loadbalancer/session"
)

func main() {
	log.SetFlags(0)
	clients := flag.String("clients", "", "address to listen on for clients; none: bring some")
	processors := flag.String("processors", "", "address to listen on for document processors; none: bring some")
	nc := flag.Int("nc", 1, "number of clients at a time")
	np := flag.Int("np", 1, "number of document processors at a time")
	n := flag.Int("n", 1, "how many are served at each place, one after the other; 0: no end")
	issue := flag.Int("issue", 0, "issue of paper 001 that is in the code, 1 to 6; 0: none")
	does := flag.String("does", "ask,tell,done,work", "what a document processor of our own does when it has a job")
	rounds := flag.Int("rounds", 1, "how many of these things it does")
	flag.Parse()
	if *nc < 1 || *np < 1 || *n < 0 || *issue < 0 || *issue > 6 || (*clients == "") != (*processors == "") {
		log.Fatal("usage: want at least one client and one processor, an issue from 0 to 6, and two addresses or none")
	}

	own := *clients == ""
	cl, pl := listen(*clients), listen(*processors)
	b := session.New(*nc, *np, *issue)
	if !own {
		fmt.Println("listening on", cl.Addr(), "for clients,", pl.Addr(), "for processors")
		b.Serve(cl, pl, *n)
		return
	}
	// All connect before any of them does more: who comes first makes no difference.
	var wg sync.WaitGroup
	var cs, ps []*peer
	for range *nc {
		cs = append(cs, dial(cl.Addr()))
	}
	for range *np {
		ps = append(ps, dial(pl.Addr()))
	}
	for _, p := range cs {
		wg.Go(func() { client(p) })
	}
	for _, p := range ps {
		wg.Go(func() { processor(p, strings.Split(*does, ","), *rounds) })
	}
	b.Serve(cl, pl, *n)
	wg.Wait()
	fmt.Println("all have gone")
}

func listen(addr string) net.Listener {
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		log.Fatal(err)
	}
	return l
}
