// want: verified

package main

import (
	"io"
	"sync"
	"text/template"
)

type value struct{ a int }

func (v value) Add(n int) int { return v.a + n }

// Package reflect makes types for the calls, which are in a table of the runtime.
func main() {
	t := template.Must(template.New("").Parse("{{.Add 3}}"))
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { t.Execute(io.Discard, value{i}) })
	}
	wg.Wait()
}
