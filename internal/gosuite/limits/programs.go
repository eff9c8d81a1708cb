package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A slow is a program or a model that no search comes to the end of, or not soon.
type slow struct {
	name  string
	model bool
	text  string
}

// file returns the name that it is checked by, in the folder that write writes to.
func (s *slow) file() string {
	if s.model {
		return s.name + ".mcrl2"
	}
	return "./" + s.name
}

// write writes all of them to a folder, as one module.
func write(dir string, list []slow) error {
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module slow\n\ngo 1.24\n"), 0o666); err != nil {
		return err
	}
	for i := range list {
		s := &list[i]
		name := filepath.Join(dir, s.file())
		if !s.model {
			if err := os.MkdirAll(name, 0o777); err != nil {
				return err
			}
			name = filepath.Join(name, "main.go")
		}
		if err := os.WriteFile(name, []byte(s.text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// all returns the programs and the models.
func all() (list []slow) {
	for _, p := range programs {
		var imports strings.Builder
		for _, name := range strings.Fields(p.imports) {
			fmt.Fprintf(&imports, "import %q\n", name)
		}
		list = append(list, slow{name: p.name, text: fmt.Sprintf("package main\n\n%s\n%s\nfunc main() {\n%s\n}\n", &imports, p.before, p.body)})
	}
	for _, m := range models {
		list = append(list, slow{name: m.name, model: true, text: m.text})
	}
	return list
}

// programs are deep, wide, with large states, with long steps, or long before their first one.
var programs = []struct{ name, imports, before, body string }{
	{"deepmutex", "sync", "", `var mu sync.Mutex; n := 0; go func() { for { mu.Lock(); n++; mu.Unlock() } }(); for { mu.Lock(); n++; mu.Unlock() }`},
	{"deepatomic", "sync/atomic", "", `var n atomic.Int64; go func() { for { n.Add(1) } }(); for { n.Add(2) }`},
	{"deepchan", "", "", `c := make(chan int); go func() { for i := 0; ; i++ { c <- i } }(); s := 0; for x := range c { s += x }`},
	{"deepbuffered", "", "", `c := make(chan int, 50); go func() { for i := 0; ; i++ { c <- i } }(); s := 0; for x := range c { s = s*3 + x }`},
	{"deepselect", "", "", `a, b := make(chan int), make(chan int); for _, c := range []chan int{a, b} { go func() { for i := 0; ; i++ { c <- i } }() }; s := 0; for { select { case x := <-a: s += x; case x := <-b: s -= x } }`},
	{"ticker", "time", "", `n := 0; t := time.NewTicker(time.Millisecond); for range t.C { n++ }`},
	{"clock", "sync time", "", `var mu sync.Mutex; seen := map[time.Time]int{}; for i := range 6 { go func() { for { time.Sleep(time.Duration(i+1) * time.Second); mu.Lock(); seen[time.Now()] = i; mu.Unlock() } }() }; select {}`},
	{"widemutex", "sync", "", `var mu sync.Mutex; n := 0; for i := range 7 { go func() { for { mu.Lock(); n = n*7 + i; mu.Unlock() } }() }; select {}`},
	{"wideatomic", "sync/atomic", "", `var n atomic.Int64; for i := range 12 { go func() { for range 5 { n.Store(n.Load()*13 + int64(i)) } }() }; select {}`},
	{"crowd", "sync", "", `var mu sync.Mutex; n := 0; for i := range 100 { go func() { for range 3 { mu.Lock(); n = n*3 + i; mu.Unlock() } }() }; select {}`},
	{"longlist", "sync", "type node struct { next *node; v [32]int }", `var mu sync.Mutex; var l *node; for range 2 { go func() { for { mu.Lock(); l = &node{next: l}; mu.Unlock() } }() }; select {}`},
	{"largeobjects", "sync", "", `var mu sync.Mutex; var l [][]byte; for range 2 { go func() { for { mu.Lock(); b := make([]byte, 1<<18); for i := range b { b[i] = byte(i) }; l = append(l, b); mu.Unlock() } }() }; select {}`},
	{"largestate", "sync", "", `var mu sync.Mutex; b := make([]byte, 1<<20); n := 0; for range 2 { go func() { for { mu.Lock(); n++; for i := 0; i < len(b); i += 64 { b[i] += 3 }; mu.Unlock() } }() }; select {}`},
	{"growingmap", "sync", "", `var mu sync.Mutex; m := map[int]int{}; for range 2 { go func() { for { mu.Lock(); m[len(m)] = len(m); mu.Unlock() } }() }; select {}`},
	{"growingstring", "sync", "", `var mu sync.Mutex; s := ""; for range 2 { go func() { for { mu.Lock(); s += "abcdefgh"; mu.Unlock() } }() }; select {}`},
	{"longstep", "", "", `go func() {}(); x := 0; for i := 0; i < 1<<50; i++ { x += i }`},
	{"longsteps", "sync", "", `var mu sync.Mutex; n := 0; for range 3 { go func() { for { x := 0; for i := range 3_000_000 { x += i }; mu.Lock(); n += x; mu.Unlock() } }() }; select {}`},
	{"spin", "", "", `x := 0; for { x++ }`},
	{"hugestep", "", "", `go func() {}(); var l [][]byte; for { l = append(l, make([]byte, 1<<16)) }`},
	{"longinit", "", "var x = func() int { s := 0; for i := 0; i < 1<<50; i++ { s ^= i }; return s }()", `println(x)`},
	{"deeprecursion", "sync", "func f(n int, mu *sync.Mutex) int { mu.Lock(); mu.Unlock(); if n == 0 { return 0 }; return 1 + f(n-1, mu) }", `var mu sync.Mutex; for range 2 { go f(100_000, &mu) }; select {}`},
	{"manygoroutines", "", "", `for i := 0; ; i++ { go func() { select {} }() }`},
	{"sorting", "sort sync", "", `var mu sync.Mutex; for i := range 3 { go func() { for n := 0; ; n++ { s := make([]int, 2000); for k := range s { s[k] = (k*7919 + n + i) % 2003 }; sort.Ints(s); mu.Lock(); mu.Unlock() } }() }; select {}`},
	{"formatting", "fmt sync", "", `var mu sync.Mutex; s := ""; for i := range 3 { go func() { for { mu.Lock(); s = fmt.Sprintf("%s%d", s, i); mu.Unlock() } }() }; select {}`},
	{"connections", "net", "", `l, err := net.Listen("tcp", "127.0.0.1:0"); if err != nil { panic(err) }; go func() { for { c, err := l.Accept(); if err != nil { return }; go func() { b := make([]byte, 8); for { n, err := c.Read(b); if err != nil { return }; c.Write(b[:n]) } }() } }(); c, err := net.Dial("tcp", l.Addr().String()); if err != nil { panic(err) }; b := make([]byte, 8); for i := 0; ; i++ { b[i%8]++; c.Write(b); c.Read(b) }`},
	{"draws", "math/rand", "", `s := 0; for { s = s*7 + rand.Intn(7) }`},
	{"rwmutex", "sync", "", `var mu sync.RWMutex; n := 0; for i := range 3 { go func() { for { mu.Lock(); n += i; mu.Unlock() } }(); go func() { for { mu.RLock(); _ = n; mu.RUnlock() } }() }; select {}`},
	{"waitgroups", "sync", "", `n := make([]int, 40); for r := 0; ; r++ { var wg sync.WaitGroup; for i := range n { wg.Go(func() { n[i] += r }) }; wg.Wait() }`},
	{"late", "sync/atomic", "", `var n atomic.Int64; go func() { for { n.Add(1) } }(); for { if n.Add(1) == 400_000 { panic("late") } }`},
	{"lateheap", "sync", "type node struct { next *node; v [8]int }", `var mu sync.Mutex; var l *node; n := 0; go func() { for { mu.Lock(); l = &node{next: l}; n++; mu.Unlock() } }(); for { mu.Lock(); n++; if n == 6000 { panic("late") }; l = &node{next: l}; mu.Unlock() }`},
}

// models have many states, large states, long evaluations, or are long before they are searched.
var models = func() (list []struct{ name, text string }) {
	add := func(name, text string) { list = append(list, struct{ name, text string }{name, text}) }
	for _, n := range []int{2, 3, 5, 9} {
		add(fmt.Sprintf("counters%d", n), parallel(n, func(i int) string {
			return fmt.Sprintf("proc P%d(n: Nat) = a%d(n) . P%d(n + %d);", i, i, i, i)
		}, "Nat", "0"))
	}
	for _, n := range []int{2, 4} {
		add(fmt.Sprintf("lists%d", n), parallel(n, func(i int) string {
			return fmt.Sprintf("proc P%d(l: List(Nat)) = a%d(l) . P%d(%d |> l);", i, i, i, i)
		}, "List(Nat)", "[]"))
	}
	for _, n := range []int{1000, 1_000_000, 1_000_000_000} {
		add(fmt.Sprintf("sum%d", n), fmt.Sprintf("act a: Nat;\nproc P(s: Nat) = sum n: Nat . (n < %d) -> a(s + n) . P(s + n);\ninit P(0);\n", n))
	}
	for _, n := range []int{22, 24, 26, 28, 30} {
		add(fmt.Sprintf("bits%d", n), parallel(n, func(i int) string {
			return fmt.Sprintf("proc P%d(b: Bool) = a%d(b) . P%d(!b);", i, i, i)
		}, "Bool", "true"))
	}
	for _, n := range []int{20, 25, 28, 32} {
		add(fmt.Sprintf("fib%d", n), fmt.Sprintf("map fib: Nat -> Nat;\nvar n: Nat;\neqn (n < 2) -> fib(n) = n;\n    (n >= 2) -> fib(n) = fib(Int2Nat(n - 1)) + fib(Int2Nat(n - 2));\nact a: Nat;\nproc P(n: Nat) = a(fib(n)) . P(n + 1);\ninit P(%d);\n", n))
	}
	for _, n := range []int{20, 100, 1000} {
		add(fmt.Sprintf("queue%d", n), fmt.Sprintf("act put, get: Nat;\nproc Q(l: List(Nat)) = sum x: Nat . (x < 5 && #l < %d) -> put(x) . Q(l <| x) + (l != []) -> get(head(l)) . Q(tail(l));\ninit Q([]);\n", n))
	}
	for _, n := range []int{20, 24, 28} {
		add(fmt.Sprintf("sets%d", n), fmt.Sprintf("act a: Nat;\nproc P(s: Set(Nat)) = sum x: Nat . (x < %d && !(x in s)) -> a(x) . P(s + {x}) + sum x: Nat . (x < %d && x in s) -> a(x) . P(s - {x});\ninit P({});\n", n, n))
	}
	for _, n := range []int{6, 10} {
		add(fmt.Sprintf("handshakes%d", n), handshakes(n))
	}
	for _, n := range []int{12, 18} {
		add(fmt.Sprintf("quantified%d", n), fmt.Sprintf("act a: Nat;\nproc P(n: Nat) = (forall x, y: Nat . (x < %d && y < %d) => x + y + n >= x) -> a(n) . P(n + 1);\ninit P(0);\n", 1<<(n/2), 1<<(n/2)))
	}
	add("chain", "act a: Nat;\nproc P(n: Nat) = a(n mod 3) . P(n + 1);\ninit P(0);\n")
	add("power", "act a: Nat;\nproc P(n: Nat) = a(n) . P(n * n + 2);\ninit P(2);\n")
	return list
}()

// parallel returns a model of n processes side by side.
func parallel(n int, proc func(i int) string, sort, start string) string {
	var acts, procs, init []string
	for i := 1; i <= n; i++ {
		acts = append(acts, fmt.Sprintf("a%d", i))
		procs = append(procs, proc(i))
		init = append(init, fmt.Sprintf("P%d(%s)", i, start))
	}
	return fmt.Sprintf("act %s: %s;\n%s\ninit %s;\n", strings.Join(acts, ", "), sort, strings.Join(procs, "\n"), allowed(acts, strings.Join(init, " || ")))
}

// allowed keeps actions from happening at the same time.
func allowed(acts []string, process string) string {
	return fmt.Sprintf("allow({%s}, %s)", strings.Join(acts, ", "), process)
}

// handshakes returns a model of n pairs that talk, of which a linear process has very many summands if they are
// not kept apart.
func handshakes(n int) string {
	var acts, comms, shown, init []string
	for i := 1; i <= n; i++ {
		acts = append(acts, fmt.Sprintf("s%d, r%d, c%d", i, i, i))
		comms = append(comms, fmt.Sprintf("s%d | r%d -> c%d", i, i, i))
		shown = append(shown, fmt.Sprintf("c%d", i))
		init = append(init, fmt.Sprintf("S%d(0) || R%d(0)", i, i))
	}
	var procs strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&procs, "proc S%d(n: Nat) = s%d(n) . S%d(n + 1);\nproc R%d(n: Nat) = sum k: Nat . (k < n + 2) -> r%d(k) . R%d(n + 1);\n", i, i, i, i, i, i)
	}
	return fmt.Sprintf("act %s: Nat;\n%sinit %s;\n", strings.Join(acts, ", "), &procs,
		fmt.Sprintf("allow({%s}, comm({%s}, %s))", strings.Join(shown, ", "), strings.Join(comms, ", "), strings.Join(init, " || ")))
}
