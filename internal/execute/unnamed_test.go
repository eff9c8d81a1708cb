package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// unnamedClient says a word to a server.
const unnamedClient = `
func main() {
	c, err := net.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		return
	}
	c.Write([]byte("go"))
	c.Close()
}`

// unnamedPool is a server that has four goroutines do what it is told: they are alike.
const unnamedPool = `
func main() {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	c.Read(make([]byte, 2))
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}
	wg.Wait()
}`

// unnamedDialer is a server whose other goroutines make descriptors. Which of the two connections is
// accepted first is left open.
const unnamedDialer = `
func main() {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	var first atomic.Bool
	go func() {
		if c, err := net.Dial("tcp4", "127.0.0.1:7000"); err == nil {
			first.Store(true)
			c.Write([]byte("us"))
			c.Close()
		}
	}()
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	b := make([]byte, 2)
	c.Read(b)
	if string(b) == "go" && first.Load() {
		panic("both")
	}
}`

// TestUnnamed: goroutines of a group that are alike are not told apart, unless others than main make
// descriptors. That turns out, and nothing is lost.
func TestUnnamed(t *testing.T) {
	for name, test := range map[string]struct {
		server string
		fits   bool
	}{"pool": {unnamedPool, true}, "dialer": {unnamedDialer, false}} {
		members := []execute.Member{
			{Name: "server", Program: compileText(t, program(test.server)), Process: emptyProcess},
			{Name: "client", Program: compileText(t, program(unnamedClient)), Process: emptyProcess},
		}
		states, views := map[bool]int64{}, drive.UsualViews
		var lists [][]string
		for _, unnamed := range []bool{true, false} {
			first := execute.Unknown()
			first.Views.Unnamed = unnamed
			var s search
			check.Settle(first, func(known execute.Known) (found []*execute.Found, done bool) {
				s, found = searchGroupOnce(t, members, execute.Settings{Known: known}, explore.Options{Reduce: true, All: true})
				if unnamed {
					views = known.Views
				}
				return found, false
			})
			states[unnamed], lists = s.States, append(lists, s.found())
		}
		if views.Unnamed != test.fits {
			t.Errorf("%s: in the end goroutines have no names: %v, want %v", name, views.Unnamed, test.fits)
		}
		if test.fits && states[true]*2 > states[false] {
			t.Errorf("%s: %d states, and %d if goroutines that are alike are told apart", name, states[true], states[false])
		}
		if want := searched(t, members, execute.Plain()); !slices.Equal(lists[0], want) || !slices.Equal(lists[1], want) {
			t.Errorf("%s: got %q and %q, want %q", name, lists[0], lists[1], want)
		}
	}
}
