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
	for _, p := range arguments {
		t.Run(p.name, func(t *testing.T) {
			a, complaint := agree(compileText(t, program(p.body)), 20000, execute.Settings{})
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
	// What is taken to be written no more is written after all (vm/assume.go).
	{"a word of a later object that is loaded before it is stored", "panic", `
type node struct{ a, b atomic.Int32 }

func main() {
	later := make(chan bool)
	go close(later)
	<-later
	n, mu := new(node), new(sync.Mutex)
	go func() {
		mu.Lock()
		mu.Unlock()
		n.b.Store(1)
	}()
	if n.b.Load() == 1 {
		panic("late")
	}
}`},
	{"a word of an element that is loaded before it is stored", "panic", `
func main() {
	later := make(chan bool)
	go close(later)
	<-later
	list := make([]struct{ p *int; n atomic.Int64 }, 3)
	go func() {
		list[2].n.Store(1)
	}()
	if list[2].n.Load() == 1 {
		panic("late")
	}
}`},
	{"a global that is loaded before it is stored", "panic", `
var n struct{ a, b atomic.Int32 }

func main() {
	go func() {
		n.b.Store(1)
	}()
	if n.b.Load() == 1 {
		panic("late")
	}
}`},
	{"a load of the ends of two words", "panic", `
var n struct{ a, b uint64 }

func main() {
	ends := (*uint64)(unsafe.Add(unsafe.Pointer(&n), 4))
	go func() {
		atomic.StoreUint64(&n.b, 1)
	}()
	if atomic.LoadUint64(ends) != 0 {
		panic("late")
	}
}`},
	// A condition may read one thing only after another has changed (vm/watch.go).
	{"a condition that looks at x after a flag was set", "invariant", `
func main() {
	x, flag := new(atomic.Int32), new(atomic.Int32)
	verify.Always(func() bool { return flag.Load() == 0 || x.Load() == 1 })
	done := make(chan bool, 2)
	go func() {
		x.Store(1)
		done <- true
	}()
	go func() {
		flag.Store(1)
		done <- true
	}()
	<-done
	<-done
}`},
	{"a condition that looks at a plain x after a flag was set", "invariant", `
func main() {
	x, flag, mu, nu := new(int), new(int), new(sync.Mutex), new(sync.Mutex)
	verify.Always(func() bool { return *flag == 0 || *x == 1 })
	go func() {
		nu.Lock()
		*flag = 1
		nu.Unlock()
	}()
	go func() {
		nu.Lock()
		nu.Unlock()
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	mu.Lock()
	*x = 1
	mu.Unlock()
}`},
	{"a condition that looks at x after some time", "invariant", `
func main() {
	x, mu := new(int), new(sync.Mutex)
	start := time.Now()
	verify.Always(func() bool { return time.Since(start) < time.Second || *x == 1 })
	go func() {
		mu.Lock()
		*x = 1
		mu.Unlock()
	}()
	time.Sleep(2 * time.Second)
}`},
	{"a condition that looks at x when goroutines have ended", "invariant", `
func main() {
	x, mu, nu := new(int), new(sync.Mutex), new(sync.Mutex)
	verify.Always(func() bool { return runtime.NumGoroutine() > 1 || *x == 1 })
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	nu.Lock()
	nu.Unlock()
	nu.Lock()
	*x = 1
	nu.Unlock()
}`},
	// What goroutines share is not always an object (vm.Machine.TouchProcess).
	{"who draws the first random number", "panic", `
import (
	"math/rand/v2"
	"sync"
)

func main() {
	mu, nu := new(sync.Mutex), new(sync.Mutex)
	a, b := make(chan uint64, 1), make(chan uint64, 1)
	go func() {
		mu.Lock()
		mu.Unlock()
		a <- rand.Uint64()
	}()
	go func() {
		nu.Lock()
		nu.Unlock()
		b <- rand.Uint64()
	}()
	if <-a > <-b {
		panic("a")
	}
	panic("b")
}`},
	{"a setting of the runtime", "panic", `
func main() {
	mu, nu := new(sync.Mutex), new(sync.Mutex)
	go func() {
		mu.Lock()
		mu.Unlock()
		if runtime.GOMAXPROCS(2) == 3 {
			panic("three")
		}
	}()
	nu.Lock()
	nu.Unlock()
	if runtime.GOMAXPROCS(3) == 2 {
		panic("two")
	}
}`},
	{"a profile of goroutines", "panic", `
func main() {
	mu, nu := new(sync.Mutex), new(sync.Mutex)
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	nu.Lock()
	nu.Unlock()
	if n, _ := runtime.GoroutineProfile(nil); n == 1 {
		panic("one")
	}
	panic("two")
}`},
	{"a collection before or after another one forgets", "panic", `
func main() {
	p, end := new([4]int), make(chan bool, 1)
	runtime.SetFinalizer(p, func(*[4]int) { end <- true })
	c := make(chan *[4]int, 1)
	c <- p
	p = nil
	mu, nu := new(sync.Mutex), new(sync.Mutex)
	go func() {
		q := <-c
		mu.Lock()
		q[1]++
		mu.Unlock()
	}()
	go func() {
		nu.Lock()
		nu.Unlock()
	}()
	nu.Lock()
	nu.Unlock()
	runtime.GC()
	select {
	case <-end:
		panic("collected")
	default:
	}
}`},
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
	{"to count up comes too late", "panic", `
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
	{"to count up while nobody waits yet", "panic", `
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
	{"to count down by two", "exit panic", `
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

	// What is assumed (vm/assume.go).
	{"the clock is looked at before somebody waits for it", "panic", `
func main() {
	mu := new(sync.Mutex)
	go func() {
		began := time.Now()
		mu.Lock()
		mu.Unlock()
		if time.Since(began) > 0 {
			panic("late")
		}
	}()
	a, b := new(atomic.Int32), new(atomic.Int32)
	go func() { a.Store(1); b.Store(1) }()
	if b.Load() == 1 && a.Load() == 1 {
		time.Sleep(time.Second)
	}
}`},
	{"a context with a timeout in one branch", "panic", `
func main() {
	c := make(chan int, 1)
	go func() {
		began := time.Now()
		c <- 1
		<-c
		if time.Since(began) > time.Second {
			panic("late")
		}
	}()
	go func() {
		select {
		case v := <-c:
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			<-ctx.Done()
			c <- v
		default:
		}
	}()
}`},
	{"a variable is written when most is over", "panic race", `
var limit = 1

func read(mu *sync.Mutex) {
	mu.Lock()
	n := limit
	mu.Unlock()
	if n == 2 {
		panic("two")
	}
}

func main() {
	go read(new(sync.Mutex))
	var a, b atomic.Int32
	go func() {
		if a.Add(1) == 2 && b.Add(1) == 2 {
			limit = 2
		}
	}()
	b.Add(1)
	a.Add(1)
}`},
	{"a variable is written under a lock", "panic", `
var (
	mu    sync.Mutex
	limit = 1
)

func main() {
	for range 2 {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			if limit++; limit == 3 {
				panic("three")
			}
		}()
	}
}`},
	{"a table leads to another one", "race", `
type node struct{ next *node; n int }

var table = []*node{{n: 1}, {n: 2}}

func main() {
	go func() {
		mu := new(sync.Mutex)
		mu.Lock()
		mu.Unlock()
		if table[0].next != nil && table[0].next.n == 7 {
			panic("seven")
		}
	}()
	go func() {
		table[0].next = &node{n: 7}
	}()
}`},

	// Variables that only initialisation assigns to (compile/fixed.go).
	{"a goroutine that is started by an initialisation", "race", `
type reader interface{ read() int }

type latest struct{}

func (latest) read() int { return late }

var (
	results = make(chan int)
	started = start(pick())
	late    = same(2)
)

func same(n int) int { return n }

func pick() reader { return latest{} }

func start(r reader) int {
	go func() { results <- r.read() }()
	return 1
}

func main() {
	_ = started
	<-results
}`},
	{"an init function that starts a goroutine", "race", `
var n int

var results = make(chan int)

func init() {
	go func() { results <- n }()
	n = 1
}

func main() { <-results }`},
}

// TestWrites writes a variable in one of many ways while another goroutine reads
// it, which is a race: neither is it taken for one that is never written, nor is
// it assumed for good.
func TestWrites(t *testing.T) {
	for _, p := range []struct{ name, vars, write, read string }{
		{"assignment", "var x = 1", "x = 2", "out = x"},
		{"increment", "var x = 1", "x++", "out = x"},
		{"field", "var x struct{ a, b int }", "x.b = 2", "out = x.b"},
		{"element", "var x [3]int", "x[out&1+1] = 2", "out2 = x[1]"},
		{"slice", "var x = []int{1, 2}", "x[1] = 2", "out2 = x[1]"},
		{"slice of an array", "var x [3]int", "y := x[:2]; y[1] = 2", "out2 = x[1]"},
		{"nested", "var x [2]struct{ a [2]int }", "x[1].a[1] = 2", "out2 = x[1].a[1]"},
		{"struct", "type pair struct{ a, b int }\nvar x pair", "x = pair{1, 2}", "out2 = x.a"},
		{"array", "var x [9]int", "x = [9]int{8: 1}", "out2 = x[8]"},
		{"pointer", "var x = 1", "p := &x; *p = 2", "out2 = x"},
		{"pointer of the initialisation", "var x = 1\nvar p = &x", "*p = 2", "out2 = x"},
		{"pointer of an init function", "var x = 1\nvar p *int\nfunc init() { p = &x }", "*p = 2", "out2 = x"},
		{"method", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number", "x.set()", "out2 = int(x)"},
		{"method value", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number\nvar f = x.set", "f()", "out2 = int(x)"},
		{"method expression", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number", "(*number).set(&x)", "out2 = int(x)"},
		{"embedded method", "type number struct{ n int }\nfunc (n *number) set() { n.n = 2 }\nvar x struct{ number }", "x.set()", "out2 = x.n"},
		{"embedded method value", "type number struct{ n int }\nfunc (n *number) set() { n.n = 2 }\nvar x struct{ a int; number }\nvar f = x.set", "f()", "out2 = x.n"},
		{"interface", "type number int\nfunc (n *number) set() { *n = 2 }\nvar x number\nvar i interface{ set() } = &x", "i.set()", "out2 = int(x)"},
		{"closure", "var x int\nvar f = func() { x = 2 }", "f()", "out2 = x"},
		{"deferred", "var x int", "defer func() { x = 2 }()", "out2 = x"},
		{"generic", "var x int\nfunc set[T any](p *T, v T) { *p = v }", "set(&x, 2)", "out2 = x"},
		{"map", "var x = map[int]int{1: 1}", "x[1] = 2", "out2 = x[1]"},
		{"deletion", "var x = map[int]int{1: 1}", "delete(x, 1)", "out2 = x[1]"},
		{"clear", "var x = []int{1, 2}", "clear(x)", "out2 = x[1]"},
		{"copy", "var x = []int{1, 2}", "copy(x, []int{3, 4})", "out2 = x[1]"},
		{"append", "var x = make([]int, 2, 4)", "_ = append(x[:1], 2)", "out2 = x[1]"},
		{"sort", "var x = []int{3, 1, 2}", "sort.Ints(x)", "out2 = x[1]"},
		{"slices", "var x = []int{3, 1, 2}", "slices.Reverse(x)", "out2 = x[0]"},
		{"range", "var x int", "for x = range 2 { }", "out2 = x"},
		{"receive", "var x int", "c := make(chan int, 1); c <- 1; x = <-c", "out2 = x"},
		{"select", "var x int", "c := make(chan int, 1); c <- 1; select { case x = <-c: }", "out2 = x"},
		{"comma ok", "var x bool\nvar y any = 1", "_, x = y.(int)", "if x { out2 = 1 }"},
		{"scan", "var x int", `fmt.Sscan("2", &x)`, "out2 = x"},
		{"atomic", "var x int32", "atomic.StoreInt32(&x, 2)", "out2 = int(x)"},
		{"reflect", "var x int", "reflect.ValueOf(&x).Elem().SetInt(2)", "out2 = x"},
		{"reflect by name", "var x struct{ A int }\nvar v = reflect.ValueOf(&x)", `v.Elem().FieldByName("A").SetInt(2)`, "out2 = x.A"},
		{"reflect copy", "var x = []int{1, 2}", "reflect.Copy(reflect.ValueOf(x), reflect.ValueOf([]int{3, 4}))", "out2 = x[1]"},
		{"reflect method", "type number int\nfunc (n *number) Set() { *n = 2 }\nvar x number", `reflect.ValueOf(&x).MethodByName("Set").Call(nil)`, "out2 = int(x)"},
		{"unsafe", "var x [2]int", "*(*int)(unsafe.Add(unsafe.Pointer(&x), 8)) = 2", "out2 = x[1]"},
		{"read", "var x [2]byte", `strings.NewReader("ab").Read(x[:])`, "out2 = int(x[1])"},
	} {
		t.Run(p.name, func(t *testing.T) {
			body := p.vars + `

var out2 int

func writer(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	` + p.write + `
}

func reader(mu *sync.Mutex) {
	mu.Lock()
	mu.Unlock()
	` + p.read + `
}

func main() {
	go writer(new(sync.Mutex))
	go reader(new(sync.Mutex))
}`
			bodies := []string{body}
			if !strings.Contains(p.vars, "\n") { // it can be a local variable, too, which is made when there is somebody else
				bodies = append(bodies, `
var out2 int

func main() {
	var out int
	later := make(chan bool)
	go close(later)
	<-later
	`+p.vars+`
	mu, nu := new(sync.Mutex), new(sync.Mutex)
	go func() {
		mu.Lock()
		mu.Unlock()
		`+p.write+`
	}()
	go func() {
		nu.Lock()
		nu.Unlock()
		`+p.read+`
	}()
	_ = out
}`)
			}
			for _, body := range bodies {
				a, complaint := agree(compileText(t, program(body)), 20000, execute.Settings{})
				if complaint != "" {
					t.Error(complaint)
				}
				want := "race"
				if strings.HasPrefix(p.vars, "var x = map") {
					want = "fatal" // concurrent map read and map write
				}
				if got := a.reduced.kinds(); !slices.Contains(got, want) || !a.whole() {
					t.Errorf("got %v, want %s: %s\n%s", got, want, a.reduced.Result, body)
				}
			}
		})
	}
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
