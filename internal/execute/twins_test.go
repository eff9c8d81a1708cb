package execute

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
)

// twinPrograms have goroutines that are alike, or seem to be.
var twinPrograms = map[string]string{
	"locks":       `var mu sync.Mutex; n := 0; each(4, func() { mu.Lock(); n++; mu.Unlock() })`,
	"own locks":   `locks := make([]sync.Mutex, 3); start(3, func(i int) { locks[i].Lock(); locks[i].Unlock() }); locks[1].Lock(); locks[1].Unlock()`,
	"own results": `out := make([]int, 3); start(3, func(i int) { runtime.Gosched(); out[i] = 1 }); runtime.Gosched()`,
	"channels":    `c := make(chan int); each(2, func() { c <- 1 }); each(2, func() { <-c })`,
	"buffers":     `c := make(chan *int, 2); each(4, func() { c <- new(int) }); for range 4 { *<-c |= 1 }`,
	"replies": `ask := make(chan chan int); each(3, func() { r := make(chan int); ask <- r; <-r })
		for range 3 { r := <-ask; r <- 1 }`,
	"selects":     `a, b := make(chan int, 1), make(chan int, 1); each(3, func() { select { case a <- 1: case b <- 2: case <-a: } })`,
	"cond":        `var mu sync.Mutex; c := sync.NewCond(&mu); ok := false; each(3, func() { mu.Lock(); for !ok { c.Wait() }; mu.Unlock() }); mu.Lock(); ok = true; c.Signal(); c.Broadcast(); mu.Unlock()`,
	"readers":     `var mu sync.RWMutex; n := 0; each(2, func() { mu.Lock(); n++; mu.Unlock() }); each(2, func() { mu.RLock(); _ = n; mu.RUnlock() })`,
	"pairs":       `each(2, func() { c := make(chan int); go func() { c <- 1 }(); <-c })`,
	"timers":      `each(3, func() { time.Sleep(time.Millisecond) }); time.AfterFunc(time.Millisecond, func() {}); time.AfterFunc(time.Millisecond, func() {})`,
	"atomics":     `var n atomic.Int32; each(4, func() { if !n.CompareAndSwap(0, 1) { n.Add(2) } })`,
	"own keys":    `m := map[int]*int{}; var mu sync.Mutex; start(3, func(i int) { p := new(int); mu.Lock(); m[i] = p; mu.Unlock(); *p++ })`,
	"own nodes":   `type node struct{ next *node; c chan int }; var last *node; for range 3 { n := &node{last, make(chan int, 1)}; last = n }; start(3, func(i int) { n := last; for range i { n = n.next }; n.c <- 1; if n.next != nil { <-n.next.c } })`,
	"contexts":    `ctx, stop := context.WithCancel(context.Background()); each(3, func() { <-ctx.Done() }); stop()`,
	"a panic":     `var mu sync.Mutex; n := 0; each(3, func() { defer func() { recover() }(); mu.Lock(); defer mu.Unlock(); if n++; n == 2 { panic(n) } })`,
	"own numbers": `first := make(chan int, 3); start(3, func(i int) { first <- i }); if <-first == 1 { println("second") }`,
}

const twinHead = `package main

import ("context"; "runtime"; "sync"; "sync/atomic"; "time")

var _ = context.Background
var _ = runtime.Gosched
var _ = time.Sleep
var _ atomic.Int32

func start(n int, f func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() { defer wg.Done(); f(i) }()
	}
	waits = append(waits, wg.Wait)
}

func each(n int, f func()) {
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() { defer wg.Done(); f() }()
	}
	waits = append(waits, wg.Wait)
}

var waits []func()

func main() {
`

// TestTwins: where two goroutines are taken to be exchangeable, the steps of both lead to states with equal keys.
func TestTwins(t *testing.T) {
	total := 0
	for name, body := range twinPrograms {
		n := twinsIn(t, name, compileAccess(t, twinHead+body+"\nfor _, wait := range waits { wait() }\n}\n"), 3000)
		if t.Logf("%s: %d", name, n); n == 0 && !strings.HasPrefix(name, "own ") {
			t.Errorf("%s: got no goroutines that are alike", name)
		}
		total += n
	}
	for seed := range uint64(30) {
		n := twinsIn(t, "generated", compileAccess(t, randconc.Program(seed+1, randconc.Options{Routines: 4})), 300)
		total += n
	}
	t.Logf("%d pairs", total)
}

// twinsIn visits states of a program, and returns how many pairs there are in them.
func twinsIn(t *testing.T, name string, prog *bytecode.Program, limit int) (pairs int) {
	sys, err := NewSystem(prog, Process{Env: []string{}, Dir: "/"}, Settings{Fuel: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	seen := map[string]bool{}
	key := func() string { return string(sys.AppendKey(nil)) }
	var visit func(depth int)
	visit = func(depth int) {
		here := key()
		if seen[here] || len(seen) >= limit {
			return
		}
		seen[here] = true
		var twins []bool
		for i := range sys.m.Goroutines() {
			twins = append(twins, sys.m.Twin(i))
		}
		steps := sys.Enabled(nil)
		next := map[int][]string{} // by goroutine
		mark := sys.Save()
		for _, step := range steps {
			sys.Take(step)
			who, _ := splitStep(step)
			next[who] = append(next[who], key())
			visit(depth + 1)
			sys.Restore(mark)
		}
		for i, twin := range twins {
			if !twin {
				continue
			}
			a, b := next[i-1], next[i]
			slices.Sort(a)
			slices.Sort(b)
			pairs++
			if !slices.Equal(slices.Compact(a), slices.Compact(b)) {
				t.Errorf("%s: after %d steps, goroutines %d and %d are taken to be alike, but lead to %d and %d states that differ", name, depth, i-1, i, len(a), len(b))
			}
		}
	}
	visit(0)
	return pairs
}
