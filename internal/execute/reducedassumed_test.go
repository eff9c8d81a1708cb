package execute_test

// assumed are arguments about what reduction guesses of programs (package reduce), and about what
// goroutines share: memory that is hardly ever written, conditions, and things that are no object.
var assumed = []argument{
	// What is taken to be written no more is written after all (reduce/written.go).
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
	{"a Once that has been done tells others nothing", "panic", `
var once sync.Once

func main() {
	res, x, y := make(chan int, 1), make(chan int, 1), make(chan int, 1)
	x <- 1
	y <- 1
	go func() { <-x; once.Do(func() { res <- 1 }) }()
	go func() { <-y; once.Do(func() { res <- 2 }) }()
	if <-res == 2 {
		panic("two")
	}
}`},
	{"who stands before a receive lets others send", "panic", `
func main() {
	ch, k, gate := make(chan int), make(chan int, 1), make(chan int, 1)
	k <- 1
	gate <- 1
	go func() {
		<-gate
		select {
		case <-ch:
			panic("got")
		case <-gate:
		}
	}()
	select {
	case ch <- 1:
	case <-k:
	}
	gate <- 1
}`},
	{"one place before two channels", "leak panic", `
func main() {
	a, b, got := make(chan int, 1), make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	go func() {
		for _, c := range []chan int{a, b} {
			<-c
		}
		got <- 1
	}()
	select {
	case <-b:
		return
	default:
		panic("taken")
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
	verify.Always(func() bool { return time.Since(start) < 10*time.Millisecond || *x == 1 })
	go func() {
		mu.Lock()
		*x = 1
		mu.Unlock()
	}()
	time.Sleep(20 * time.Millisecond)
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
	{"a collection that nothing comes before", "deadlock panic", `
func main() {
	p, ended, mu := new([4]int), make(chan bool, 1), new(sync.Mutex)
	runtime.SetFinalizer(p, func(*[4]int) { ended <- true })
	go func(p *[4]int) {
		mu.Lock()
		p[1]++ // which the collector may look at
		mu.Unlock()
	}(p)
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	runtime.GC()
	<-ended
	panic("ended")
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
	// What is guessed (package reduce).
	{"the clock is looked at before somebody waits for it", "panic", `
func main() {
	mu := new(sync.Mutex)
	go func() {
		began := time.Now()
		mu.Lock()
		mu.Unlock()
		if time.Since(began) >= time.Millisecond {
			panic("late")
		}
	}()
	a, b := new(atomic.Int32), new(atomic.Int32)
	go func() { a.Store(1); b.Store(1) }()
	if b.Load() == 1 && a.Load() == 1 {
		time.Sleep(time.Millisecond)
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
