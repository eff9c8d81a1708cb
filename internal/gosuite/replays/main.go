// Replays checks programs in every way of searching, and replays what is found: each finding has to show
// again, with exit code 1. And no way may verify what another finds something in. The programs are the examples, alone and as groups, the models, the kernels of
// the goroutine leak profile, and generated ones. It runs the command in its own process, so that programs
// are built once.
//
//	program ──► check, in each way ──► findings ──► replay each
//
// What each program has shown is a line of a file, so that it can go on after an interruption.
// The page that is made of the lines is docs/results/replays.md.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

// ways are the ways of searching.
var ways = []struct {
	name  string
	flags []string
	model bool // also for models
}{
	{"by default", nil, true},
	{"depth first", []string{"-search", "dfs"}, true},
	{"all orders", []string{"-search", "dfs", "-reduce=false"}, true},
	{"breadth first", []string{"-search", "bfs"}, true},
	{"preemptions", []string{"-search", "preemptions"}, false},
	{"delays", []string{"-search", "delays"}, false},
	{"own", []string{"-search", "own"}, false},
	{"random", []string{"-search", "random", "-runs", "40"}, true},
	{"priorities", []string{"-search", "pct", "-runs", "40"}, false},
	{"two workers", []string{"-workers", "2"}, true},
	{"all findings", []string{"-all"}, true},
}

// A row is what one program has shown.
type row struct {
	Kind, Name string
	Commit     string
	Ways       []tally
	Wrong      []string `json:",omitempty"`
}

// A tally is what was found in one way.
type tally struct {
	Searched bool
	Verified bool
	Findings int
	More     int64 // findings that are not told
	Replayed int
}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 500, "how many generated programs")
	states := flag.Int("states", 3000, "search so many `states` of each")
	out := flag.String("o", "", "write the page to this `file`")
	keep := flag.String("keep", "", "add what programs have shown to this `file`; those that are in it are not run again")
	commit := flag.String("commit", "", "the `version` that the page names")
	only := flag.String("only", "", "only programs whose kind and name have this `text`")
	flag.Parse()
	if err := replays(*n, *states, *keep, *commit, *only, *out); err != nil {
		log.Fatal(err)
	}
}

func replays(n, states int, keep, commit, only, out string) error {
	done, err := kept(keep)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "replays")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list, err := programs(n)
	if err != nil {
		return err
	}
	r := &runner{states: fmt.Sprint(states), dir: dir}
	var rows []*row
	wrong := 0
	for _, p := range list {
		if !strings.Contains(p.kind+" "+p.name, only) {
			continue
		}
		res := done[p.kind+" "+p.name]
		if res == nil {
			if res, err = r.program(p); err != nil {
				return err
			}
			res.Commit = commit
			if err := note(keep, res); err != nil {
				return err
			}
		}
		for _, w := range res.Wrong {
			log.Printf("%s %s, %s", p.kind, p.name, w)
			wrong++
		}
		rows = append(rows, res)
	}
	text := page(rows, states)
	if out == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(out, []byte(text), 0o666); err != nil {
		return err
	}
	if wrong > 0 {
		return fmt.Errorf("%d are wrong", wrong)
	}
	return nil
}

// kept reads what programs have shown before.
func kept(file string) (map[string]*row, error) {
	rows := make(map[string]*row)
	if file == "" {
		return rows, nil
	}
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return rows, os.MkdirAll(filepath.Dir(file), 0o777)
	}
	for line := range strings.Lines(string(data)) {
		r := new(row)
		if err := json.Unmarshal([]byte(line), r); err != nil {
			return nil, fmt.Errorf("%s: %v", file, err)
		}
		if len(r.Wrong) == 0 && len(r.Ways) == len(ways) {
			rows[r.Kind+" "+r.Name] = r
		}
	}
	return rows, err
}

// note adds a row to a file.
func note(file string, r *row) error {
	if file == "" {
		return nil
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(append(data, '\n'))
	if end := f.Close(); err == nil {
		err = end
	}
	return err
}
