// Estimates measures how well searches guess how large they are.
//
// Programs and models that can be searched to the end are, to know how many states they have. Then each is searched again, and cut off
// after one percent of these states, after ten, and so on, as a limit on the command line would do it. What such a search says of the states
// that are left is held against what was left.
//
// It writes docs/results/estimates.md.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"time"
)

func main() {
	log.SetFlags(0)
	seeds := flag.Int("seeds", 250, "how many generated `programs`")
	first := flag.Uint64("first", 1000, "the first `seed`")
	limits := limits{}
	flag.Int64Var(&limits.states, "states", 150_000, "leave out what has more `states`")
	flag.DurationVar(&limits.time, "limit", time.Minute, "leave out what takes longer")
	page := flag.String("page", "", "write the result to this `file`")
	commit := flag.String("commit", "", "of which `commit` the page is")
	flag.Parse()
	subjects, err := subjects(*first, *seeds)
	if err != nil {
		log.Fatal(err)
	}
	var rows []*row
	for _, s := range subjects {
		r, err := measure(s, limits)
		if err != nil {
			log.Fatalf("%s: %v", s.name, err)
		}
		if r != nil && !r.again(rows) {
			fmt.Fprintln(os.Stderr, r)
			rows = append(rows, r)
		}
	}
	text := pageOf(rows, *commit)
	if *page == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(*page, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
}
