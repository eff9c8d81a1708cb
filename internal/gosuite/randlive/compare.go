package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
)

// chunk is how many programs are compiled as one, and maxStates how many states of each are searched.
const (
	chunk     = 50
	maxStates = 1200
)

// A Summary counts programs.
type Summary struct {
	Programs, Large           int // all, and those that are too large for the plain search
	Livelocks, Broken, Nobody int // those with a livelock, with a promise that is not kept, and with neither
	Promises                  int
	States                    int64    // that Heddle saw, of those that are not too large
	Differ                    []string // on what the two differ
}

func (s *Summary) String() string {
	return fmt.Sprintf("%d programs, %d too large, %d with a livelock, %d of %d promises not kept, %d differ", s.Programs, s.Large, s.Livelocks, s.Broken, s.Promises, len(s.Differ))
}

// Compare holds the two searches against each other on the programs of some seeds.
func Compare(first uint64, n int, tell func(*Summary)) (*Summary, error) {
	dir, err := os.MkdirTemp("", "randlive")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	session, err := load.NewSession(load.Config{Patterns: []string{"math/rand", "os", "sync", "sync/atomic", "github.com/heddle-mc/heddle/verify"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		return nil, err
	}
	sum := new(Summary)
	for from := first; from < first+uint64(n); from += chunk {
		var list []Program
		for seed := from; seed < min(from+chunk, first+uint64(n)); seed++ {
			list = append(list, Generate(seed))
		}
		file := filepath.Join(dir, fmt.Sprintf("p%d.go", from))
		code, err := gosuite.CompileText(session, file, Join(list))
		if err != nil {
			return nil, err
		}
		for i, p := range list {
			if err := sum.add(code, i, from+uint64(i), p); err != nil {
				return nil, err
			}
		}
		tell(sum)
	}
	return sum, nil
}

// An answer is what a search says of a program.
type answer struct{ livelock, broken bool }

// add compares the searches of a program.
func (s *Summary) add(code *check.Code, number int, seed uint64, p Program) error {
	s.Programs++
	own := Search(p, maxStates)
	if own == nil {
		s.Large++
		return nil
	}
	want := answer{own.Livelock(), p.Promise != nil && own.Broken()}
	if p.Promise != nil {
		s.Promises++
	}
	if want.livelock {
		s.Livelocks++
	}
	if want.broken {
		s.Broken++
	}
	if want == (answer{}) {
		s.Nobody++
	}
	for _, order := range []string{"dfs", "bfs"} {
		got, states, err := ask(code, number, order)
		switch {
		case err != nil:
			return fmt.Errorf("seed %d: %w\n%s", seed, err, p.Text("p"))
		case got != want:
			s.Differ = append(s.Differ, fmt.Sprintf("seed %d: %s: got %+v, want %+v\n%s", seed, order, got, want, p.Text("p")))
		}
		if order == "dfs" {
			s.States += states
		}
	}
	return nil
}

// ask has Heddle search a program.
func ask(code *check.Code, number int, order string) (a answer, states int64, err error) {
	spec := check.New()
	spec.Search.All, spec.Search.Order = true, order
	spec.Model.LookFor([]string{string(execute.Livelock), string(execute.Liveness)})
	r, err := check.Run(context.Background(), spec, check.Hooks{
		Code:    code,
		Process: &execute.Process{Args: []string{"main", fmt.Sprint(number)}, Env: []string{}, Dir: "/"},
	})
	if err != nil {
		return a, 0, err
	}
	if r.Verdict == explore.Inconclusive {
		return a, 0, fmt.Errorf("inconclusive: %v", r.Left)
	}
	for _, f := range r.Findings {
		a.livelock = a.livelock || f.Kind == string(execute.Livelock)
		a.broken = a.broken || f.Kind == string(execute.Liveness)
		if f.Loop == 0 {
			continue
		}
		if _, err := r.Tell(f); err != nil {
			return a, 0, err
		}
	}
	return a, r.States, nil
}

// Page is the result in Markdown.
func (s *Summary) Page(first uint64, n int, commit string) string {
	agree := "They say the same of all of them."
	if len(s.Differ) > 0 {
		agree = fmt.Sprintf("**They differ %d times.**", len(s.Differ))
	}
	return fmt.Sprintf(`# Loops, here and by a plain search

Programs of package `+"`internal/gosuite/randlive`"+`: two or three goroutines load, store, lock, try, poll and draw, with jumps back where that
was in vain; half of them have a promise (`+"`verify.Eventually` or `verify.Leads`"+`). Each was searched by Heddle with -livelock, depth first and breadth first, and
its states by a few plain lines that have neither machine nor compact graph in common with it: is there a livelock, and is the promise kept? %s Each loop that was
found was gone again. Made by

    make livelocks

at commit %s.

| | |
| --- | ---: |
| programs (seeds %d to %d) | %d |
| too large for the plain search (more than %d states) | %d |
| with a livelock | %d |
| with a promise | %d |
| of these not kept | %d |
| with neither a livelock nor a promise that is not kept | %d |
| differences | %d |
| states that Heddle saw | %d |
`, agree, commit, first, first+uint64(n)-1, s.Programs, maxStates, s.Large, s.Livelocks, s.Promises, s.Broken, s.Nobody, len(s.Differ), s.States)
}
