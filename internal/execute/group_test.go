package execute_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/stateset"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// The programs of a group: a server that answers so many connections, and clients
// that send a byte and want another one back.
const (
	echoServer = `package main

import "net"

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	defer l.Close()
	done := make(chan bool)
	for range %d {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		go func() {
			b := make([]byte, 1)
			c.Read(b)
			b[0]++
			%s
			c.Close()
			done <- true
		}()
	}
	for range %d {
		<-done
	}
}
`
	echoClient = `package main

import "net"

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	b := []byte{'A'}
	c.Write(b)
	if n, _ := c.Read(b); n != 1 || b[0] != 'B' {
		panic("no answer")
	}
	c.Close()
}
`
)

// group builds an echo server for so many clients.
func group(t *testing.T, clients int, answer string) []execute.Member {
	t.Helper()
	server := compileText(t, fmt.Sprintf(echoServer, clients, answer, clients))
	client := compileText(t, echoClient)
	members := []execute.Member{{Name: "server", Program: server, Process: emptyProcess}}
	for i := range clients {
		members = append(members, execute.Member{Name: fmt.Sprintf("client.%d", i+1), Program: client, Process: emptyProcess})
	}
	return members
}

var emptyProcess = execute.Process{Args: []string{"x"}, Env: []string{}, Dir: "/"}

// searchGroup searches a group as the command does.
func searchGroup(t *testing.T, members []execute.Member, o explore.Options) (s search) {
	t.Helper()
	return searchGroupWith(t, members, execute.Settings{}, o)
}

// searchGroupWith is searchGroup with settings.
func searchGroupWith(t *testing.T, members []execute.Member, settings execute.Settings, o explore.Options) (s search) {
	t.Helper()
	return settleGroup(t, execute.Unknown(), members, settings, o) // also without reduction, so that keys tell the same
}

// settleGroup is searchGroupWith by what is known first.
func settleGroup(t *testing.T, first execute.Known, members []execute.Member, settings execute.Settings, o explore.Options) (s search) {
	t.Helper()
	check.Settle(first, func(known execute.Known) (found []*execute.Found, done bool) {
		settings.Known = known
		s, found = searchGroupOnce(t, members, settings, o)
		return found, false
	})
	return s
}

// searchGroupOnce searches a group with what settings assume, and returns what turned out.
func searchGroupOnce(t *testing.T, members []execute.Member, settings execute.Settings, o explore.Options) (s search, found []*execute.Found) {
	t.Helper()
	var made []*execute.Group
	newSystem := func() (lts.System, error) {
		g, err := execute.NewGroup(members, settings)
		if err == nil {
			made = append(made, g)
		}
		return g, err
	}
	c := &endCollector{ends: map[string]bool{}}
	if o.Workers < 2 {
		o.Observer = c
	}
	o.All = true
	r, err := explore.Run(newSystem, o)
	if err != nil {
		t.Fatal(err)
	}
	s = search{Result: r}
	for key := range c.ends {
		s.ends = append(s.ends, key)
	}
	slices.Sort(s.ends)
	for _, g := range made {
		found = append(found, g.Found())
		g.Close()
	}
	return s, found
}

// TestGroup: all searches of a group of processes agree.
func TestGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	for _, test := range []struct {
		clients int
		answer  string
		kinds   []string
	}{
		{1, "c.Write(b)", nil},
		{2, "c.Write(b)", nil},
		{1, "", []string{"panic"}},
	} {
		members := group(t, test.clients, test.answer)
		plain := searchGroup(t, members, explore.Options{})
		if got := plain.kinds(); !slices.Equal(got, test.kinds) {
			t.Errorf("%d clients, %q: got %v, want %v", test.clients, test.answer, plain.found(), test.kinds)
		}
		reduced := searchGroup(t, members, explore.Options{Reduce: true})
		if c := compareReduced(plain, reduced); c != "" {
			t.Errorf("%d clients, %q: %s", test.clients, test.answer, c)
		}
		for _, first := range []search{plain, reduced} {
			for _, o := range []explore.Options{
				{Strategy: explore.BreadthFirst, NewSet: func() stateset.Set { return stateset.NewExact() }},
				{Workers: 2},
			} {
				o.Reduce = first.Result == reduced.Result
				if c := compareOrder(first, searchGroup(t, members, o)); c != "" {
					t.Errorf("%d clients, %q, reduced %v, %v with %d workers: %s", test.clients, test.answer, o.Reduce, o.Strategy, o.Workers, c)
				}
			}
		}
		t.Logf("%d clients, %q: %d states, %d plain", test.clients, test.answer, reduced.States, plain.States)
	}
}

