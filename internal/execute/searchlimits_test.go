package execute

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestSearchLimits pins what docs/LIMITS.md says that a search does not see: each
// program has a fault of that sort and is verified all the same.
func TestSearchLimits(t *testing.T) {
	for _, test := range []struct{ name, src string }{
		{"glance", `package main

import "runtime"

var v int

func main() {
	c := make(chan int, 1)
	go func() {
		v = 1
		c <- 1
	}()
	for len(c) == 0 { // to look at a channel orders nothing
		runtime.Gosched()
	}
	v = 2
}
`},
		{"random", `package main

import "math/rand/v2"

func main() {
	if rand.Uint64() == 1 {
		panic("one")
	}
}
`},
		{"maporder", `package main

func main() {
	first := 0
	for k := range map[int]bool{1: true, 2: true} {
		first = k
		break
	}
	if first == 2 {
		panic("two")
	}
}
`},
		{"goroutines", `package main

import (
	"runtime"
	"sync"
)

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Done()
	wg.Wait()
	if runtime.NumGoroutine() == 2 { // the other one may not have ended
		panic("two")
	}
}
`},
		{"address", `package main

import (
	"sync/atomic"
	"unsafe"
)

type item struct{ a, b, c, d int }

var n atomic.Int32
var gate = make(chan int)
var kept uintptr

func number(x *item) uintptr {
	var p *item
	u := (*uintptr)(unsafe.Pointer(&p))
	p = x // what a number is seen in changes behind its back
	return *u
}

func worker(x *item) {
	<-gate
	if k := n.Add(1); number(x) == kept && k == 2 {
		panic("the second")
	}
	x.a = 1
}

func main() {
	x, y := &item{}, &item{}
	kept = number(x)
	go worker(x)
	go worker(y)
	close(gate)
	for n.Load() != 2 {
	}
}
`},
		{"calls", `package main

import "os"

var x int

func main() {
	r, w, err := os.Pipe()
	if err != nil {
		return
	}
	go func() {
		x = 1
		w.Close()
	}()
	r.Read(make([]byte, 1)) // the end of the file: the race detector does not order by it
	x = 2
}
`},
		{"memory", `package main

import "runtime"

func main() {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	runtime.GC()
	if runtime.ReadMemStats(&after); after.NumGC > before.NumGC {
		panic("collected")
	}
}
`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if r := searchText(t, test.src); r.Verdict != explore.Verified {
				t.Errorf("got %s, want verified", r)
			}
		})
	}
}

// searchText searches a program.
func searchText(t *testing.T, src string) *explore.Result {
	t.Helper()
	prog := CompileShared(t, writeMain(t, src))
	var sys *System
	r, err := explore.Run(func() (_ lts.System, err error) {
		sys, err = NewSystem(prog, Process{}, Settings{})
		return sys, err
	}, explore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { sys.Close() })
	return r
}
