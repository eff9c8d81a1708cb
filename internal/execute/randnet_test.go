package execute_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/vm"
)

var (
	firstNet = flag.Uint64("firstnet", 1, "first seed of generated programs with connections")
	netSeeds = flag.Uint64("netseeds", 30, "number of generated programs with connections")
)

// A netProgram is a server and its clients, each of which does a few things with its
// connections. In the end it panics with what each of them has got, so that there is a
// finding for each way in which it can go. Numbers of descriptors may depend on the order of
// calls that are taken to be independent, so final states are not compared.
type netProgram struct {
	servers []string // what each of the server's goroutines does with a connection that it has accepted
	clients []string // what each client does with the one that it has made
	main    string   // what main does meanwhile
}

// randomNet makes the program of a seed.
func randomNet(seed uint64) netProgram {
	r := rand.New(rand.NewPCG(seed, 7))
	script := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(netCalls[r.IntN(len(netCalls))])
		}
		return b.String()
	}
	var p netProgram
	pairs := 1 + r.IntN(2)
	for range pairs {
		p.clients = append(p.clients, script(4-pairs))
		p.servers = append(p.servers, script(4-pairs))
	}
	if r.IntN(3) == 0 { // one who does not get a connection, or one who is not accepted
		if r.IntN(2) == 0 {
			p.servers = p.servers[1:]
		} else {
			p.clients = p.clients[1:]
		}
	}
	p.main = []string{"", "", "l.Close()", "shared.Lock()\nshared.Unlock()"}[r.IntN(4)]
	return p
}

// netCalls are what is done with a connection c.
var netCalls = []string{
	"note(c.Write(one))\n", "note(c.Write(two))\n", "note(c.Write(two))\n",
	"note(c.Read(make([]byte, 1)))\n", "note(c.Read(make([]byte, 3)))\n", "note(c.Read(make([]byte, 3)))\n",
	"c.(*net.TCPConn).CloseWrite()\n", "c.Close()\n",
	"c.SetReadDeadline(time.Unix(1, 0))\n",
	"shared.Lock()\nnote(count, nil)\ncount++\nshared.Unlock()\n",
	"select {\ncase other := <-handed:\nnote(other.Write(one))\ndefault:\nhanded <- c\n}\n",
}

const netHead = `package main

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"time"
)

var out int

// A noter returns a function that notes how calls have ended, in a number.
func noter(to *int) func(n int, err error) {
	return func(n int, err error) {
		switch {
		case err == nil:
		case err == io.EOF:
			n += 4
		case errors.Is(err, net.ErrClosed):
			n += 5
		case errors.Is(err, os.ErrDeadlineExceeded):
			n += 6
		case errors.Is(err, syscall.ECONNRESET):
			n += 7
		case errors.Is(err, syscall.EPIPE):
			n += 8
		default:
			n += 9
		}
		*to = *to*16 + n
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

var one, two, _ = []byte("a"), []byte("bc"), time.Unix
`

// text is the program as one process, as a function with a name.
func (p netProgram) text(name string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	say("func %s() {\nl, err := net.Listen(\"tcp\", \"127.0.0.1:7000\")\nmust(err)\n", name)
	say("shared, count, handed := new(sync.Mutex), 0, make(chan net.Conn, 1)\n")
	say("_, _, _, _ = l, shared, count, handed\nvar wg sync.WaitGroup\nvar sums [4]*int\n")
	for i, s := range p.servers {
		say("sums[%d] = new(int)\nwg.Add(1)\ngo func(note func(int, error)) {\ndefer wg.Done()\n", i)
		say("c, err := l.Accept()\nif note(0, err); err != nil {\nreturn\n}\n_ = c\n%s}(noter(sums[%d]))\n", s, i)
	}
	for i, s := range p.clients {
		say("sums[%d] = new(int)\nwg.Add(1)\ngo func(note func(int, error)) {\ndefer wg.Done()\n", 2+i)
		say("c, err := net.Dial(\"tcp\", \"127.0.0.1:7000\")\nif note(0, err); err != nil {\nreturn\n}\n_ = c\n%s}(noter(sums[%d]))\n", s, 2+i)
	}
	say("%s\nwg.Wait()\nfor _, p := range sums {\nif p != nil {\nout = out*65536 + *p\n}\n}\npanic(out)\n}\n", p.main)
	return b.String()
}

// texts is the program as a group: functions of the server and of each client.
func (p netProgram) texts(name string) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	const vars = "shared, count, handed := new(sync.Mutex), 0, make(chan net.Conn, 1)\n_, _, _ = shared, count, handed\n"
	say("func %sServer() {\nl, err := net.Listen(\"tcp\", \"127.0.0.1:7000\")\nmust(err)\n_ = l\n%svar wg sync.WaitGroup\nvar sums [4]*int\n", name, vars)
	for i, s := range p.servers {
		say("sums[%d] = new(int)\nwg.Add(1)\ngo func(note func(int, error)) {\ndefer wg.Done()\n", i)
		say("c, err := l.Accept()\nif note(0, err); err != nil {\nreturn\n}\n_ = c\n%s}(noter(sums[%d]))\n", s, i)
	}
	say("%s\nwg.Wait()\nfor _, p := range sums {\nif p != nil {\nout = out*65536 + *p\n}\n}\npanic(out)\n}\n", p.main)
	for i, s := range p.clients {
		say("func %sClient%d() {\n%snote := noter(&out)\n", name, i, vars)
		say("c, err := net.Dial(\"tcp\", \"127.0.0.1:7000\")\n_ = c\nnote(0, err)\nif err == nil {\n%s}\npanic(out)\n}\n", s)
	}
	return b.String()
}

