package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestReducedEnd: a process may end before a goroutine of its own has done the last thing
// that it does, and others see whether it has.
func TestReducedEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	const client = `package main

import "net"

func main() {
	c, err := net.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		return
	}
	if n, _ := c.Read(make([]byte, 1)); n == 0 {
		panic("nothing")
	}
	panic("something")
}
`
	const done = "defer wg.Done()"
	for _, test := range []struct {
		name, done, end string
		want            int
		tail            string // what it reads then
	}{
		{"nobody waits, and it reads something then", "", "mu.Unlock()", 2, "_ = shared[0]"},
		{"nobody waits", "", "mu.Unlock()", 2, ""},
		{"main does not wait", done, "", 2, ""},
		{"main waits", done, "wg.Wait()", 1, ""},
		{"main waits, but another one does not", done, "mu.Unlock()\ngo func() {\nmu.Lock()\nos.Exit(0)\n}()\nwg.Wait()", 2, ""},
		{"nothing is left to be done when main waits", done, "mu.Unlock()\nwg.Wait()\nmu.Lock()", 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			members := slices.Concat(alike(t, `package main

import (
	"net"
	"os"
	"sync"
)

var _ = os.Exit

var shared = make([]int, 1)

func main() {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		`+test.done+`
		c.Write([]byte("a"))
		`+test.tail+`
	}()
	go func() {
		mu.Lock()
		mu.Unlock()
	}()
	mu.Lock()
	`+test.end+`
}
`, "server"), alike(t, client, "client"))
			plain, _ := searchGroupOnce(t, members, execute.Settings{}, explore.Options{All: true})
			reduced := searchGroup(t, members, explore.Options{Reduce: true})
			panics := func(s search) (list []string) {
				for _, f := range s.found() {
					if len(f) > 5 && f[:5] == "panic" {
						list = append(list, f)
					}
				}
				return list
			}
			t.Logf("%d states, %d reduced", plain.States, reduced.States)
			if got, want := panics(reduced), panics(plain); !slices.Equal(got, want) || len(want) != test.want {
				t.Errorf("got %q, want %q, which are %d", got, want, test.want)
			}
		})
	}
}
