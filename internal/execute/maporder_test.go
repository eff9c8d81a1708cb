package execute_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestMapOrder searches programs in which ranges over maps begin anywhere. A
// goroutine that stands before such a range still has what it will use after it,
// each turn reads the map, and what is inserted by the loop is not visited.
func TestMapOrder(t *testing.T) {
	for _, test := range []struct {
		name, body string
		bad        bool
	}{
		{"race", `
	m := map[int]int{1: 1, 2: 2}
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		mu.Unlock()
		m[2] = 5
		close(c)
	}()
	for range m {
		mu.Lock()
		mu.Unlock()
	}
	<-c`, true},
		{"lock", `
	m := map[int]int{1: 1, 2: 2}
	var mu sync.Mutex
	c := make(chan int)
	go func() {
		mu.Lock()
		m[2] = 5
		mu.Unlock()
		close(c)
	}()
	mu.Lock()
	for range m {
	}
	mu.Unlock()
	<-c`, false},
		{"insertion", `
	m := map[int]int{1: 1, 2: 2, 3: 3}
	var mu sync.Mutex
	go func() { mu.Lock(); mu.Unlock() }()
	n := 0
	for k := range m {
		m[k+10] = k
		n++
		mu.Lock()
		mu.Unlock()
	}
	if n != 3 || len(m) != 6 {
		panic(n)
	}`, false},
		{"second", `
	m := map[int]int{1: 1, 2: 2}
	for k := range m {
		if k == 2 {
			panic(k)
		}
		break
	}
	_ = sync.Mutex{}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			prog := compileText(t, "package main\n\nimport \"sync\"\n\nfunc main() {"+test.body+"\n}\n")
			want := explore.Verified
			if test.bad {
				want = explore.Violation
			}
			for _, reduce := range []bool{false, true} {
				r, err := explore.Run(func() (lts.System, error) {
					sys, err := execute.NewSystem(prog, execute.Process{}, execute.Settings{MapOrder: true})
					if err == nil {
						t.Cleanup(func() { sys.Close() })
					}
					return sys, err
				}, explore.Options{Reduce: reduce})
				if err != nil {
					t.Fatal(err)
				}
				if r.Verdict != want {
					t.Errorf("reduce %v: got %s, want %s", reduce, r, want)
				}
			}
		})
	}
}
