package execute_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestMeaning checks what real Go allows: the kinds of findings of small programs,
// and in how many ways they can end. A kind followed by = and a text must have a
// finding with that text. Reduced and plain searches agree.
func TestMeaning(t *testing.T) {
	for _, p := range meanings {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			s := execute.Settings{Late: p.late}
			a, complaint := agree(compileText(t, program(p.body)), 20000, s)
			if complaint != "" {
				t.Error(complaint)
			}
			if !a.whole() {
				t.Errorf("got %s", a.plain.Result)
			}
			var want []string
			for _, f := range strings.Fields(p.want) {
				kind, text, _ := strings.Cut(f, "=")
				want = append(want, kind)
				if text = strings.ReplaceAll(text, "_", " "); !strings.Contains(strings.Join(a.plain.found(), "\n"), text) {
					t.Errorf("got %q, want %q", a.plain.found(), text)
				}
			}
			if got := a.plain.kinds(); !slices.Equal(got, slices.Compact(want)) {
				t.Errorf("got %v, want %v: %q", got, want, a.plain.found())
			}
			if got := len(a.plain.ends); got != p.ends && p.ends >= 0 {
				t.Errorf("got %d final states, want %d", got, p.ends)
			}
			if want == nil && a.plain.Verdict != explore.Verified {
				t.Errorf("got %s", a.plain.Result)
			}
		})
	}
}

// program makes a file of the body of main, or of all that follows the imports.
func program(body string) string {
	if strings.HasPrefix(body, "\nimport ") {
		return "package main\n" + body
	}
	if !strings.Contains(body, "func main()") {
		body = "func main() {\n" + body + "\n}\n"
	}
	src := "package main\n\nimport (\n"
	for _, path := range execute.SharedPackages {
		name := path[strings.LastIndex(path, "/")+1:]
		if regexp.MustCompile(`\b` + name + `\.`).MatchString(body) {
			src += "\t\"" + path + "\"\n"
		}
	}
	return src + ")\n\nvar out int\n\n" + body
}

// A meaning is a program and what it may do.
type meaning struct {
	name string
	want string // kinds of findings, sorted
	ends int    // final states, -1 if that does not matter
	late drive.Lateness
	body string
}

