package execute_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var (
	firstNet = flag.Uint64("firstnet", 1, "first seed of generated programs with connections")
	netSeeds = flag.Uint64("netseeds", testlong.Or[uint64](3, 30), "number of generated programs with connections")
)

// A netText is a generated program as bodies of functions: of one process, or of
// several that run side by side.
type netText struct {
	whole string
	parts []string
}

// A netProgram is a server and its clients, each of which does a few things with its
// connections. In the end it panics with what each of them has got, so that there is a
// finding for each way in which it can go. Numbers of descriptors may depend on the order of
// calls that are taken to be independent, so final states are not compared.
type netProgram struct {
	servers []string // what each of the server's goroutines does with a connection that it has accepted
	clients []string // what each client does with the one that it has made
	main    string   // what main does meanwhile
}

// randomNet makes the program of a seed, of some calls.
func randomNet(seed, stream uint64, calls []string) netProgram {
	r := rand.New(rand.NewPCG(seed, stream))
	script := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			b.WriteString(calls[r.IntN(len(calls))])
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

// meddling are calls by which another goroutine meddles with a connection c that somebody
// may read from, and what only then makes a difference.
var meddling = []string{
	"go func() { c.Close(); _ = tail[2] }()\n", "go c.(*net.TCPConn).CloseRead()\n", "go c.(*net.TCPConn).CloseWrite()\n",
	"go c.SetReadDeadline(time.Unix(1, 0))\n", "go c.SetReadDeadline(time.Unix(1, 0))\n", "go c.SetReadDeadline(time.Time{})\n",
	"note(c.Read(nil))\n", "go func() { c.Read(nil); _ = tail[1] }()\n", "go func() { c.Write(one); _ = tail[0] }()\n",
	"go second(c)\n", "go second(c)\n", "go second(twin(c))\n", "go twin(c).(*net.TCPConn).CloseRead()\n", "c = twin(c)\n",
	"if raw, err := c.(*net.TCPConn).SyscallConn(); err == nil {\nnote(0, raw.Read(func(uintptr) bool { return true }))\n}\n",
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

// second is another reader of a connection.
func second(c net.Conn) {
	if n, _ := c.Read(make([]byte, 2)); n == 2 {
		panic("the second one has got two")
	}
}

// twin makes another object, with another number, of a connection.
func twin(c net.Conn) net.Conn {
	f, err := c.(*net.TCPConn).File()
	if err != nil {
		return c
	}
	defer f.Close()
	t, err := net.FileConn(f)
	must(err)
	return t
}

func receive(c net.PacketConn) (int, error) {
	n, _, err := c.ReadFrom(make([]byte, 3))
	return n, err
}

var one, two, _ = []byte("a"), []byte("bc"), time.Unix
var tail = make([]int, 4)
`

// text is the program as text.
func (p netProgram) text() netText {
	const vars = "shared, count, handed := new(sync.Mutex), 0, make(chan net.Conn, 1)\n_, _, _ = shared, count, handed\n"
	const listen = "l, err := net.Listen(\"tcp\", \"127.0.0.1:7000\")\nmust(err)\n_ = l\n" + vars + "var wg sync.WaitGroup\nvar sums [4]*int\n"
	const end = "\nwg.Wait()\nfor _, p := range sums {\nif p != nil {\nout = out*65536 + *p\n}\n}\npanic(out)\n"
	routine := func(i int, get, script string) string {
		return fmt.Sprintf("sums[%d] = new(int)\nwg.Add(1)\ngo func(note func(int, error)) {\ndefer wg.Done()\n"+
			"c, err := %s\nif note(0, err); err != nil {\nreturn\n}\n_ = c\n%s}(noter(sums[%d]))\n", i, get, script, i)
	}
	const dial = `net.Dial("tcp", "127.0.0.1:7000")`
	server, clients := listen, ""
	for i, s := range p.servers {
		server += routine(i, "l.Accept()", s)
	}
	t := netText{parts: []string{server + p.main + end}}
	for i, s := range p.clients {
		clients += routine(2+i, dial, s)
		t.parts = append(t.parts, vars+"note := noter(&out)\nc, err := "+dial+"\n_ = c\nnote(0, err)\nif err == nil {\n"+s+"}\npanic(out)\n")
	}
	t.whole = server + clients + p.main + end
	return t
}

// randomUDP makes the program of a seed in which each of two or three has a socket, and
// sends to the others.
func randomUDP(seed uint64) netText {
	const vars = "shared, count, handed := new(sync.Mutex), 0, make(chan net.PacketConn, 1)\n_, _, _ = shared, count, handed\n"
	r := rand.New(rand.NewPCG(seed, 8))
	n := 2 + r.IntN(2)
	t := netText{whole: vars + "var wg sync.WaitGroup\nvar sums [3]*int\n"}
	for i := range n {
		script := ""
		for range 1 + r.IntN(5-n) {
			to := fmt.Sprint(7000 + (i+1+r.IntN(n-1))%n)
			script += strings.ReplaceAll(udpCalls[r.IntN(len(udpCalls))], "TO", "&net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: "+to+"}")
		}
		listen := fmt.Sprintf("net.ListenPacket(\"udp\", \"127.0.0.1:%d\")\n", 7000+i)
		if r.IntN(2) == 0 { // before the others begin
			t.whole += fmt.Sprintf("c%d, err := %smust(err)\n", i, listen)
			listen = fmt.Sprintf("c%d, error(nil)\n", i)
		}
		t.whole += fmt.Sprintf("sums[%d] = new(int)\nwg.Add(1)\ngo func(note func(int, error)) {\ndefer wg.Done()\n"+
			"c, err := %smust(err)\n_ = c\n%s}(noter(sums[%d]))\n", i, listen, script, i)
		t.parts = append(t.parts, vars+fmt.Sprintf("note := noter(&out)\n_ = note\nc, err := net.ListenPacket(\"udp\", \"127.0.0.1:%d\")\nmust(err)\n_ = c\n", 7000+i)+script+"panic(out)\n")
	}
	t.whole += "wg.Wait()\nfor _, p := range sums {\nif p != nil {\nout = out*65536 + *p\n}\n}\npanic(out)\n"
	return t
}

// udpCalls are what is done with a socket c.
var udpCalls = []string{
	"note(c.WriteTo(one, TO))\n", "note(c.WriteTo(two, TO))\n", "note(c.WriteTo(two, TO))\n",
	"note(receive(c))\n", "note(receive(c))\n", "note(receive(c))\n",
	"c.Close()\n", "c.SetReadDeadline(time.Unix(1, 0))\n",
	"shared.Lock()\nnote(count, nil)\ncount++\nshared.Unlock()\n",
	"select {\ncase other := <-handed:\nnote(other.WriteTo(one, TO))\ndefault:\nhanded <- c\n}\n",
}

// netPrograms builds programs as one, whose argument says which of them and which
// process of it.
func netPrograms(t *testing.T, list []netText) *bytecode.Program {
	functions, cases := netHead, ""
	for i, text := range list {
		for k, body := range append([]string{text.whole}, text.parts...) {
			functions += fmt.Sprintf("func program%dpart%d() {\n%s}\n", i, k, body)
			cases += fmt.Sprintf("case \"%d.%d\":\nprogram%dpart%d()\n", i, k, i, k)
		}
	}
	return compileText(t, functions+"func main() {\nswitch os.Args[1] {\n"+cases+"}\n}\n")
}

// netAgree searches programs with and without reduction, and complains of each in which
// not the same is found.
func netAgree(t *testing.T, random func(seed uint64) netText, what string, search1 func(t *testing.T, prog *bytecode.Program, i int, text netText, reduce bool) search) {
	t.Parallel()
	n := *netSeeds
	if testing.Short() {
		n = 8
	}
	var list []netText
	for seed := range n {
		list = append(list, random(*firstNet+seed))
	}
	prog := netPrograms(t, list)
	sum := netTally{Kind: what, Limit: netLimits.States}
	for i, text := range list {
		plain, reduced := search1(t, prog, i, text, false), search1(t, prog, i, text, true)
		if complaint := disagreement(plain, reduced); complaint != "" {
			t.Errorf("seed %d: %s\n%s", *firstNet+uint64(i), complaint, text.whole)
		}
		sum.add(plain, reduced)
	}
	if sum.Complete < len(list)/2 {
		t.Errorf("got %d of %d programs that are small enough, want half of them", sum.Complete, len(list))
	}
	keepNet(t, sum)
}

// netLimits are those of each search.
var netLimits explore.Limits

func init() {
	flag.Int64Var(&netLimits.States, "netlimit", testlong.Or[int64](4000, 30_000), "states of each program with connections that are searched")
}

// alone searches a program in one process.
func alone(t *testing.T, prog *bytecode.Program, i int, _ netText, reduce bool) (s search) {
	w := way{args: []string{"x", fmt.Sprintf("%d.0", i)}}
	w.All, w.Limits = true, netLimits
	var err error
	check.Settle(goesBy(reduce), func(known execute.Known) (found []*execute.Found, done bool) {
		w.Reduce, w.Known = reduce, known
		s, found, err = searchOnce(prog, w)
		return found, err != nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// searchNet searches a group, without any guesses if it is not reduced.
func searchNet(t *testing.T, members []execute.Member, reduce bool) search {
	o := explore.Options{All: true, Reduce: reduce, Limits: netLimits}
	return settleGroup(t, goesBy(reduce), members, execute.Settings{}, o)
}

// goesBy is what a search goes by at first.
func goesBy(reduce bool) execute.Known {
	if reduce {
		return execute.Unknown()
	}
	return execute.Plain()
}

// besideOthers searches it as a group of processes.
func besideOthers(t *testing.T, prog *bytecode.Program, i int, text netText, reduce bool) search {
	var members []execute.Member
	for k := range text.parts {
		own := emptyProcess
		own.Args = []string{"x", fmt.Sprintf("%d.%d", i, k+1)}
		members = append(members, execute.Member{Name: fmt.Sprint("part", k), Program: prog, Process: own})
	}
	return searchNet(t, members, reduce)
}

// besideTwins searches it as a group of processes, of which two are alike. They have
// one name: which of them it is that finds something does not count.
func besideTwins(t *testing.T, prog *bytecode.Program, i int, text netText, reduce bool) search {
	var members []execute.Member
	add := func(k int) {
		own := emptyProcess
		own.Args = []string{"x", fmt.Sprintf("%d.%d", i, k+1)}
		members = append(members, execute.Member{Name: fmt.Sprint("part", k), Program: prog, Process: own})
	}
	for k := range text.parts {
		add(k)
	}
	add(len(text.parts) - 1)
	return searchNet(t, members, reduce)
}

func randomTCP(seed uint64) netText { return randomNet(seed, 7, netCalls).text() }

func randomMeddling(seed uint64) netText {
	return randomNet(seed, 9, slices.Concat(netCalls, meddling)).text()
}

func TestAgreeNetMeddling(t *testing.T) {
	netAgree(t, randomMeddling, "with others who meddle with connections in one process", alone)
}
func TestAgreeNetMeddlingGroups(t *testing.T) {
	netAgree(t, randomMeddling, "with others who meddle with connections between processes", besideOthers)
}

func TestAgreeNetTCP(t *testing.T) { netAgree(t, randomTCP, "with connections in one process", alone) }
func TestAgreeNetTCPGroups(t *testing.T) {
	netAgree(t, randomTCP, "with connections between processes", besideOthers)
}
func TestAgreeNetTCPTwins(t *testing.T) {
	netAgree(t, randomTCP, "with connections between processes, two of them alike", besideTwins)
}
func TestAgreeNetUDP(t *testing.T) { netAgree(t, randomUDP, "with datagrams in one process", alone) }
func TestAgreeNetUDPGroups(t *testing.T) {
	netAgree(t, randomUDP, "with datagrams between processes", besideOthers)
}
func TestAgreeNetUDPTwins(t *testing.T) {
	netAgree(t, randomUDP, "with datagrams between processes, two of them alike", besideTwins)
}

// beyondOf returns what is in a list and not in another one.
func beyondOf(list, other []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(other, s) })
}