// TestGroupEnds: when a process ends, so do its connections, and who waited for it
// to listen is refused.
func TestGroupEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	ends := compileText(t, `package main

import "net"

func main() {
	l, _ := net.Listen("tcp", "127.0.0.1:7")
	c, _ := l.Accept()
	go func() { c.Read(make([]byte, 1)) }()
}
`)
	asks := compileText(t, `package main

import "net"

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err == nil {
		c.Read(make([]byte, 1)) // the end, or a reset
	}
}
`)
	r := searchGroup(t, []execute.Member{
		{Name: "ends", Program: ends, Process: emptyProcess},
		{Name: "asks.1", Program: asks, Process: emptyProcess},
		{Name: "asks.2", Program: asks, Process: emptyProcess},
	}, explore.Options{Reduce: true})
	if r.Verdict != explore.Verified {
		t.Errorf("got %s %v, want verified", r.Verdict, r.found())
	}
}

// TestGroupContract: a group keeps the contract of transition systems.
func TestGroupContract(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	members := group(t, 1, "c.Write(b)")
	ltstest.Run(t, func() lts.System {
		g, err := execute.NewGroup(members, execute.Settings{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	})
}

// TestReducedByState: which steps of a group are enough to follow depends on the
// state alone, not on the way to it.
func TestReducedByState(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	g, err := execute.NewGroup(group(t, 2, "c.Write(b)"), execute.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	type visit struct {
		steps string
		path  lts.Path
	}
	seen := map[string]visit{}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		g.Reset()
		var path lts.Path
		for {
			steps := g.Enabled(nil)
			if len(steps) == 0 {
				break
			}
			if random.IntN(2) == 0 {
				g.Save()
			}
			s := steps[random.IntN(len(steps))]
			g.Take(s)
			path = append(slices.Clone(path), s)
			now := visit{fmt.Sprint(g.Reduced(nil)), path}
			key := string(g.AppendKey(nil))
			if was, ok := seen[key]; ok && was.steps != now.steps {
				t.Fatalf("after %v: got %s, want %s as after %v", path, now.steps, was.steps, was.path)
			}
			seen[key] = now
		}
	}
}

// TestGroupForEver has two processes send a byte to and fro for ever, while a third
// one panics. What was received does not belong to the state then, so the search
// comes to an end, and it does not forget the third.
func TestGroupForEver(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	const (
		server = `package main

import "net"

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	for b := make([]byte, 1); ; {
		c.Read(b)
		c.Write(b)
	}
}
`
		client = `package main

import "net"

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7")
	if err != nil {
		panic(err)
	}
	for b := make([]byte, 1); ; {
		c.Write(b)
		c.Read(b)
	}
}
`
		third = `package main

func main() {
	c := make(chan bool)
	go func() { c <- true }()
	<-c
	panic("third")
}
`
	)
	var members []execute.Member
	for _, text := range []string{server, client, third} {
		members = append(members, execute.Member{Name: fmt.Sprint(len(members)), Program: compileText(t, text), Process: emptyProcess})
	}
	for _, reduce := range testlong.Or([]bool{true}, []bool{true, false}) {
		s := searchGroup(t, members, explore.Options{Reduce: reduce, Limits: explore.Limits{States: 50000}})
		if got, want := s.kinds(), []string{"panic"}; !slices.Equal(got, want) || s.Verdict != explore.Violation || s.States > 20000 {
			t.Errorf("reduce %v: got %v, want %v: %s", reduce, got, want, s.Result)
		}
	}
}
