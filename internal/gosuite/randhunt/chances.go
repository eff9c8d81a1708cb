package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
)

// planted has a bug of each depth, which shows if the first argument is its depth and the second one is "wrong". It comes to an end,
// so that walks count. The depth is how many pairs of steps have to be in a certain order, as the paper counts it.
const planted = `package main

import (
	"os"
	"sync"
	"sync/atomic"
)

var wg sync.WaitGroup

func start(f func()) {
	wg.Add(1)
	go func() {
		defer wg.Done()
		f()
	}()
}

func bug() {
	if os.Args[2] == "wrong" {
		panic("bug")
	}
}

func main() {
	switch os.Args[1] {
	case "1":
		var ready, other atomic.Bool
		start(func() { ready.Store(true) })
		for range 2 {
			start(func() { other.Store(true) })
		}
		start(func() {
			if !ready.Load() {
				bug()
			}
		})
	case "2":
		var a, b atomic.Int64
		start(func() {
			a.Store(1)
			b.Store(1)
			a.Store(2)
			b.Store(2)
		})
		start(func() {
			if b.Load() == 1 && a.Load() == 1 {
				bug()
			}
		})
	case "3":
		turns(4)
	case "4":
		turns(5)
	}
	wg.Wait()
}

// turns is wrong if two goroutines take so many steps in turn, each of which is tried once.
func turns(n int64) {
	var stage atomic.Int64
	for who := range int64(2) {
		start(func() {
			for i := who; i < n; i += 2 {
				stage.CompareAndSwap(i, i+1)
			}
			if stage.Load() == n {
				bug()
			}
		})
	}
}
`

// A Chance is how often walks have found a bug of one depth, and how often they should have at least.
type Chance struct {
	Depth, Walks int
	Seeds, Found int
	Claimed      float64 // a probability: the largest of some seeds
}

// chanceWalks are how many walks there are for a bug of each depth, from 1.
var chanceWalks = [...]int{2, 200, 300, 300}

// claims is how many seeds are asked what they claim.
const claims = 20

// Chances walks by priorities, with each of some seeds.
func Chances(seeds int, walks []int) (list []Chance, err error) {
	dir, err := os.MkdirTemp("", "randhunt")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	session, err := load.NewSession(load.Config{Patterns: []string{"os", "sync", "sync/atomic"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		return nil, err
	}
	code, err := gosuite.CompileText(session, filepath.Join(dir, "main.go"), planted)
	if err != nil {
		return nil, err
	}
	for i, n := range walks {
		c := Chance{Depth: i + 1, Walks: n, Seeds: seeds}
		for seed := range seeds {
			if seed < claims {
				r, err := walked(code, c, uint64(seed), "right")
				if err != nil {
					return nil, err
				}
				c.Claimed = max(c.Claimed, r.Walks.Chance(c.Depth))
			}
			r, err := walked(code, c, uint64(seed), "wrong")
			if err != nil {
				return nil, err
			}
			if r.Verdict == explore.Violation {
				c.Found++
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// walked searches the program as heddle check -search=pct does.
func walked(code *check.Code, c Chance, seed uint64, how string) (*check.Result, error) {
	spec := check.New()
	spec.Search.Order, spec.Search.Runs, spec.Search.Seed = "pct", c.Walks, seed
	return check.Run(context.Background(), spec, check.Hooks{
		Code:    code,
		Process: &execute.Process{Args: []string{"main", fmt.Sprint(c.Depth), how}, Env: []string{}, Dir: "/"},
	})
}

// ChanceTable is a table in Markdown.
func ChanceTable(list []Chance) string {
	var b strings.Builder
	b.WriteString("| depth of the bug | walks | claimed | found | of seeds |\n| ---: | ---: | ---: | ---: | ---: |\n")
	for _, c := range list {
		fmt.Fprintf(&b, "| %d | %d | %.5f | %.3f | %d |\n", c.Depth, c.Walks, c.Claimed, float64(c.Found)/float64(c.Seeds), c.Seeds)
	}
	return b.String()
}
