package execute_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestPlacedInOwnCode: what the standard library does is told where the program calls it, in whatever order it is searched.
func TestPlacedInOwnCode(t *testing.T) {
	for _, test := range []struct {
		name, src string
		want      []string
	}{
		{"calls", `package main

import "strings"

func main() {
	var b strings.Builder
	done := make(chan bool)
	go func() {
		b.Reset()
		done <- true
	}()
	go func() {
		b.Reset()
		done <- true
	}()
	<-done
	<-done
}
`, []string{"race: write in strings.(*Builder).Reset races with write in strings.(*Builder).Reset at main.go:13:10 at main.go:9:10"}},
		{"three", `package main

import "strings"

func main() {
	var b strings.Builder
	done := make(chan bool)
	go func() {
		b.Reset()
		done <- true
	}()
	go func() {
		b.Reset()
		done <- true
	}()
	go func() {
		b.Reset()
		done <- true
	}()
	<-done
	<-done
	<-done
}
`, []string{
			"race: write in strings.(*Builder).Reset races with write in strings.(*Builder).Reset at main.go:13:10 at main.go:9:10",
			"race: write in strings.(*Builder).Reset races with write in strings.(*Builder).Reset at main.go:17:10 at main.go:13:10",
			"race: write in strings.(*Builder).Reset races with write in strings.(*Builder).Reset at main.go:17:10 at main.go:9:10",
		}},
		{"started", `package main

import "strings"

func main() {
	var b strings.Builder
	go b.Reset()
	b.Reset()
}
`, []string{"race: write in strings.(*Builder).Reset races with write in strings.(*Builder).Reset at main.go:8:9 at main.go:7:2"}},
		{"panics", `package main

import "sync"

func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go wg.Done()
	go wg.Done()
	wg.Wait()
}
`, []string{"panic: sync: negative WaitGroup counter at main.go:8:2", "panic: sync: negative WaitGroup counter at main.go:9:2"}},
		{"atomic", `package main

import "sync/atomic"

func main() {
	var n int32
	go atomic.StoreInt32(&n, 1)
	go func() {
		atomic.StoreInt32(&n, 2)
	}()
	n = 3
}
`, []string{
			"race: write in sync/atomic.StoreInt32 races with write at main.go:11:2 at main.go:7:2",
			"race: write in sync/atomic.StoreInt32 races with write at main.go:11:2 at main.go:9:20",
		}},
		{"rivals", `package main

import "sync"

func main() {
	var wg sync.WaitGroup
	go wg.Wait()
	wg.Add(1)
	wg.Done()
}
`, []string{"race: Wait races with Add from zero at main.go:8:8 at main.go:7:2"}},
		{"own", `package main

func main() {
	n := 0
	go func() { n = 1 }()
	n = 2
	_ = &n
}
`, []string{"race: write races with write at main.go:6:2 at main.go:5:14"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			prog := compileText(t, test.src)
			for _, strategy := range []explore.Strategy{explore.DepthFirst, explore.BreadthFirst} {
				for _, reduce := range []bool{false, true} {
					w := way{Options: explore.Options{All: true, Strategy: strategy, Reduce: reduce}}
					w.Settings.Known = execute.Unknown()
					s, err := searchFor(prog, w)
					if err != nil {
						t.Fatal(err)
					}
					var got []string
					for _, f := range s.found() {
						dir := filepath.Dir(s.Findings[0].Pos.File) + "/"
						got = append(got, strings.ReplaceAll(f, dir, ""))
					}
					if !slices.Equal(got, test.want) {
						t.Errorf("%v, reduce %v: got\n%s\nwant\n%s", strategy, reduce, strings.Join(got, "\n"), strings.Join(test.want, "\n"))
					}
				}
			}
		})
	}
}
