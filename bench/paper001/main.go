// Paper001 repeats table 1 of paper 001: the model of the load balancer is searched
// completely for several numbers of clients and document processors. It prints a
// Markdown page.
//
//	paper001            go run ./bench/paper001 -o docs/results/paper001.md
//	 └─ -one 2+1        one configuration, a process of its own: figures as JSON
//
// Each configuration is a process of its own, so that its memory can be told. The
// six issues are looked for breadth-first: their traces are the shortest ones.
package main

import (
	"encoding/json"
	"flag"
	"io"
	"log"
	"os"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	model := flag.String("model", "examples/loadbalancer/model", "folder of the model")
	out := flag.String("o", "", "file for the page, standard output if empty")
	configs := flag.String("configs", "1+1,1+2,2+1,1+3,2+2,3+1", "clients+processors to search, with commas")
	keep := flag.String("keep", "", "JSON file: figures of earlier runs, to which new ones are added")
	one := flag.String("one", "", "search one configuration and print figures (used internally)")
	var l limits
	flag.DurationVar(&l.time, "time", 30*time.Minute, "time for a configuration")
	flag.Int64Var(&l.memory, "mem", 16, "GiB of memory for a configuration")
	flag.IntVar(&l.workers, "workers", 1, "workers of a search")
	flag.Parse()
	if err := run(*model, *out, *configs, *keep, *one, l); err != nil {
		log.Fatal(err)
	}
}

func run(model, out, configs, keep, one string, l limits) error {
	if one != "" {
		c, err := parseConfig(one)
		if err != nil {
			return err
		}
		f, err := measure(model, c, l)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(f)
	}
	known, err := readFigures(keep)
	if err != nil {
		return err
	}
	for _, text := range strings.FieldsFunc(configs, func(r rune) bool { return r == ',' }) {
		c, err := parseConfig(text)
		if err != nil {
			return err
		}
		f, err := child(model, c, l)
		if err != nil {
			return err
		}
		log.Printf("%s: %+v", text, f)
		known[text] = f
		if err := writeFigures(keep, known); err != nil {
			return err
		}
	}
	found, err := issues(model)
	if err != nil {
		return err
	}
	w := io.Writer(os.Stdout)
	if out != "" {
		f, err := os.Create(out)
		if err != nil {
			return err
		}
		defer f.Close()
		w = f
	}
	return page(w, known, found, l)
}
