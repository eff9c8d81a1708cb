// An echo server on the event loop of github.com/tidwall/evio. It has no end.
package main

import (
	"flag"
	"fmt"
	"log"

	"github.com/tidwall/evio"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:5000", "address to listen on")
	flag.Parse()

	events := evio.Events{NumLoops: 1}
	events.Serving = func(s evio.Server) (action evio.Action) {
		fmt.Println("listening on", s.Addrs[0])
		return
	}
	events.Data = func(c evio.Conn, in []byte) (out []byte, action evio.Action) {
		return in, evio.None
	}
	if err := evio.Serve(events, "tcp://"+*addr); err != nil {
		log.Fatal(err)
	}
}
