package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestStuck pins what a goroutine is called that waits for ever. It does not depend
// on whether it is known before all are blocked.
func TestStuck(t *testing.T) {
	for _, p := range []struct {
		name, body string
		want       []string
	}{
		{"main beside an endless goroutine", `
	mu := new(sync.Mutex)
	go func() {
		for {
			mu.Lock()
			mu.Unlock()
		}
	}()
	<-make(chan int)`, []string{"deadlock: main is blocked forever: receive on make(chan int) (chan int, 0/0) at main.go:12:2"}},
		{"main and one that it does not know", `
	c := make(chan int)
	go func() { <-make(chan bool) }()
	<-c`, []string{
			"deadlock: main is blocked forever: receive on c (chan int, 0/0) at main.go:7:2",
			"leak: main.main.func1 is blocked forever: receive on make(chan bool) (chan bool, 0/0) at main.go:6:14",
		}},
		{"each waits for the other", `
	a, b := make(chan int), make(chan int)
	go func() { <-a; b <- 1 }()
	<-b
	a <- 1`, []string{"deadlock: main is blocked forever: receive on b (chan int, 0/0) at main.go:7:2"}},
		{"each waits for the other, beside an endless one", `
	a, b, mu := make(chan int), make(chan int), new(sync.Mutex)
	go func() { <-a; b <- 1 }()
	go func() {
		for {
			mu.Lock()
			mu.Unlock()
		}
	}()
	<-b
	a <- 1`, []string{"deadlock: main is blocked forever: receive on b (chan int, 0/0) at main.go:13:2"}},
		{"main leaves the work to endless servers", `
	in := make(chan int)
	go func() { for range in {} }()
	go func() { for { in <- 1 } }()
	select {}`, nil},
		{"main leaves the work to those that end", `
	go func() {}()
	select {}`, []string{"deadlock: main is blocked forever: select without cases at main.go:6:2"}},
		{"main goes around in circles", `
	for {
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:4"}},
		{"main waits for a flag that is never set", `
	var set atomic.Bool
	go func() {}()
	for !set.Load() {
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:7:15"}},
		{"two wait for each other's flags", `
	var a, b atomic.Bool
	go func() {
		for !b.Load() {
			runtime.Gosched()
		}
		a.Store(true)
	}()
	for !a.Load() {
		runtime.Gosched()
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:12:13"}},
		{"main counts how often it looks", `
	var set atomic.Bool
	go func() {}()
	for n := 0; !set.Load(); n++ {
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:7:23"}},
		{"main counts and does nothing else", `
	for n := 0; ; n++ {
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:4"}},
		{"main gives up after some looks", `
	var set atomic.Bool
	for n := 0; !set.Load() && n < 100; n++ {
	}`, nil},
		{"main tries a lock that stays locked", `
	var mu sync.Mutex
	mu.Lock()
	go func() {}()
	for !mu.TryLock() {
		runtime.Gosched()
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:8:17"}},
		{"main waits for a flag, and another one for a time", `
	var set atomic.Bool
	t := time.Now()
	go func() {
		for time.Since(t) < 2*time.Second {
		}
		set.Store(true)
	}()
	for !set.Load() {
	}`, nil},
		{"main takes what comes first in a map", `
	m := map[int]int{1: 1, 2: 2, 3: 3}
	for {
		for k := range m {
			if k == 3 {
				return
			}
			break
		}
		runtime.Gosched()
	}`, nil},
		{"main locks and unlocks", `
	var mu sync.Mutex
	go func() {}()
	for {
		mu.Lock()
		mu.Unlock()
	}`, nil},
		{"main looks whether somebody sends", `
	c := make(chan int)
	go func() {}()
	for {
		select {
		case <-c:
			return
		default:
		}
	}`, []string{"deadlock: main goes around in circles forever, and nothing else can happen at main.go:8:3"}},
		{"main looks whether somebody sends, who does", `
	c := make(chan int)
	go func() { c <- 1 }()
	for {
		select {
		case <-c:
			return
		default:
		}
	}`, nil},
		{"main waits for a flag that is set", `
	var set atomic.Bool
	go func() { set.Store(true) }()
	for !set.Load() {
	}`, nil},
		{"main sleeps beside one that goes around in circles", `
	go func() {
		for {
		}
	}()
	time.Sleep(1)`, nil},
		{"main has returned", `
	go func() { <-make(chan bool) }()`, []string{"leak: main.main.func1 is blocked forever: receive on make(chan bool) (chan bool, 0/0) at main.go:5:14"}},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			prog := compileText(t, "package main\nimport (\"runtime\"; \"sync\"; \"sync/atomic\"; \"time\")\nvar _, _, _, _ = runtime.Gosched, sync.NewCond, atomic.LoadInt32, time.Sleep\nfunc main() {"+p.body+"\n}\n")
			for _, reduce := range []bool{false, true} {
				s, err := searchFor(prog, way{Options: explore.Options{All: true, Reduce: reduce}, Settings: execute.Settings{Fuel: shortSteps}})
				if err != nil {
					t.Fatal(err)
				}
				if got := s.found(); !slices.Equal(got, p.want) {
					t.Errorf("reduce %v: got %q, want %q", reduce, got, p.want)
				}
			}
		})
	}
}
