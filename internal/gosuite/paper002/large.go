package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"

	"github.com/heddle-mc/heddle/internal/cert"
	door "github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A larger program is one of the nine with other constants, so that its graph has as
// many transitions as the smallest one of the paper.
type larger struct {
	folder, name string
	constants    map[string]int
}

var large = []larger{
	{"philosophers", "Dining Philosopher (10)", map[string]int{"seats": 10}},
	{"boundedbuffer", "Bounded Buffer (5,4,4)", map[string]int{"each": 2}},
	{"ksupipeline", "NASA KSU Pipeline (4,2)", map[string]int{"values": 2}},
	{"nestedmonitor", "Nested Monitor (10,22,22)", map[string]int{"size": 10, "producers": 22, "consumers": 22}},
	{"stagepipeline", "Pipeline (12), 24 numbers", map[string]int{"stages": 12, "numbers": 24}},
	{"readerswriters", "RWVSN (22,22)", map[string]int{"readers": 22, "writers": 22}},
	{"replicatedworkers", "Replicated Workers (8,5)", map[string]int{"workers": 8, "items": 5}},
	{"sleepingbarber", "Sleeping Barber (3,5,3)", map[string]int{"barbers": 3, "customers": 5}},
	{"elevator", "Elevator (5,10,10)", nil},
}

const largeHead = `
## Table 2: sizes of scripts of larger graphs

States here are fewer than JPF's, so at the paper's parameters some graphs are too small for what a script learns to pay.
These are the same programs with other constants, chosen so that each graph has at least 244,000 transitions, as the smallest
one of the paper; what is not told stays as it is. The paper's columns are those of its own parameters.

| program | paper: bytes/transition | trustful | states | transitions | bytes | bytes/transition | trustful: bytes | bytes/transition |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

// scratch is a folder for copies of programs.
var scratch string

// source returns a file with a copy of a program that has other constants.
func source(dir, folder string, constants map[string]int) string {
	text, err := os.ReadFile(filepath.Join(dir, folder, "main.go"))
	check(err)
	for name, value := range constants {
		at := regexp.MustCompile(`(?m)^(\t` + name + `\s+= )\d+`)
		if len(at.FindAll(text, -1)) != 1 {
			check(fmt.Errorf("%s: no constant %s", folder, name))
		}
		text = at.ReplaceAll(text, fmt.Appendf(nil, "${1}%d", value))
	}
	file := filepath.Join(scratch, folder+".go")
	check(os.WriteFile(file, text, 0o666))
	return file
}

// both are two recorders of one search.
type both [2]*cert.Recorder

func (b both) State(sys lts.System, key []byte, depth int) {
	for _, r := range b {
		r.State(sys, key, depth)
	}
}

func (b both) Follow(sys lts.System, steps []lts.Step) {
	for _, r := range b {
		r.Follow(sys, steps)
	}
}

func (b both) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	for _, r := range b {
		r.Step(sys, from, to, s, l)
	}
}

// sizes searches the program once, or until it is known what reduction may assume. It
// reports whether its graph is as large, and its script as small, as is asked for.
func (l *larger) sizes(dir string, w io.Writer) bool {
	prog, err := execute.Build(execute.Source{Dir: dir, Patterns: []string{source(dir, l.folder, l.constants)}})
	check(err)
	s := &subject{row: row{folder: l.folder, name: l.name}, prog: prog}
	var out [2]bytes.Buffer
	door.Settle(execute.Unknown(), func(known execute.Known) (found []*execute.Found, done bool) {
		sys := s.system(known)
		var b both
		for i, kind := range []cert.Kind{cert.Full, cert.Tree} {
			out[i].Reset()
			writer, err := cert.NewWriter(&out[i], s.header(kind))
			check(err)
			b[i] = cert.NewRecorder(writer)
		}
		s.explore(sys, true, b)
		check(b[0].Close(nil))
		check(b[1].Close(nil))
		found = append(found, sys.Found())
		check(sys.Close())
		return found, false
	})
	c, t := open(out[0].Bytes()), open(out[1].Bytes())
	_, full := c.Size()
	_, tree := t.Size()
	n := float64(c.Counts.Transitions)
	p := paper[l.folder]
	for _, r := range rows {
		if r.folder == l.folder {
			all := float64(r.states) * r.ratio
			fmt.Fprintf(w, "| %s | %.3f | %.3f | %d | %d | %d | %.3f | %d | %.3f |\n", l.name, 1024*p.full/all, 1024*p.tree/all,
				c.Counts.States, c.Counts.Transitions, full, float64(full)/n, tree, float64(tree)/n)
		}
	}
	ok := c.Counts.Transitions >= smallest
	if !ok {
		log.Printf("%s: %d transitions, the paper's smallest graph has %d", l.name, c.Counts.Transitions, smallest)
	}
	if per := float64(full) / n; per > mostBytes {
		log.Printf("%s: %.3f bytes a transition, %.3f are asked for", l.name, per, mostBytes)
		ok = false
	}
	return ok
}

// mostBytes is how many bytes a transition a script may have, and fewBytes how many more that of a small graph.
const (
	mostBytes = 0.1
	fewBytes  = 64
)

// smallest is how many transitions the smallest graph of the paper has, at least.
const smallest = 244_000
