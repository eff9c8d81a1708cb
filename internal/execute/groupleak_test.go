package execute_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// leakyClient asks a server and has a goroutine besides.
const leakyClient = `package main

import "net"

var global = make(chan int)

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	ch, done := make(chan int), make(chan int)
	_, _ = ch, done
	%s
	b := []byte{'A'}
	c.Write(b)
	c.Read(b)
	%s
	c.Close()
}
`

// TestGroupLeak: who is left behind for ever when the main goroutine of a process
// returns is a leak, while other processes go on; who would have gone on is not.
func TestGroupLeak(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	server := compileText(t, fmt.Sprintf(echoServer, 1, "c.Write(b)", 1))
	for _, test := range []struct {
		name, begin, end string
		kinds            []string
	}{
		{"nobody else", "", "", nil},
		{"nobody can send", "go func() { <-ch }()", "", []string{"leak"}},
		{"nobody sends any more", "go func() { <-global }()", "", []string{"leak"}},
		{"main sends", "go func() { <-ch; done <- 1 }()", "ch <- 1; <-done", nil},
		{"main may be too early", "go func() { <-ch }()", "select { case ch <- 1: default: }", []string{"leak"}},
		{"one lets the other go on", "go func() { <-ch }(); go func() { ch <- 1 }()", "", nil},
		{"it waits for the server", "go func() { c.Read(make([]byte, 1)) }()", "", nil},
		{"it waits for another", "go func() { ch <- <-global }(); go func() { <-ch }()", "", []string{"leak"}},
	} {
		members := []execute.Member{
			{Name: "server", Program: server, Process: emptyProcess},
			{Name: "client", Program: compileText(t, fmt.Sprintf(leakyClient, test.begin, test.end)), Process: emptyProcess},
		}
		plain := searchGroup(t, members, explore.Options{})
		reduced := searchGroup(t, members, explore.Options{Reduce: true})
		if got := plain.kinds(); !slices.Equal(got, test.kinds) {
			t.Errorf("%s: got %v, want %v", test.name, plain.found(), test.kinds)
		}
		if c := compareReduced(plain, reduced); c != "" {
			t.Errorf("%s: %s", test.name, c)
		}
		for _, first := range []search{plain, reduced} {
			o := explore.Options{Strategy: explore.BreadthFirst, Reduce: first.Result == reduced.Result}
			if c := compareOrder(first, searchGroup(t, members, o)); c != "" {
				t.Errorf("%s: breadth-first, reduce %v: %s", test.name, o.Reduce, c)
			}
		}
		t.Logf("%s: %v, %d states, %d plain", test.name, plain.found(), reduced.States, plain.States)
	}
}
