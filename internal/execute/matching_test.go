package execute_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// matching returns how keys of a program's states fail those who match states.
func matching(t *testing.T, src string, s execute.Settings, limit int) (complaint string) {
	t.Helper()
	prog := compileText(t, src)
	var pair [2]*execute.System
	for i := range pair {
		sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, s)
		if err != nil {
			t.Fatal(err)
		}
		defer sys.Close()
		pair[i] = sys
	}
	_, complaint = ltstest.Matching(pair[0], pair[1], limit)
	return complaint
}

// TestMatchingRandom holds the states of generated programs against each other
// that have one key.
func TestMatchingRandom(t *testing.T) {
	n := min(*seeds, testlong.Or[uint64](8, 40))
	if testing.Short() {
		n = 10
	}
	if *agreementFile != "" {
		n = *seeds
	}
	for seed := *firstSeed; seed < *firstSeed+n; seed++ {
		o, s := optionsOf(seed)
		src := randconc.Program(seed, o)
		if complaint := matching(t, src, s, 400); complaint != "" {
			t.Errorf("seed %d: %s\n%s", seed, complaint, src)
		}
	}
}

// TestMatchingKernels does the same with the kernels of package goker.
func TestMatchingKernels(t *testing.T) {
	limit := testlong.Or(12, 60)
	if testing.Short() {
		limit = 20
	}
	if *agreementFile != "" {
		limit = 3000
	}
	all, err := goker.Kernels(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		if complaint := matching(t, string(k.Source), execute.Settings{}, limit); complaint != "" {
			t.Errorf("%s: %s", k.Name, complaint)
		}
	}
}

// TestMatching does the same with programs in which goroutines or timers differ only
// in who knows what they know.
func TestMatching(t *testing.T) {
	for _, p := range matchedPrograms {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if complaint := matching(t, p.src, execute.Settings{}, 2000); complaint != "" {
				t.Error(complaint)
			}
		})
	}
	for _, p := range suitePrograms {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if complaint := matching(t, p.src, p.settings, 300); complaint != "" {
				t.Error(complaint)
			}
		})
	}
}

var matchedPrograms = []struct{ name, src string }{
	{"workers of slots", `package main

import "sync"

type slot struct {
	mu    sync.Mutex
	n     int
	ended chan bool
}

func main() {
	var slots [2]*slot
	start := func(i int) {
		s := &slot{ended: make(chan bool, 1)}
		slots[i] = s
		go func() {
			s.mu.Lock()
			s.n = 1
			s.mu.Unlock()
			s.ended <- true
		}()
	}
	start(0)
	start(1)
	for {
		i := 0
		select {
		case <-slots[0].ended:
		case <-slots[1].ended:
			i = 1
		}
		start(i)
		slots[0].mu.Lock()
		slots[0].mu.Unlock()
	}
}
`},
	{"functions of timers", `package main

import (
	"sync"
	"time"
)

type slot struct {
	mu sync.Mutex
	n  int
}

func main() {
	a, b := &slot{}, &slot{}
	var wg sync.WaitGroup
	set := func(s *slot) {
		time.AfterFunc(time.Millisecond, func() {
			s.mu.Lock()
			s.n++
			s.mu.Unlock()
		})
		wg.Done()
	}
	wg.Add(2)
	go set(a)
	go set(b)
	wg.Wait()
	for range 2 {
		a.mu.Lock()
		a.mu.Unlock()
	}
	b.mu.Lock()
	b.mu.Unlock()
	time.Sleep(time.Second)
}
`},
}
