package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Program has a bug that needs some steps in a certain order, among goroutines that have no part in it and
// never come to an end, or come back to no state: loops, tickers, counters, logs.
type Program struct {
	Seed  uint64
	Depth int    // how many steps have to come in a certain order
	Bug   string // its kind
	Noise []string
	Crowd bool // with a hundred goroutines around it
	body  string
}

// crowd is how many goroutines there are around a bug, if there is a crowd.
const crowd = 100

// noises are parts of programs that have nothing to do with the bug.
var noises = map[string]string{
	"loop": `	go func() {
		for i := 0; ; i++ {
			w.count.Store(int64(i))
		}
	}()
`,
	"ticker": `	go func() {
		t := time.NewTicker(10 * time.Millisecond)
		for range t.C {
			w.count.Add(1)
		}
	}()
`,
	"log": `	go func() {
		for {
			w.logMu.Lock()
			w.log = append(w.log, len(w.log))
			w.logMu.Unlock()
			time.Sleep(time.Millisecond)
		}
	}()
`,
	"stamps": `	go func() {
		seen := make(map[int64]bool)
		for {
			seen[time.Now().UnixNano()] = true
			runtime.Gosched()
		}
	}()
`,
	"queue": `	go func() {
		for i := 0; ; i++ {
			w.jobs <- i
		}
	}()
	go func() {
		for j := range w.jobs {
			w.done.Add(int64(j))
		}
	}()
`,
	"work": `	for i := 0; i < 40; i++ {
		w.logMu.Lock()
		w.log = append(w.log, i)
		w.logMu.Unlock()
	}
`,
}

var noiseNames = []string{"loop", "ticker", "log", "stamps", "queue", "work"}

// bugs are the kinds of bugs, each with its depth and the goroutines that have it.
var bugs = []struct {
	name  string
	depth int
	body  func() string
}{
	{"early", 1, func() string {
		return `	go func() { w.ready.Store(true) }()
	go func() {
		if !w.ready.Load() {
			panic("bug")
		}
	}()
`
	}},
	{"closed", 1, func() string {
		return `	c := make(chan int, 1)
	go func() { close(c) }()
	go func() { c <- 1 }()
`
	}},
	{"update", 2, func() string {
		return `	var n atomic.Int64
	var wg sync.WaitGroup
	for i := 0; i < 2; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			n.Store(n.Load() + 1)
		}()
	}
	go func() {
		wg.Wait()
		if n.Load() != 2 {
			panic("bug")
		}
	}()
`
	}},
	{"locks", 2, func() string {
		return `	var a, b sync.Mutex
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		a.Lock()
		b.Lock()
		b.Unlock()
		a.Unlock()
	}()
	go func() {
		defer wg.Done()
		b.Lock()
		a.Lock()
		a.Unlock()
		b.Unlock()
	}()
	end = wg.Wait
`
	}},
	{"race", 1, func() string {
		return `	x := 0
	var mu sync.Mutex
	go func() {
		mu.Lock()
		x++
		mu.Unlock()
	}()
	go func() {
		if mu.TryLock() {
			mu.Unlock()
			return
		}
		x--
	}()
`
	}},
	{"turns", 3, func() string { return turns(3) }},
	{"turns", 4, func() string { return turns(4) }},
}

// turns is a bug that shows if two goroutines take so many steps in turn, each of which is tried once.
func turns(n int) string {
	var who [2]string
	for i := range n {
		who[i%2] += fmt.Sprintf("\t\tstage.CompareAndSwap(%d, %d)\n", i, i+1)
	}
	return fmt.Sprintf(`	var stage atomic.Int64
	go func() {
%s		if stage.Load() == %d {
			panic("bug")
		}
	}()
	go func() {
%s		if stage.Load() == %d {
			panic("bug")
		}
	}()
`, who[0], n, who[1], n)
}

// Generate makes the program of a seed.
func Generate(seed uint64, crowded bool) Program {
	r := rand.New(rand.NewPCG(seed, 1))
	bug := bugs[int(seed)%len(bugs)]
	p := Program{Seed: seed, Depth: bug.depth, Bug: bug.name, Crowd: crowded}
	var before, after strings.Builder
	for range 1 + r.IntN(3) {
		name := noiseNames[r.IntN(len(noiseNames))]
		p.Noise = append(p.Noise, name)
		to := &before
		if r.IntN(3) == 0 {
			to = &after
		}
		to.WriteString(noises[name])
	}
	around := ""
	if crowded {
		around = fmt.Sprintf(`	for i := 0; i < %d; i++ {
		go func() {
			for n := 0; ; n++ {
				w.crowdMu.Lock()
				w.crowd[i]++
				w.crowdMu.Unlock()
				time.Sleep(time.Second)
			}
		}()
	}
`, crowd)
	}
	end := "\tend()\n"
	if r.IntN(2) == 0 {
		end = "\tend()\n\ttime.Sleep(time.Hour)\n"
	}
	p.body = "\tw := newWorld()\n\t_ = w\n\tend := func() { time.Sleep(time.Second) }\n" + around + before.String() + bug.body() + after.String() + end
	return p
}

// has reports whether a part is among those around the bug.
func (p *Program) has(part string) bool { return slices.Contains(p.Noise, part) }

// Join makes one program of many, of which the argument chooses one.
func Join(list []Program) string {
	var b strings.Builder
	b.WriteString(`package main

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type world struct {
	count, done atomic.Int64
	ready       atomic.Bool
	logMu       sync.Mutex
	log         []int
	crowdMu     sync.Mutex
	crowd       [100]int
	jobs        chan int
}

func newWorld() *world { return &world{jobs: make(chan int)} }

var _ = runtime.Gosched

func main() {
	switch os.Args[1] {
`)
	for i := range list {
		fmt.Fprintf(&b, "\tcase \"%d\":\n\t\tp%d()\n", i, i)
	}
	b.WriteString("\t}\n}\n")
	for i, p := range list {
		fmt.Fprintf(&b, "\nfunc p%d() {\n%s}\n", i, p.body)
	}
	return b.String()
}
