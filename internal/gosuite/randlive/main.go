// Randlive holds the search for loops against a plain one on random programs.
//
// A program is two or three goroutines that load, store, lock, try, poll and draw, with jumps back where that was in vain, and
// perhaps a promise. It exists twice: as Go source, which Heddle checks with -livelock, and as a list of operations, which the few
// lines of plain.go execute, without machine, canonical states, undo or compact graphs, and whose states they look through by
// asking of each two whether one can be reached from the other. Both say whether there is a livelock, and whether the
// promise is kept on every run.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	first := flag.Uint64("first", 1, "the first `seed`")
	seeds := flag.Int("seeds", 500, "how many `programs`")
	page := flag.String("page", "", "write the result to this `file`")
	commit := flag.String("commit", "", "of which `commit` the page is")
	flag.Parse()
	sum, err := Compare(*first, *seeds, func(sum *Summary) { fmt.Fprintln(os.Stderr, sum) })
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range sum.Differ {
		fmt.Println(d)
	}
	if *page != "" {
		if err := os.WriteFile(*page, []byte(sum.Page(*first, *seeds, *commit)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if len(sum.Differ) > 0 {
		os.Exit(1)
	}
}
