// Randrace holds Heddle against the race detector of Go on random programs.
//
// A program is a function: two goroutines and their parent access a few shared variables (fields,
// elements, maps, strings, functions, whole structs; most of what is read nobody uses), under locks,
// between messages, behind atomics, or under nothing at all. Programs in which the text of one
// access decides are what is wanted, so they are small.
//
// Natively a hundred of them are one binary, built with -race, that executes each many times. In
// Heddle each is a program that is searched as by heddle check. Whatever the race detector reports
// in some run has to be reported. What Heddle alone reports is listed too: the detector sees one
// schedule a run.
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
	seeds := flag.Int("seeds", 1000, "how many `programs`")
	runs := flag.Int("runs", 200, "how `often` each is executed natively")
	page := flag.String("page", "", "write the result to this `file`")
	show := flag.Bool("show", false, "print the programs on which the two differ")
	flag.Parse()
	if err := Available(); err != nil {
		log.Fatal(err)
	}
	var sum Summary
	const batch = 100
	for from := *first; from < *first+uint64(*seeds); from += batch {
		n := min(batch, int(*first+uint64(*seeds)-from))
		list, err := Compare(from, n, *runs)
		if err != nil {
			log.Fatal(err)
		}
		sum.Add(list)
		fmt.Fprintf(os.Stderr, "seeds %d to %d: %s\n", from, from+uint64(n)-1, sum)
		for _, r := range list {
			if r.Native != r.Heddle && *show {
				fmt.Printf("seed %d: got race %t (%s), natively %t\n%s\n", r.Seed, r.Heddle, r.Got, r.Native, Program(r.Seed))
			}
		}
	}
	fmt.Println(sum)
	if *page != "" {
		if err := os.WriteFile(*page, []byte(sum.Page(*first, *seeds, *runs)), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	if len(sum.Missed) > 0 {
		os.Exit(1)
	}
}