// netPrograms builds the programs of several seeds as one, whose argument says which.
func netPrograms(t *testing.T, first, n uint64) *bytecode.Program {
	var b strings.Builder
	b.WriteString(netHead)
	for seed := first; seed < first+n; seed++ {
		b.WriteString(randomNet(seed).text(fmt.Sprint("seed", seed)))
		b.WriteString(randomNet(seed).texts(fmt.Sprint("seed", seed)))
	}
	b.WriteString("func main() {\nswitch os.Args[1] {\n")
	for seed := first; seed < first+n; seed++ {
		fmt.Fprintf(&b, "case \"%d\":\nseed%d()\ncase \"%dServer\":\nseed%dServer()\n", seed, seed, seed, seed)
		for i := range randomNet(seed).clients {
			fmt.Fprintf(&b, "case \"%dClient%d\":\nseed%dClient%d()\n", seed, i, seed, i)
		}
	}
	b.WriteString("}\n}\n")
	return compileText(t, b.String())
}

// TestAgreeNet: programs with connections are searched with and without reduction, and
// the same is found.
func TestAgreeNet(t *testing.T) {
	const limit = 30_000
	if testing.Short() {
		*netSeeds = 8
	}
	prog := netPrograms(t, *firstNet, *netSeeds)
	whole, fewer := 0, 0
	for seed := *firstNet; seed < *firstNet+*netSeeds; seed++ {
		w := way{args: []string{"x", fmt.Sprint(seed)}}
		w.All, w.Limits.States = true, limit
		var plain, reduced search
		var err error
		execute.Settle(func(known *vm.Assumptions) (found []*vm.Assumptions, done bool) {
			w.Reduce, w.Assume = true, known
			reduced, found, err = searchOnce(prog, w)
			return found, err != nil
		})
		if err == nil {
			w.Reduce = false // with the assumptions that were made in the end, so that keys tell the same
			plain, _, err = searchOnce(prog, w)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, want := reduced.found(), plain.found(); !slices.Equal(got, want) && !plain.cutOff() {
			t.Errorf("seed %d: got %d findings, want %d\nreduced: %q\nonly reduced: %q\nonly plain: %q\n%s", seed,
				len(got), len(want), got, beyondOf(got, want), beyondOf(want, got), randomNet(seed).text("main"))
		}
		if !plain.cutOff() {
			whole++
			if reduced.States < plain.States {
				fewer++
			}
		}
	}
	t.Logf("%d programs in one process, %d complete, %d with fewer states when reduced", *netSeeds, whole, fewer)
	if whole < int(*netSeeds)/2 {
		t.Errorf("got %d of %d programs that are small enough, want half of them", whole, *netSeeds)
	}
}

// TestAgreeNetGroups: the same with a process for the server and one for each client.
func TestAgreeNetGroups(t *testing.T) {
	const limit = 30_000
	if testing.Short() {
		*netSeeds = 8
	}
	prog := netPrograms(t, *firstNet, *netSeeds)
	whole, fewer := 0, 0
	for seed := *firstNet; seed < *firstNet+*netSeeds; seed++ {
		p := randomNet(seed)
		member := func(name string) execute.Member {
			own := emptyProcess
			own.Args = []string{"x", fmt.Sprint(seed, name)}
			return execute.Member{Name: name, Program: prog, Process: own}
		}
		members := []execute.Member{member("Server")}
		for i := range p.clients {
			members = append(members, member(fmt.Sprint("Client", i)))
		}
		o := explore.Options{All: true, Limits: explore.Limits{States: limit}}
		plain := searchGroup(t, members, o)
		o.Reduce = true
		reduced := searchGroup(t, members, o)
		if got, want := reduced.found(), plain.found(); !slices.Equal(got, want) && !plain.cutOff() {
			t.Errorf("seed %d: got %d findings, want %d\nreduced: %q\nonly reduced: %q\nonly plain: %q\n%s", seed,
				len(got), len(want), got, beyondOf(got, want), beyondOf(want, got), p.texts("main"))
		}
		if !plain.cutOff() {
			whole++
			if reduced.States < plain.States {
				fewer++
			}
		}
	}
	t.Logf("%d programs as groups, %d complete, %d with fewer states when reduced", *netSeeds, whole, fewer)
	if whole < int(*netSeeds)/2 {
		t.Errorf("got %d of %d programs that are small enough, want half of them", whole, *netSeeds)
	}
}

// beyondOf returns what is in a list and not in another one.
func beyondOf(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
