package execute_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestSuite runs the suite of the contract on small programs.
func TestSuite(t *testing.T) {
	for _, p := range suitePrograms {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			prog := compileText(t, p.src)
			ltstest.Run(t, func() lts.System {
				sys, err := execute.NewSystem(prog, execute.Process{Env: []string{}, Dir: "/"}, p.settings)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { sys.Close() })
				return sys
			})
		})
	}
}

var suitePrograms = []struct {
	name     string
	settings execute.Settings
	src      string
}{
	{"locks", execute.Settings{}, `package main

import "sync"

var (
	mu    sync.Mutex
	rw    sync.RWMutex
	x, y  int
	order []int
)

func main() {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			x += i
			order = append(order, i)
			mu.Unlock()
			rw.RLock()
			_ = y
			rw.RUnlock()
		}()
	}
	rw.Lock()
	y++
	rw.Unlock()
	wg.Wait()
}
`},
	{"channels", execute.Settings{}, `package main

func main() {
	in, out, quit := make(chan *int), make(chan int, 1), make(chan bool)
	for range 2 {
		go func() {
			for {
				select {
				case p := <-in:
					*p *= 2
					out <- *p
				case <-quit:
					return
				}
			}
		}()
	}
	go func() {
		for i := range 2 {
			in <- &i
		}
	}()
	sum := 0
	for range 2 {
		sum += <-out
	}
	close(quit)
	out <- sum
}
`},
	{"timers", execute.Settings{}, timersOfSuite},
	{"quiescent timers", execute.Settings{Late: drive.Punctual}, timersOfSuite},
	{"cond", execute.Settings{}, `package main

import "sync"

func main() {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := 0
	for range 2 {
		go func() {
			mu.Lock()
			for ready == 0 {
				cond.Wait()
			}
			ready--
			mu.Unlock()
		}()
	}
	mu.Lock()
	ready = 1
	cond.Signal()
	mu.Unlock()
}
`},
	{"panics and ends", execute.Settings{}, `package main

import (
	"os"
	"runtime"
	"sync/atomic"
)

var a atomic.Int32

func try(n int32) {
	defer func() { recover() }()
	if a.Add(1) == n {
		panic(n)
	}
	a.Add(1)
}

func main() {
	go func() {
		try(2)
		if a.Load() == 3 {
			panic("three")
		}
	}()
	go func() {
		defer a.Store(7)
		if a.Load() == 2 {
			runtime.Goexit()
		}
		if a.Load() == 4 {
			os.Exit(4)
		}
	}()
	try(1)
}
`},
	{"races", execute.Settings{}, `package main

var x, y int
var m = map[int]int{}

func main() {
	c := make(chan bool, 2)
	go func() {
		x++
		c <- true
		y++
		m[1] = y
	}()
	go func() {
		<-c
		y++
		x--
		c <- true
	}()
	<-c
	_ = m[1]
}
`},
	{"verify", execute.Settings{}, `package main

import "github.com/heddle-mc/heddle/verify"

var x int

func main() {
	done := make(chan int)
	verify.Always(func() bool { return x < 3 })
	verify.Step(func() int { return x }, func(before, after int) bool { return after <= before+1 })
	go func() {
		n := verify.Choose(3)
		verify.Assume(n != 1)
		verify.Atomic(func() { x += n; x++; done <- n })
	}()
	if verify.Bool() {
		x = 0
	}
	verify.Assert(<-done == 0, "zero")
}
`},
	{"coroutine", execute.Settings{}, `package main

import "iter"

func main() {
	c := make(chan int, 1)
	next, stop := iter.Pull(func(yield func(int) bool) {
		for i := range 3 {
			c <- i
			if !yield(i) {
				return
			}
		}
	})
	go func() {
		for range c {
		}
	}()
	next()
	next()
	stop()
	close(c)
}
`},
	{"spinning", execute.Settings{Fuel: shortSteps}, `package main

import (
	"runtime"
	"sync/atomic"
)

func main() {
	var flag, n atomic.Bool
	go func() {
		for !flag.Load() {
			runtime.Gosched()
		}
		n.Store(true)
	}()
	go func() {
		for {
			flag.Store(n.Load())
		}
	}()
	flag.Store(true)
}
`},
}

const timersOfSuite = `package main

import (
	"context"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Millisecond)
	defer cancel()
	c := make(chan int)
	time.AfterFunc(time.Millisecond, func() { c <- 1 })
	t := time.NewTimer(time.Millisecond)
	go func() {
		select {
		case <-t.C:
		case <-c:
			t.Stop()
		}
	}()
	select {
	case <-c:
	case <-ctx.Done():
	}
	time.Sleep(time.Millisecond)
}
`
