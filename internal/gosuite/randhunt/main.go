// Randhunt looks whether bugs are found soon in programs whose states have no end.
//
// A program has a bug that shows if one to four steps come in a certain order, and goroutines that have no part in it: endless
// loops, tickers, counters, logs, and perhaps a hundred goroutines around it. Each is searched by default, and with each
// member of the hunt alone, for a few seconds.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	first := flag.Uint64("first", 1, "the first `seed`")
	seeds := flag.Int("seeds", 300, "how many `programs`")
	crowds := flag.Int("crowds", 100, "of how many of these `programs` there is another one, with a crowd")
	orders := flag.String("orders", "auto", "a `list` of orders to search in, separated by commas")
	chances := flag.Int("chances", 1000, "with how many `seeds` walks are held against the probability that they claim")
	limit := flag.Duration("limit", 5*time.Second, "of each search")
	verbose := flag.Bool("v", false, "tell what is not found")
	page := flag.String("page", "", "write the result to this `file`")
	commit := flag.String("commit", "", "of which `commit` the page is")
	flag.Parse()
	tell := func(text string) {
		if *verbose {
			fmt.Fprintln(os.Stderr, text)
		}
	}
	var sums []*Summary
	for _, crowded := range []bool{false, true} {
		n := *seeds
		if crowded {
			n = *crowds
		}
		sum, err := Try(Programs(*first, n, crowded), strings.Split(*orders, ","), *limit, tell)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(sum.Table() + sum.ByWords())
		sums = append(sums, sum)
	}
	claimed, err := Chances(*chances, chanceWalks[:])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ChanceTable(claimed))
	if *page != "" {
		if err := os.WriteFile(*page, []byte(Page(sums[0], sums[1], claimed, *commit)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
}
