package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
)

// TestReducedArguments attacks the arguments that reduction rests on, one by one:
// each program is one in which an argument would fail if it were less careful. The
// reduced search finds what the plain one finds.
func TestReducedArguments(t *testing.T) {
	for _, p := range slices.Concat(arguments, assumed) {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			a, complaint := agree(compileText(t, program(p.body)), 20000, execute.Settings{Fuel: shortSteps})
			if complaint != "" {
				t.Error(complaint)
			}
			if got, want := a.reduced.kinds(), strings.Fields(p.want); !slices.Equal(got, want) || !a.whole() {
				t.Errorf("got %v, want %v: %s", got, want, a.reduced.Result)
			}
		})
	}
}

// An argument is a program and the kinds of its findings.
type argument struct {
	name string
	want string
	body string
}

// besides is what a search misses that follows others for ever: two goroutines
// that nobody else can reach, one of which panics.
const besides = `
func other(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	panic("other")
}

func startOther() {
	mu := new(sync.Mutex)
	go other(mu)
	mu.Lock()
	mu.Unlock()
}
`

var arguments = []argument{
	// A captured variable that is assigned once, before anybody can reach it, is not
	// tracked (compile/final.go).
	{"a captured variable is assigned after it was captured", "race", `
func main() {
	n, done := 1, make(chan int)
	go func() { done <- n }()
	n = 2
	<-done
}`},
	{"a captured variable is assigned by who captured it", "race", `
func main() {
	n, done := 1, make(chan bool)
	go func() { n = 2; done <- true }()
	println(n)
	<-done
}`},
	{"what a captured variable points to is shared", "race", `
func main() {
	p, done := new(int), make(chan bool)
	go func() { *p = 2; done <- true }()
	println(*p)
	<-done
}`},
	{"a captured variable leads to another one", "race", `
func main() {
	n, done := 1, make(chan bool)
	set := func() { n = 2 }
	go func() { set(); done <- true }()
	println(n)
	<-done
}`},

	// Of a Once, only taking its lock and setting its flag are stops.
	{"who comes second to a Once waits for the first", "", `
func main() {
	var once sync.Once
	n, done := 0, make(chan int)
	for range 2 {
		go func() { once.Do(func() { n++ }); done <- n }()
	}
	if <-done + <-done != 2 {
		panic("not once")
	}
}`},
	{"a Once in itself", "deadlock leak", `
func main() {
	var once sync.Once
	done := make(chan bool)
	go func() { once.Do(func() {}); done <- true }()
	once.Do(func() { <-done; once.Do(func() {}) })
}`},
	{"the flag of a Once that is set orders", "race", `
func main() {
	var once sync.Once
	n, done := 0, make(chan bool)
	go func() { once.Do(func() {}); n = 1; done <- true }()
	once.Do(func() {})
	n = 2
	<-done
	println(n)
}`},
	{"a Once whose function panics is done", "", `
func main() {
	var once sync.Once
	try := func() {
		defer func() { recover() }()
		once.Do(func() { panic("no") })
	}
	done := make(chan bool)
	go func() { try(); done <- true }()
	try()
	<-done
}`},

	// A cycle of states contains a jump back that is not marked as one of a loop
	// that counts (compile/counted.go), or the start of a goroutine that may follow
	// another one (vm.launched).
	{"a counter of 32 bits comes around", "panic", besides + `
func turn(mu *sync.Mutex) {
	for i := uint32(0); ; i += 1 << 31 {
		mu.Lock()
		mu.Unlock()
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a counter of 64 bits comes around", "panic", besides + `
func turn(mu *sync.Mutex) {
	for i := uint64(0); ; i -= 1 << 63 {
		mu.Lock()
		mu.Unlock()
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a counter that is set back", "panic", besides + `
func turn(mu *sync.Mutex) {
	for i := 0; ; {
		mu.Lock()
		mu.Unlock()
		if i == 1 {
			i = 0
			continue
		}
		i++
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a counter that goes up and down", "panic", besides + `
func turn(mu *sync.Mutex) {
	for i := 0; ; {
		mu.Lock()
		mu.Unlock()
		if i > 0 {
			i--
			continue
		}
		i++
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a loop that counts inside of one that does not", "panic", besides + `
func turn(mu *sync.Mutex) {
outer:
	for {
		for i := range 3 {
			mu.Lock()
			mu.Unlock()
			if i == 1 {
				continue outer
			}
		}
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a loop by goto", "panic", besides + `
func turn(mu *sync.Mutex) {
	i := 0
	if mu.TryLock() {
		goto inside
	}
again:
	i++
	mu.Lock()
inside:
	mu.Unlock()
	i--
	goto again
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a loop in the caller", "panic", besides + `
func once(mu *sync.Mutex) {
	for i := 0; i < 2; i++ {
		mu.Lock()
		mu.Unlock()
	}
}

func turn(mu *sync.Mutex) {
	for {
		once(mu)
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a loop over a sequence without end", "panic", besides + `
func turn(mu *sync.Mutex) {
	for i := range iter.Seq[int](func(yield func(int) bool) {
		for yield(1) {
		}
	}) {
		mu.Lock()
		_ = i
		mu.Unlock()
	}
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"a goroutine that starts its successor", "panic", besides + `
func turn(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	go turn(mu)
}

func main() {
	go turn(new(sync.Mutex))
	startOther()
}`},
	{"two goroutines that start each other", "panic", besides + `
func tick(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	go tock(mu)
}

func tock(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	go tick(mu)
}

func main() {
	mu := new(sync.Mutex)
	go tick(mu)
	go tock(mu)
	startOther()
}`},

	// Operations that commute (native/operations.go).
	{"to count up comes too late", "panic race", `
func main() {
	var wg sync.WaitGroup
	var x atomic.Int32
	wg.Add(1)
	go func() { wg.Done() }()
	go func() {
		wg.Add(1)
		x.Store(1)
		wg.Done()
	}()
	wg.Wait()
	if x.Load() == 0 {
		panic("too early")
	}
}`},
	{"to count up while nobody waits yet", "panic race", `
func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	x := 0
	wg.Add(2)
	go wg.Done()
	go wg.Done()
	go func() {
		wg.Add(1)
		mu.Lock()
		x = 1
		mu.Unlock()
		wg.Done()
	}()
	mu.Lock()
	mu.Unlock()
	wg.Wait()
	mu.Lock()
	defer mu.Unlock()
	if x == 0 {
		panic("too early")
	}
}`},
	{"to count down once too often", "exit panic", `
func main() {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { wg.Done() }()
	go func() {
		wg.Done()
		wg.Done()
		os.Exit(3)
	}()
	wg.Wait()
}`},
	{"to count down by two", "exit panic race", `
func main() {
	var wg sync.WaitGroup
	wg.Add(4)
	go func() { wg.Add(-2); wg.Add(1) }()
	go func() {
		wg.Add(-2)
		wg.Done()
	}()
	wg.Wait()
	os.Exit(3)
}`},
	{"two that wait", "panic", `
func main() {
	var wg sync.WaitGroup
	var x atomic.Int32
	wg.Add(3)
	for range 3 {
		go func() { wg.Done() }()
	}
	for range 2 {
		go func() {
			wg.Wait()
			if x.Add(1) == 2 {
				panic("second")
			}
		}()
	}
}`},
	{"a key that is found by a range", "panic", `
type cell struct{ n atomic.Int32 }

func main() {
	c := new(cell)
	set := map[*cell]bool{c: true}
	mu := new(sync.Mutex)
	go func() {
		mu.Lock()
		for k := range set {
			k.n.Add(1)
			k.n.Add(1)
		}
		mu.Unlock()
	}()
	if c.n.Load() == 1 {
		panic("between")
	}
}`},
	{"a key that main finds", "panic", `
type cell struct{ n atomic.Int32 }

func main() {
	set := map[*cell]bool{}
	mu := new(sync.Mutex)
	go func() {
		c := new(cell)
		mu.Lock()
		set[c] = true
		mu.Unlock()
		if c.n.Load() == 1 {
			panic("between")
		}
		mu.Lock()
		mu.Unlock()
	}()
	mu.Lock()
	for k := range set {
		k.n.Add(1)
		k.n.Add(1)
	}
	mu.Unlock()
}`},
	{"a key of an iterator that main has moved on", "deadlock panic", `
type cell struct{ n atomic.Int32 }

func main() {
	c, mu := new(cell), new(sync.Mutex)
	it := reflect.ValueOf(map[*cell]bool{c: true}).MapRange()
	it.Next()
	go func() {
		mu.Lock()
		k := it.Key().Interface().(*cell)
		k.n.Add(1)
		k.n.Add(1)
		mu.Unlock()
	}()
	go func(c *cell) {
		if c.n.Load() == 1 {
			panic("between")
		}
		mu.Lock()
		mu.Unlock()
	}(c)
	select {}
}`},
	{"a key that is found by one whom another has started", "panic", `
type cell struct{ n atomic.Int32 }

func main() {
	set, mu := map[*cell]bool{}, new(sync.Mutex)
	go func() {
		mu.Lock()
		mu.Unlock()
		go func() {
			mu.Lock()
			defer mu.Unlock()
			for k := range set {
				k.n.Add(1)
				k.n.Add(1)
			}
		}()
	}()
	go func() {
		c := new(cell)
		mu.Lock()
		set[c] = true
		mu.Unlock()
		if c.n.Load() == 1 {
			panic("between")
		}
	}()
}`},
	{"a key that is handed on", "panic", `
type cell struct{ n atomic.Int32 }

func main() {
	c, to, mu := new(cell), make(chan *cell, 1), new(sync.Mutex)
	set := map[*cell]bool{c: true}
	go func() {
		mu.Lock()
		for k := range set {
			to <- k
		}
		mu.Unlock()
	}()
	go func() {
		k := <-to
		k.n.Add(1)
		k.n.Add(1)
	}()
	go func(c *cell) {
		if c.n.Load() == 1 {
			panic("between")
		}
		mu.Lock()
		mu.Unlock()
	}(c)
}`},
	{"a key that is found by reflection", "panic", `
type cell struct{ n atomic.Int32 }

func main() {
	c := new(cell)
	set := map[*cell]bool{c: true}
	mu := new(sync.Mutex)
	go func() {
		mu.Lock()
		k := reflect.ValueOf(set).MapKeys()[0].Interface().(*cell)
		k.n.Add(1)
		k.n.Add(1)
		mu.Unlock()
	}()
	if c.n.Load() == 1 {
		panic("between")
	}
}`},
	{"a key in an interface", "panic", `
type cell struct{ n atomic.Int32 }

func main() {
	c := new(cell)
	set := map[any]bool{[1]any{c}: true}
	mu := new(sync.Mutex)
	go func() {
		mu.Lock()
		for k := range maps.Keys(maps.Clone(set)) {
			k.([1]any)[0].(*cell).n.Add(1)
			k.([1]any)[0].(*cell).n.Add(1)
		}
		mu.Unlock()
	}()
	if c.n.Load() == 1 {
		panic("between")
	}
}`},
	{"a Once that is done for some", "panic", `
var once sync.Once

func main() {
	var x atomic.Int32
	for range 3 {
		go func() {
			once.Do(func() { x.Add(1) })
			if x.Add(1) == 4 {
				panic("last")
			}
		}()
	}
}`},
	{"a Once that panics", "panic", `
var once sync.Once

func main() {
	var x atomic.Int32
	for range 2 {
		go func() {
			defer func() {
				recover()
				if x.Add(1) == 2 {
					panic("last")
				}
			}()
			once.Do(func() { panic("first") })
		}()
	}
}`},
	{"a Once that is overwritten", "race", `
var once sync.Once

func nothing() {}

func main() {
	once.Do(nothing)
	mu := new(sync.Mutex)
	go func() {
		once = sync.Once{}
		mu.Lock()
		mu.Unlock()
	}()
	go func() {
		once.Do(nothing)
	}()
	mu.Lock()
	mu.Unlock()
}`},
	// Whether a step ends before a Once depends on its flag, also as known effect.
	{"two that go through several Onces", "", `
var (
	z     int
	once  sync.Once
	value = sync.OnceValue(func() int { return 3 })
)

func main() {
	fin := make(chan int)
	go func() {
		r := value() + value()
		once.Do(func() { z = r })
		r += z
		once.Do(func() { z = 1 })
		fin <- r + z
	}()
	go func() {
		r := value()
		once.Do(func() { z = 1 })
		fin <- r + z
	}()
	out = <-fin + <-fin
}`},
}

// TestDescriptorSteps counts the steps of a program that writes to a pipe and
// closes it: each method is one, whatever it does inside. The others are close and
// the receive.
func TestDescriptorSteps(t *testing.T) {
	prog := compileText(t, program(`
func main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	done := make(chan bool)
	go func() {
		w.Write([]byte("x"))
		w.Close()
		close(done)
	}()
	<-done
	r.Close()
}`))
	s, err := searchFor(prog, way{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.MaxDepth, 4; got != want {
		t.Errorf("got %d steps, want %d: %s", got, want, s.Result)
	}
}
