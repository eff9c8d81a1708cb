package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/reduce"
)

// An attack is a program that does what a guess says that nobody does, and has something wrong with it in an order of steps that is
// left out if the guess is not refuted. Another one may run beside it.
type attack struct{ body, other string }

// attacks are by the names of the guesses.
var attacks = map[string]attack{
	"clock": {body: `
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
	"counter": {body: `
func main() {
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		wg.Done()
		wg.Done()
	}()
	wg.Done()
	wg.Done()
}`},
	"end": {body: `
func main() {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() { c.Write([]byte("a")) })
	wg.Go(func() { os.Exit(0) })
	wg.Wait()
}`, other: `
func main() {
	c, err := net.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		return
	}
	if n, _ := c.Read(make([]byte, 1)); n == 0 {
		panic("nothing")
	}
	panic("something")
}`},
	"garbage": {body: `
func main() {
	p, ended := new([4]int), make(chan bool, 1)
	runtime.SetFinalizer(p, func(*[4]int) { ended <- true })
	mu := new(sync.Mutex)
	go func(p *[4]int) {
		mu.Lock()
		p[1]++
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
	"keys": {body: `
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
	"written": {body: `
var n atomic.Int32

func main() {
	go n.Store(1)
	if n.Load() == 1 {
		panic("stored")
	}
}`},
}

// TestAttacks: each guess is refuted by a program that does what nobody does. Were it not, something would
// be lost. A guess that nothing attacks is a failure too.
func TestAttacks(t *testing.T) {
	for _, name := range reduce.Names() {
		a, ok := attacks[name]
		if !ok {
			t.Errorf("%s: nothing attacks this guess", name)
			continue
		}
		members := []execute.Member{{Name: "program", Program: compileText(t, program(a.body)), Process: emptyProcess}}
		if a.other != "" {
			members = append(members, execute.Member{Name: "other", Program: compileText(t, program(a.other)), Process: emptyProcess})
		}
		others := slices.DeleteFunc(reduce.Names(), func(o string) bool { return o == name })
		only := execute.Known{Guesses: reduce.Guessing(others...), Views: drive.UsualViews}
		want := searched(t, members, execute.Plain())
		if lost, _ := searchedOnce(t, members, only); slices.Equal(lost, want) {
			t.Errorf("%s: nothing is lost if it is not refuted: this is no attack", name)
		}
		for how, first := range map[string]execute.Known{"this guess": only, "all guesses": execute.Unknown()} {
			if got := searched(t, members, first); !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("%s: got %q with %s, want %q", name, got, how, want)
			}
		}
	}
}

// searched returns what is wrong, as a search finds that goes by what is known first.
func searched(t *testing.T, members []execute.Member, first execute.Known) (list []string) {
	t.Helper()
	check.Settle(first, func(known execute.Known) (found []*execute.Found, done bool) {
		list, found = searchedOnce(t, members, known)
		return found, false
	})
	return list
}

// searchedOnce searches once, and returns what turned out besides.
func searchedOnce(t *testing.T, members []execute.Member, known execute.Known) (list []string, found []*execute.Found) {
	t.Helper()
	o := explore.Options{Reduce: known.Guesses != nil, All: true}
	var s search
	if len(members) > 1 {
		s, found = searchGroupOnce(t, members, execute.Settings{Known: known}, o)
	} else {
		var err error
		if s, found, err = searchOnce(members[0].Program, way{Options: o, Settings: execute.Settings{Known: known}}); err != nil {
			t.Fatal(err)
		}
	}
	return s.found(), found
}