var meanings = []meaning{
	{"select of several ready cases", "", 3, 0, `
		a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
		a <- 1
		b <- 1
		c <- 1
		select {
		case <-a:
			out = 1
		case <-b:
			out = 2
		case <-c:
			out = 3
		}`},
	{"select of a ready send and receive", "", 2, 0, `
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 1
		select {
		case <-a:
			out = 1
		case b <- 1:
			out = 2
		}`},
	{"a partner may not have arrived", "leak", 2, 0, `
		c := make(chan int)
		go func() { c <- 1 }()
		select {
		case out = <-c:
		default:
			out = 2
		}`},
	{"a partner that comes first is seen", "assert", -1, 0, `
		c := make(chan int)
		go func() { c <- 1 }()
		select {
		case <-c:
			verify.Assert(false, "received")
		default:
			<-c
		}`},
	{"unbuffered channels synchronise", "", 1, 0, `
		c := make(chan int)
		go func() { out = 1; c <- 1 }()
		<-c
		out++`},
	{"the send on a buffered channel happens before its receive", "", 1, 0, `
		c := make(chan int, 1)
		go func() { out = 1; c <- 1 }()
		<-c
		out++`},
	{"a receive from a buffered channel does not come before its send", "race", -1, 0, `
		c := make(chan int, 1)
		go func() { out = 1; <-c }()
		c <- 1
		out++`},
	{"close wakes all receivers", "", 1, 0, `
		c := make(chan int)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { <-c })
		}
		close(c)
		wg.Wait()`},
	{"close of a closed channel", "panic=close_of_closed_channel", 2, 0, `
		c := make(chan int)
		go func() { close(c) }()
		close(c)`},
	{"send on a closed channel", "panic=send_on_closed_channel", -1, 0, `
		c := make(chan int)
		go func() { c <- 1 }()
		close(c)`},
	{"receive from a nil channel", "deadlock", 1, 0, `
		var c chan int
		<-c`},
	{"a goroutine on a nil channel leaks", "leak", 1, 0, `
		var c chan int
		go func() { c <- 1 }()`},
	{"a nil channel is never ready", "", 1, 0, `
		var c chan int
		d := make(chan int, 1)
		d <- 1
		select {
		case <-c:
			out = 1
		case <-d:
			out = 2
		}`},
	{"recursive read lock and a waiting writer", "deadlock", -1, 0, `
		var mu sync.RWMutex
		var wg sync.WaitGroup
		wg.Go(func() { mu.Lock(); mu.Unlock() })
		mu.RLock()
		mu.RLock()
		mu.RUnlock()
		mu.RUnlock()
		wg.Wait()`},
	{"two readers at once", "assert", -1, 0, `
		var mu sync.RWMutex
		var n atomic.Int32
		for range 2 {
			go func() {
				mu.RLock()
				verify.Assert(n.Add(1) == 1, "alone")
				n.Add(-1)
				mu.RUnlock()
			}()
		}`},
	{"a writer is alone", "", -1, 0, `
		var mu sync.RWMutex
		var n atomic.Int32
		go func() {
			mu.RLock()
			n.Add(1)
			n.Add(-1)
			mu.RUnlock()
		}()
		mu.Lock()
		verify.Assert(n.Load() == 0)
		mu.Unlock()`},
	{"TryLock fails or not", "", 2, 0, `
		var mu sync.Mutex
		var wg sync.WaitGroup
		wg.Go(func() { mu.Lock(); mu.Unlock() })
		if mu.TryLock() {
			out = 1
			mu.Unlock()
		}
		wg.Wait()`},
	{"locks are not fair", "", 2, 0, `
		var mu sync.Mutex
		var wg sync.WaitGroup
		n := 0
		wg.Go(func() { mu.Lock(); n *= 2; mu.Unlock() })
		wg.Go(func() { mu.Lock(); n++; mu.Unlock() })
		wg.Wait()
		out = n`},
	{"lost wake-up", "leak", -1, 0, `
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		go func() {
			mu.Lock()
			cond.Wait()
			mu.Unlock()
		}()
		cond.Signal()`},
	{"a signal wakes one", "leak", -1, 0, `
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		n := 0
		for range 2 {
			go func() {
				mu.Lock()
				n++
				cond.Wait()
				mu.Unlock()
			}()
		}
		for {
			mu.Lock()
			if n == 2 {
				break
			}
			mu.Unlock()
			runtime.Gosched()
		}
		cond.Signal()
		mu.Unlock()`},
	{"a broadcast wakes all", "", 1, 0, `
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		n := 0
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				mu.Lock()
				n++
				cond.Wait()
				mu.Unlock()
			})
		}
		for {
			mu.Lock()
			if n == 2 {
				break
			}
			mu.Unlock()
			runtime.Gosched()
		}
		cond.Broadcast()
		mu.Unlock()
		wg.Wait()`},
	{"Wait may come before Add", "assert race=Add_from_zero_races_with_Wait", -1, 0, `
		var wg sync.WaitGroup
		var a atomic.Bool
		go func() {
			wg.Add(1)
			a.Store(true)
			wg.Done()
		}()
		wg.Wait()
		verify.Assert(a.Load())`},
	{"negative WaitGroup counter", "panic=negative_WaitGroup_counter", 1, 0, `
		var wg sync.WaitGroup
		wg.Add(1)
		wg.Done()
		wg.Done()`},
	{"Once is done once and waited for", "", 1, 0, `
		var once sync.Once
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				once.Do(func() { out++ })
				verify.Assert(out == 1)
			})
		}
		wg.Wait()`},
	{"context is cancelled", "", -1, 0, `
		ctx, cancel := context.WithCancel(context.Background())
		go func() { cancel() }()
		<-ctx.Done()
		verify.Assert(ctx.Err() == context.Canceled)`},
	{"context times out or is cancelled", "assert=cancelled assert=timed_out", -1, 0, `
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		go func() { cancel() }()
		<-ctx.Done()
		verify.Assert(ctx.Err() != context.Canceled, "cancelled")
		verify.Assert(ctx.Err() != context.DeadlineExceeded, "timed out")`},
	{"timers in the order of their deadlines", "", -1, drive.Punctual, `
		a, b := time.After(2*time.Second), time.After(time.Second)
		select {
		case <-a:
			out = 1
		case <-b:
			out = 2
		}
		verify.Assert(out == 2)`},
	{"a goroutine that is late may see both timers", "assert", -1, 0, `
		a, b := time.After(30*time.Millisecond), time.After(20*time.Millisecond)
		select {
		case <-a:
			out = 1
		case <-b:
			out = 2
		}
		verify.Assert(out == 2)`},
	{"a goroutine is not late by a second", "", -1, 0, `
		a, b := time.After(2*time.Second), time.After(time.Second)
		select {
		case <-a:
			out = 1
		case <-b:
			out = 2
		}
		verify.Assert(out == 2)`},
	{"a stopped timer does not fire, and may have fired before", "", 2, 0, `
		var a atomic.Int32
		t := time.AfterFunc(time.Millisecond, func() { a.Add(1) })
		if t.Stop() {
			verify.Assert(a.Load() == 0)
			out = 1
		}`},
	{"a timer that is reset fires later", "", -1, drive.Punctual, `
		t := time.NewTimer(time.Second)
		t.Reset(3 * time.Second)
		select {
		case <-t.C:
			out = 1
		case <-time.After(2 * time.Second):
			out = 2
		}
		verify.Assert(out == 2)`},
	{"a ticker closes into a cycle", "", 0, 0, `
		t := time.NewTicker(time.Second)
		for range t.C {
		}`},
	{"sleep, free", "assert", -1, drive.Unbounded, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		time.Sleep(time.Second)
		verify.Assert(a.Load())`},
	{"nobody is late by a second", "", -1, 0, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		time.Sleep(time.Second)
		verify.Assert(a.Load())`},
	{"somebody is late by 20 ms", "assert", -1, 0, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		time.Sleep(20 * time.Millisecond)
		verify.Assert(a.Load())`},
	{"somebody is late by 60 ms, and not by 120", "assert=one", -1, 0, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		time.Sleep(60 * time.Millisecond)
		verify.Assert(a.Load(), "one")
		time.Sleep(60 * time.Millisecond)
		verify.Assert(a.Load(), "two")`},
	{"time passes for who spins", "assert", -1, 0, `
		var a atomic.Bool
		go func() { time.Sleep(time.Hour); a.Store(true) }()
		for !a.Load() {
			runtime.Gosched()
		}
		verify.Assert(false)`},
	{"time passes for those who go around in circles", "assert", -1, 0, `
		var mu sync.Mutex
		stop := make(chan bool)
		for range 2 {
			go func() {
				for {
					select {
					case <-stop:
						return
					default:
					}
					mu.Lock()
					out = 1 - out
					mu.Unlock()
				}
			}()
		}
		time.Sleep(time.Hour)
		close(stop)
		verify.Assert(false)`},
	{"time passes for who waits in turns", "assert", -1, 0, `
		a, b := make(chan int), make(chan int)
		stop := time.After(time.Hour)
		go func() {
			for range a {
				b <- 1
			}
		}()
		for {
			select {
			case <-stop:
				verify.Assert(false)
			case a <- 1:
				<-b
			}
		}`},
	{"a partner may arrive late by 20 ms", "assert", -1, 0, `
		ready, c := make(chan int), make(chan int)
		go func() { ready <- 1; <-c }()
		<-ready
		time.Sleep(20 * time.Millisecond)
		select {
		case c <- 1:
		default:
			verify.Assert(false)
			close(c)
		}`},
	{"a partner does not arrive late by a second", "", -1, 0, `
		ready, c := make(chan int), make(chan int)
		go func() { ready <- 1; <-c }()
		<-ready
		time.Sleep(time.Second)
		select {
		case c <- 1:
		default:
			verify.Assert(false)
			close(c)
		}`},
	{"a partner does not arrive late by many times 20 ms", "", -1, 0, `
		ready, c := make(chan int), make(chan int)
		go func() { ready <- 1; <-c }()
		<-ready
		for range 10 {
			time.Sleep(20 * time.Millisecond)
			select {
			case c <- 1:
				return
			default:
			}
		}
		verify.Assert(false)`},
	{"sleep, quiescent", "", -1, drive.Punctual, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		time.Sleep(time.Second)
		verify.Assert(a.Load())`},
	{"a spinning loop closes into a cycle", "", 1, 0, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		for !a.Load() {
			runtime.Gosched()
		}`},
	{"a spinning loop without yield", "", 1, 0, `
		var a atomic.Bool
		go func() { a.Store(true) }()
		for !a.Load() {
		}`},
	{"a leak beside an endless server", "leak", 0, 0, `
		in, lost := make(chan int), make(chan int)
		go func() {
			for range in {
			}
		}()
		go func() { lost <- 1 }()
		for {
			in <- 1
		}`},
	{"panic after main has returned", "panic=late", 1, 0, `
		go func() { panic("late") }()`},
	{"exit while others run", "exit", -1, 0, `
		c := make(chan int)
		go func() {
			for {
				select {
				case c <- 1:
				default:
				}
			}
		}()
		os.Exit(3)`},
	{"exit with code 0 is no fault", "", -1, 0, `
		go func() { out = 1 }()
		os.Exit(0)`},
	{"Goexit runs deferred calls", "", 1, 0, `
		done := make(chan int)
		go func() {
			defer func() { done <- 1 }()
			runtime.Goexit()
			panic("not reached")
		}()
		out = <-done`},
	{"Goexit of main", "deadlock", -1, 0, `
		runtime.Goexit()`},
	{"a recovered panic", "", 1, 0, `
		done := make(chan any)
		go func() {
			defer func() { done <- recover() }()
			panic("p")
		}()
		verify.Assert(<-done == "p")`},
	{"a deferred unlock after a panic", "", 1, 0, `
		var mu sync.Mutex
		func() {
			defer func() { recover() }()
			mu.Lock()
			defer mu.Unlock()
			panic("p")
		}()
		mu.Lock()`},
	{"sync.Map", "", 2, 0, `
		var m sync.Map
		var wg sync.WaitGroup
		for i := range 2 {
			wg.Go(func() { m.LoadOrStore("k", i) })
		}
		wg.Wait()
		v, _ := m.Load("k")
		out = v.(int)`},
	{"atomic.Value", "", 2, 0, `
		var v atomic.Value
		v.Store(1)
		go func() { v.Store(2) }()
		out = v.Load().(int)`},
	{"sync.Pool", "", 1, 0, `
		p := sync.Pool{New: func() any { return new(int) }}
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				x := p.Get().(*int)
				*x = 1
				p.Put(x)
			})
		}
		wg.Wait()`},
	{"a coroutine", "", 1, 0, `
		next, stop := iter.Pull(func(yield func(int) bool) {
			for i := range 3 {
				if !yield(i) {
					return
				}
			}
		})
		a, _ := next()
		b, _ := next()
		stop()
		out = a + b`},
	{"choices", "assert", 3, 0, `
		out = verify.Choose(3)
		verify.Assert(out != 1)`},
	{"an assumption", "", 2, 0, `
		out = verify.Choose(3)
		verify.Assume(out == 1)`},
	{"an atomic section", "", -1, 0, `
		var a atomic.Int32
		go func() { verify.Atomic(func() { a.Add(1); a.Add(1) }) }()
		verify.Assert(a.Load() != 1)`},
	{"no atomic section", "assert", -1, 0, `
		var a atomic.Int32
		go func() { a.Add(1); a.Add(1) }()
		verify.Assert(a.Load() != 1)`},
	{"an invariant", "invariant", -1, 0, `
		var a atomic.Int32
		verify.Always(func() bool { return a.Load() < 2 })
		go func() { a.Add(1) }()
		go func() { a.Add(1); a.Add(-1) }()`},
	{"an invariant of consecutive states", "invariant", -1, 0, `
		var a atomic.Int32
		verify.Step(a.Load, func(before, after int32) bool { return after >= before })
		go func() { a.Add(1) }()
		go func() { a.Add(1); a.Add(-1) }()`},
	{"goroutines of package initialisation", "assert", -1, 0, `
		var a atomic.Int32

		func init() {
			go func() { a.Store(1) }()
		}

		func main() {
			verify.Assert(a.Load() == 0)
		}`},
	{"unlock of an unlocked mutex", "fatal=unlock_of_unlocked_mutex", -1, 0, `
		var mu sync.Mutex
		go func() { mu.Lock(); mu.Unlock() }()
		mu.Unlock()`},
	{"concurrent map writes", "fatal=concurrent_map_writes", -1, 0, `
		m := map[int]int{}
		go func() { m[1] = 1 }()
		m[2] = 2`},
	{"concurrent map read and write", "fatal=concurrent_map_read_and_map_write", -1, 0, `
		m := map[int]int{}
		go func() { m[1] = 1 }()
		out = m[2]`},
	{"two writes race", "race=write_races_with_write", -1, 0, `
		go func() { out = 1 }()
		out = 2`},
	{"a read and a write race", "race=write_races_with_read", -1, 0, `
		x := 0
		go func() { x = 1 }()
		_ = x + out`},
	{"two reads do not race", "", -1, 0, `
		x := verify.Choose(2)
		go func() { _ = x }()
		out = x`},
	{"a plain and an atomic access race", "race", -1, 0, `
		var x int32
		go func() { atomic.AddInt32(&x, 1) }()
		x = 2`},
	{"neighbouring fields do not race", "", -1, 0, `
		var s struct{ a, b int32 }
		go func() { s.a = 1 }()
		s.b = 1`},
	{"a race under different locks", "race", -1, 0, `
		var a, b sync.Mutex
		go func() { a.Lock(); out++; a.Unlock() }()
		b.Lock()
		out++
		b.Unlock()`},
	{"main blocked beside a running server", "", -1, 0, `
		in := make(chan int)
		go func() {
			for range in {
			}
		}()
		go func() {
			for {
				in <- 1
			}
		}()
		in <- 1`},
	{"random numbers are fixed", "", 1, 0, `
		out = rand.Intn(10)`},
}
