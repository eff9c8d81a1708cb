// Client has a document printed by the load balancer. It answers all questions alike,
// and prints what it is sent.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"net"
	"strings"
)

func main() {
	log.SetFlags(0)
	addr := flag.String("addr", "127.0.0.1:7001", "address of the load balancer for clients")
	name := flag.String("print", "letter", "name of the document")
	answer := flag.String("answer", "you", "answer to questions; none: hang up instead")
	flag.Parse()

	c, err := net.Dial("tcp", *addr)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintln(c, "print", *name)
	in := bufio.NewScanner(c)
	for in.Scan() {
		switch verb, text, _ := strings.Cut(in.Text(), " "); verb {
		case "question":
			if *answer == "" {
				fmt.Println("no answer")
				return
			}
			fmt.Fprintln(c, "data", *answer)
		case "document":
			fmt.Println(text)
		default:
			log.Fatalf("want a question or a document, got %q", in.Text())
		}
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
}
