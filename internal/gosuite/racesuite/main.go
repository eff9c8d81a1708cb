// Racesuite runs the race detector's own tests under heddle test.
//
// They are in runtime/race/testdata of the Go distribution: some 370 small functions, each
// called TestRaceX or TestNoRaceX. Each is checked by itself under the flags that a user has by
// default, with a budget. In the former there has to be found a race, in the latter none. The
// files are read where they are; nothing of them is kept here, and what is changed in them is in
// suite.go. Functions for which it is not so are in exceptions.txt, each with a reason that is a
// line of docs/LIMITS.md too.
package main

import (
	"flag"
	"fmt"
	"github.com/heddle-mc/heddle/internal/goroot"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	run := flag.String("run", "", "only functions that match this `regexp`")
	page := flag.String("page", "", "write the table to this `file`")
	flag.Parse()
	list, err := Check(goroot.Dir(), Options{Run: *run})
	if err != nil {
		log.Fatal(err)
	}
	wrong := 0
	for _, r := range list {
		if !r.Right() {
			fmt.Println(r)
			wrong++
		}
	}
	fmt.Printf("%d functions, %d wrong\n", len(list), wrong)
	if *page != "" {
		if err := os.WriteFile(*page, []byte(Page(list)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if wrong > 0 {
		os.Exit(1)
	}
}
