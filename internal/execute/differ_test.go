package execute

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// TestDifferences: what grows without bound is named first.
func TestDifferences(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"local", `package main

func main() {
	c := make(chan int)
	go func() {
		for i := 0; ; i++ {
			c <- i
		}
	}()
	for range c {
	}
}
`, "local variables of main.main.func1"},
		{"global", `package main

var n int

func main() {
	c := make(chan bool)
	go func() {
		for {
			c <- true
		}
	}()
	for range c {
		n++
	}
}
`, "main.n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := CompileShared(t, writeMain(t, test.src))
			var sys *System
			r, err := explore.Run(func() (_ lts.System, err error) {
				sys, err = NewSystem(prog, Process{}, Settings{Differ: true})
				return sys, err
			}, explore.Options{Limits: explore.Limits{States: 1000}})
			if err != nil {
				t.Fatal(err)
			}
			defer sys.Close()
			list := sys.Differences()
			if r.Verdict != explore.Inconclusive || len(list) == 0 || list[0].Name != test.want {
				t.Errorf("%s: got %v, want %s first", r.Verdict, list, test.want)
			}
		})
	}
}
