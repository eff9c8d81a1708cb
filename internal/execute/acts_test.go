package execute

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// busy is what goroutines do before and after something else, so that it is unlikely that two of them do that at once.
const busy = `
var own [2]struct{ n atomic.Int32; _ [64]byte }
func busy(i int) { for range 200 - 150*i { own[i].n.Add(1) } }
`

var farApart = []racy{
	{"counter", true, busy + `
var x int
func work(i int) { busy(i); x++; busy(i) }
func main() { done := make(chan int); go func() { work(0); close(done) }(); work(1); <-done }`},
	{"lockOfOne", true, busy + `
var mu sync.Mutex
var x int
func main() {
	done := make(chan int)
	go func() { busy(0); mu.Lock(); x++; mu.Unlock(); close(done) }()
	busy(1)
	x++
	busy(1)
	<-done
}`},
	{"afterReceive", true, busy + `
var x int
func main() {
	c := make(chan int)
	go func() { c <- 1; busy(0); x++; busy(0); c <- 1 }()
	<-c
	busy(1)
	println(x)
	busy(1)
	<-c
}`},
	{"startedLater", true, busy + `
var x int
func main() {
	done := make(chan int)
	go func() { busy(0); go func() { x = 1; busy(0); close(done) }() }()
	busy(1)
	x = 2
	<-done
}`},
	{"lock", false, busy + `
var mu sync.Mutex
var x int
func work(i int) { busy(i); mu.Lock(); x++; mu.Unlock(); busy(i) }
func main() { done := make(chan int); go func() { work(0); close(done) }(); work(1); <-done }`},
	{"once", false, busy + `
var once sync.Once
var x int
func work(i int) { busy(i); once.Do(func() { x = 1 }); println(x); busy(i) }
func main() { done := make(chan int); go func() { work(0); close(done) }(); work(1); <-done }`},
	{"handedOver", false, busy + `
var x int
func main() {
	c := make(chan int, 1)
	go func() { busy(0); x++; c <- 1; busy(0) }()
	busy(1)
	<-c
	x++
}`},
	{"flag", false, busy + `
var x int
func main() {
	go func() { busy(0); x++; own[0].n.Store(-1); busy(0) }()
	for range 200 { if own[0].n.Load() < 0 { x++; return } }
}`},
	{"group", false, busy + `
var x int
func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { busy(0); x++; wg.Done() }()
	busy(1)
	wg.Wait()
	x++
}`},
}

// TestFarApart: a few walks find a race although the accesses are far apart on them, and nothing where they are ordered.
func TestFarApart(t *testing.T) {
	for i, p := range slices.Concat(farApart, classics) {
		walks := 3
		if i >= len(farApart) {
			walks = 100 // some need that somebody sees what another has done
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			prog := compileAccess(t, program(p.src))
			r, err := explore.Run(func() (lts.System, error) { return NewSystem(prog, Process{Env: []string{}, Dir: "/"}, Settings{}) },
				explore.Options{Strategy: explore.RandomWalk, Runs: walks})
			if err != nil {
				t.Fatal(err)
			}
			if found := len(r.Findings) > 0; found != p.race {
				t.Errorf("got %v after %d transitions, want a race: %t", r.Findings, r.Transitions, p.race)
			}
		})
	}
}

// TestReversals: a few walks find what goes wrong only in an order of operations that they do not come to by themselves.
func TestReversals(t *testing.T) {
	for _, p := range []struct {
		name, kind, src string
	}{
		{"lockOrder", "deadlock", busy + `
var a, b sync.Mutex
func main() {
	done := make(chan int)
	go func() { busy(0); a.Lock(); b.Lock(); b.Unlock(); a.Unlock(); close(done) }()
	busy(1)
	b.Lock()
	a.Lock()
	a.Unlock()
	b.Unlock()
	<-done
}`},
		{"lostUpdate", "panic", busy + `
var mu sync.Mutex
var x int
func add() { mu.Lock(); k := x; mu.Unlock(); mu.Lock(); x = k + 1; mu.Unlock() }
func main() {
	done := make(chan int)
	go func() { busy(0); add(); close(done) }()
	busy(1)
	add()
	<-done
	if x != 2 { panic("lost") }
}`},
		{"closedEarly", "panic", busy + `
func main() {
	c, done := make(chan int, 1), make(chan int)
	go func() { busy(0); close(c); close(done) }()
	busy(1)
	c <- 1
	<-done
}`},
		{"right", "", busy + `
var a, b sync.Mutex
var x int
func add() { a.Lock(); b.Lock(); x++; b.Unlock(); a.Unlock() }
func main() {
	done := make(chan int)
	go func() { busy(0); add(); close(done) }()
	busy(1)
	add()
	<-done
	if x != 2 { panic("lost") }
}`},
	} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			prog := compileAccess(t, program(p.src))
			r, err := explore.Run(func() (lts.System, error) { return NewSystem(prog, Process{Env: []string{}, Dir: "/"}, Settings{}) },
				explore.Options{Strategy: explore.RandomWalk, Runs: 10})
			if err != nil {
				t.Fatal(err)
			}
			kind := ""
			if len(r.Findings) > 0 {
				kind = r.Findings[0].Kind
			}
			if kind != p.kind {
				t.Errorf("got %v after %d transitions, want %q", r.Findings, r.Transitions, p.kind)
			}
		})
	}
}
