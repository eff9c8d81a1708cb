package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite"
	"github.com/heddle-mc/heddle/internal/hunt"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
)

// chunk is how many programs are compiled as one.
const chunk = 50

// A Summary says in how many programs the bug was found.
type Summary struct {
	Limit    time.Duration
	Orders   []string
	Programs [5]int            // by depth
	Found    map[string][5]int // by order and depth
	Slowest  map[string]time.Duration
	By       map[string]int // which search of the default one has found it
}

// Programs returns those of some seeds.
func Programs(first uint64, n int, crowded bool) (list []Program) {
	for seed := first; seed < first+uint64(n); seed++ {
		list = append(list, Generate(seed, crowded))
	}
	return list
}

// Try searches programs in each of some orders.
func Try(programs []Program, orders []string, limit time.Duration, tell func(string)) (*Summary, error) {
	dir, err := os.MkdirTemp("", "randhunt")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	session, err := load.NewSession(load.Config{Patterns: []string{"os", "runtime", "sync", "sync/atomic", "time"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		return nil, err
	}
	sum := &Summary{Limit: limit, Orders: orders, Found: make(map[string][5]int), Slowest: make(map[string]time.Duration), By: make(map[string]int)}
	for list := range slices.Chunk(programs, chunk) {
		file := filepath.Join(dir, fmt.Sprintf("p%d.go", list[0].Seed))
		code, err := gosuite.CompileText(session, file, Join(list))
		if err != nil {
			return nil, err
		}
		for i := range list {
			if err := sum.add(code, i, &list[i], tell); err != nil {
				return nil, err
			}
		}
	}
	return sum, nil
}

// add searches a program.
func (s *Summary) add(code *check.Code, number int, p *Program, tell func(string)) error {
	s.Programs[p.Depth]++
	for _, order := range s.Orders {
		began := time.Now()
		spec := check.New()
		spec.Search.Order = order
		spec.Search.Runs = -1 // without end
		spec.Limits.Timeout = s.Limit
		r, err := check.Run(context.Background(), spec, check.Hooks{
			Code:    code,
			Process: &execute.Process{Args: []string{"main", fmt.Sprint(number)}, Env: []string{}, Dir: "/"},
		})
		if err != nil {
			return fmt.Errorf("seed %d, %s: %w", p.Seed, order, err)
		}
		if r.Verdict == explore.Violation {
			found := s.Found[order]
			found[p.Depth]++
			s.Found[order] = found
			s.Slowest[order] = max(s.Slowest[order], time.Since(began))
			if order == check.AutoSearch {
				s.By[by(r.Hunted)]++
			}
		} else {
			tell(fmt.Sprintf("%s: %v: seed %d, depth %d, %s, among %s: %d states, %v, %+v", order, r.Verdict, p.Seed, p.Depth, p.Bug, strings.Join(p.Noise, ", "), r.States, r.Left, r.Hunted))
		}
	}
	return nil
}

// Table is the result as a table in Markdown.
func (s *Summary) Table() string {
	var b strings.Builder
	b.WriteString("| search | depth 1 | 2 | 3 | 4 | all | slowest, s |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	row := func(name string, n [5]int, slowest string) {
		all := 0
		fmt.Fprintf(&b, "| %s |", name)
		for _, k := range n[1:] {
			fmt.Fprintf(&b, " %d |", k)
			all += k
		}
		fmt.Fprintf(&b, " %d | %s |\n", all, slowest)
	}
	row("programs", s.Programs, "")
	for _, order := range s.Orders {
		row(order, s.Found[order], fmt.Sprintf("%.1f", s.Slowest[order].Seconds()))
	}
	return b.String()
}

// by returns which search has found something.
func by(k *hunt.Known) string {
	if k != nil {
		for _, m := range k.Members {
			if m.Found {
				return m.Strategy.String()
			}
		}
	}
	return "dfs"
}

// ByWords says how often each search has found something.
func (s *Summary) ByWords() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.By)) {
		list = append(list, fmt.Sprintf("%s %d", name, s.By[name]))
	}
	return strings.Join(list, ", ")
}

// Page is the results, without and with a crowd, in Markdown.
func Page(plain, crowded *Summary, claimed []Chance, commit string) string {
	return fmt.Sprintf(`# Bugs in programs without an end

Programs of package `+"`internal/gosuite/randhunt`"+`: each has a bug that shows if one to four steps come in a certain order (a value that is used too early, a send to a closed
channel, a lost update, locks in two orders, a race behind a lock that is taken, two goroutines that take turns), and one to three parts that have nothing to do with it: an endless loop,
a ticker, a log that grows, a map of times, a queue that never ends, a piece of work. Each is searched for %v. Made by

    make hunts

at commit %s, one program after the other on a machine with 2 cores.

%s
What has found it, by default: %s.

With a hundred goroutines around the bug, which lock, count and sleep:

%s
What has found it, by default: %s.

# Stated probabilities

Walks by priorities state the least probability with which they find a bug of some depth (`+"`-search=pct`"+`, and the default search when it is cut off). Here four small programs have a bug of one depth each, and are
searched with many seeds. What is claimed is what searches of the same program without the bug say, the largest of %d. Where all orders but one are right, `+"`TestChances` of `internal/explore`"+` counts the same with walks that are taken to be short, so that much is claimed for each depth.

%s`, plain.Limit, commit, plain.Table(), plain.ByWords(), crowded.Table(), crowded.ByWords(), claims, ChanceTable(claimed))
}
