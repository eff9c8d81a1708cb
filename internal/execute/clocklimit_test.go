package execute_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
)

// TestClockLimit pins that a loop in which the program looks at the clock does not
// come back to a state, and that one in which it only waits for it does.
func TestClockLimit(t *testing.T) {
	loop := func(body string) string {
		return `package main

import (
	"context"
	"time"
)

var _ = context.Background

func main() {
	c := make(chan bool)
	go func() {
		for {
			c <- true
		}
	}()
	for {
		<-c
		` + body + `
	}
}
`
	}
	for _, test := range []struct {
		name, body string
		want       explore.Verdict
	}{
		{"sleep", "time.Sleep(time.Second)", explore.Verified},
		{"after", "select { case <-c: case <-time.After(time.Second): }", explore.Verified},
		{"now", "_ = time.Now(); time.Sleep(time.Second)", explore.Inconclusive},
		{"context", "ctx, cancel := context.WithTimeout(context.Background(), time.Second); <-ctx.Done(); cancel()", explore.Inconclusive},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, err := searchFor(compileText(t, loop(test.body)), way{Options: explore.Options{Limits: explore.Limits{States: 500}}})
			if err != nil {
				t.Fatal(err)
			}
			if s.Verdict != test.want {
				t.Errorf("got %s, want %s", s.Result, test.want)
			}
		})
	}
}
