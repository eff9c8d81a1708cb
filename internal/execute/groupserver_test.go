package execute_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// servedBy is a server whose main leaves the work to others.
const servedBy = `package main

import "net"

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	go func() {
		for range %d {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b := make([]byte, 1)
			for {
				if _, err := c.Read(b); err != nil {
					break
				}
				c.Write(b)
			}
			c.Close()
		}
	}()
	select {}
}
`

// TestGroupServer: a server whose main is in select {} is no deadlock as long as somebody else of it waits for
// clients, and is one when nobody does.
func TestGroupServer(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	client := compileText(t, fmt.Sprintf(leakyClient, "", ""))
	for _, test := range []struct {
		accepts int
		kinds   []string
	}{
		{1, []string{"deadlock"}},
		{2, nil},
	} {
		members := []execute.Member{
			{Name: "server", Program: compileText(t, fmt.Sprintf(servedBy, test.accepts)), Process: emptyProcess},
			{Name: "client", Program: client, Process: emptyProcess},
		}
		plain := searchGroup(t, members, explore.Options{})
		reduced := searchGroup(t, members, explore.Options{Reduce: true})
		if got := plain.kinds(); !slices.Equal(got, test.kinds) {
			t.Errorf("%d clients are accepted: got %v, want %v", test.accepts, plain.found(), test.kinds)
		}
		if c := compareReduced(plain, reduced); c != "" {
			t.Errorf("%d clients are accepted: %s", test.accepts, c)
		}
	}
}
