package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/natsqueue"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// How many files are changed, and where a page about them is written: see make hostile.
var (
	hostileCertificates = flag.Int("hostile-certificates", testlong.Or(100, 2000), "how many changed certificates are tried")
	hostileCheckpoints  = flag.Int("hostile-checkpoints", testlong.Or(60, 1000), "how many changed checkpoints are tried")
	hostileSeed         = flag.Uint64("hostile-seed", 1, "which ones")
	hostilePage         = flag.String("hostile-page", "", "append what came of it to this `file`")
)

// unsafePrograms are a module of programs that are right with an argument, or a variable of the environment, and wrong without.
var unsafePrograms = map[string]string{
	"go.mod": "module m\n\ngo 1.26\n",
	"locks/main.go": `package main

import (
	"os"
	"sync"
)

func main() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range 3 {
		first, second := &a, &b
		if len(os.Args) == 1 && i == 2 {
			first, second = second, first
		}
		wg.Go(func() { first.Lock(); second.Lock(); n++; second.Unlock(); first.Unlock() })
	}
	wg.Wait()
}
`,
	"late/main.go": `package main

import (
	"os"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range 3 {
		wg.Go(func() {
			for range 2 {
				mu.Lock()
				n += i
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(os.Args) == 1 {
		<-make(chan bool)
	}
}
`,
	"deep/main.go": `package main

import (
	"os"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	n := 0
	for i := range 2 {
		wg.Go(func() {
			for range 18 {
				mu.Lock()
				if n += 2*i - 1; n == 10 && len(os.Args) == 1 {
					panic("ten")
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
}
`,
	"talk/heddle.yaml": "peers:\n  - server: peer halves {addr}\n    patience: 1ms\n",
	"talk/main.go": `package main

import (
	"fmt"
	"net"
	"os"
)

func main() {
	c, err := net.Dial("tcp", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	fmt.Fprintln(c, "hello")
	b := make([]byte, 4)
	for n := 0; n < 4; {
		more, err := c.Read(b[n:])
		if err != nil {
			panic(err)
		}
		if n += more; n < 4 && len(os.Args) == 1 {
			panic("not all of it")
		}
	}
}
`,
	"t/t_test.go": `package t

import (
	"os"
	"testing"
)

func TestIt(t *testing.T) {
	c, d := make(chan int), make(chan int)
	go func() { c <- 1 }()
	go func() { d <- 2 }()
	select {
	case <-c:
		<-d
	case <-d:
		if os.Getenv("SAFE") == "" {
			t.Fatal("d before c")
		}
		<-c
	}
}
`,
	"m.mcrl2": `act a, b, bad;
proc P(n: Nat) = (n < 6) -> a.P(n + 1) + (n > 0) -> b.P(max(0, n - 1)) + (n == 5) -> bad.P(0);
init P(0) || P(2);
`,
}

// An honest certificate, from which bad ones are made.
type honestCert struct {
	name   string
	by     string               // how it is made, without -cert
	right  string               // what it is a certificate of
	wrong  string               // what is wrong
	forge  func(h *cert.Header) // the header says that it is of what is wrong
	folder bool
}

var honestCerts = []honestCert{
	{name: "program", by: "check ./locks -- safe", right: "./locks -- safe", wrong: "./locks", forge: set("args", "-")},
	{name: "without reduction", by: "check -reduce=false ./locks -- safe", right: "./locks -- safe", wrong: "./locks", forge: set("args", "-")},
	{name: "short ways", by: "check ./deep -- safe", right: "./deep -- safe", wrong: "./deep", forge: set("args", "-")},
	{name: "graph", by: "check -cert-graph ./locks -- safe", right: "./locks -- safe", wrong: "./locks", forge: set("args", "-")},
	{name: "tree", by: "check -cert-trustful ./locks -- safe", right: "./locks -- safe", wrong: "./locks", forge: set("args", "-")},
	{name: "peers", by: "check ./talk -- safe", right: "-allow peers ./talk -- safe", wrong: "-allow peers ./talk", forge: set("args", "-")},
	{name: "test", by: "test -env SAFE=1 -run TestIt ./t", right: "-env SAFE=1 -run TestIt ./t", wrong: "-run TestIt ./t", folder: true, forge: func(h *cert.Header) {
		env := strings.Replace(cert.Lookup(h.Settings, "env"), `,"SAFE=1"`, "", 1)
		set("env", env)(h)
	}},
	{name: "model", by: "check -search dfs -deadlock m.mcrl2", right: "-deadlock m.mcrl2", wrong: "-deadlock -action bad m.mcrl2", forge: func(h *cert.Header) {
		h.Properties = append(h.Properties, "action")
		set("actions", `["bad"]`)(h)
	}},
}

// TestHostileCertificates gives certificates to all commands that read them in which something was changed, with
// sums that are right: nothing that is wrong is certified, nothing crashes, and no file takes much memory.
func TestHostileCertificates(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	writeTree(t, dir, unsafePrograms)
	t.Chdir(dir)
	h := &hostileRun{t: t, page: &hostileTable{}, backend: newKeepingBackend()}
	var err error
	if h.key, err = certify.OwnKey(); err != nil {
		t.Fatal(err)
	}
	for i := range honestCerts {
		c := &honestCerts[i]
		data := h.honest(c)
		forged := h.forge(c, data)
		n := *hostileCertificates / len(honestCerts)
		if i < *hostileCertificates%len(honestCerts) {
			n++
		}
		h.limits(c, data)
		for k := range n {
			r := hostile.Dice(*hostileSeed, uint64(k*len(honestCerts)+i))
			from := data
			if r.IntN(2) == 0 {
				from = forged
			}
			bad, what := hostile.Certificate(r, from)
			h.try(c, bad, fmt.Sprintf("%s, file %d, %s", c.name, k, what))
		}
	}
	h.page.write(t, "Certificates", *hostileCertificates)
}

// writeTree writes files below a folder.
func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A hostileRun tries files.
type hostileRun struct {
	t       *testing.T
	page    *hostileTable
	backend Backend
	key     ed25519.PrivateKey // of the user
	usual   map[string]uint64  // bytes that each command allocates for the honest file
}

// honest makes an honest certificate, in a process of its own, since peers may be a part of it.
func (h *hostileRun) honest(c *honestCert) []byte {
	args, rest := strings.Fields(c.by), []string(nil)
	if at := slices.Index(args, "--"); at >= 0 {
		args, rest = args[:at], args[at:]
	}
	file := "honest.heddle"
	to := file
	if c.folder {
		to, file = "certs", "certs/t/TestIt.heddle"
	}
	args = slices.Concat(args[:1], []string{"-cert", to}, args[1:], rest)
	if out, err := exec.Command("heddle", args...).CombinedOutput(); err != nil {
		h.t.Fatalf("%v: %v: %s", args, err, out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		h.t.Fatal(err)
	}
	return data
}

// forge returns a certificate with a header that says that it is of what is wrong. It is refused for what was found there, so that
// changes are not refused for what they say they are of.
func (h *hostileRun) forge(c *honestCert, data []byte) []byte {
	r, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		h.t.Fatal(err)
	}
	if c.name == "short ways" && r.Shortcuts == nil {
		h.t.Fatalf("the search of %s is not deep enough for short ways", c.right)
	}
	traffic, err := r.Traffic()
	if err != nil {
		h.t.Fatal(err)
	}
	forged := rewriteAll(h.t, data, c.forge, traffic)
	for _, cmd := range c.commands() {
		if cmd.name != "certify, wrong" || c.name == "tree" { // with several workers it is not always the same that is found first
			continue
		}
		if code, out, _ := h.run(cmd, forged); !strings.Contains(out, "violation: ") && !strings.Contains(out, "a false claim of a state") {
			h.t.Fatalf("%s, %s of the forged file: got exit %d, %s, want that it is refused in some state", c.name, cmd.name, code, out)
		}
	}
	return forged
}

// A hostileCommand reads a certificate.
type hostileCommand struct {
	name  string
	args  string // FILE is the file
	wrong bool   // it must not end with exit code 0
}

// commands are those that read a certificate.
func (c *honestCert) commands() []hostileCommand {
	list := []hostileCommand{
		{"cert info", "cert info FILE", false},
		{"cert partition", "cert partition -k 3 FILE", false},
		{"cert partition -greedy", "cert partition -greedy -k 3 FILE", false},
		{"certify, right", "certify -o out FILE " + c.right, false},
		{"certify -workers 2, right", "certify -o out -workers 2 FILE " + c.right, false},
		{"certify -trustful, right", "certify -o out -trustful -trust-unsigned FILE " + c.right, false},
		{"certify, wrong", "certify -o out FILE " + c.wrong, true},
		{"certify -workers 2, wrong", "certify -o out -workers 2 FILE " + c.wrong, true},
	}
	if c.name == "graph" {
		list = append(list, hostileCommand{"check -against, right", "check -o out -against FILE " + c.right, false},
			hostileCommand{"check -against, wrong", "check -o out -against FILE " + c.wrong, true})
	}
	return list
}

// limits finds out how much the commands allocate for an honest file, which is what it should be.
func (h *hostileRun) limits(c *honestCert, data []byte) {
	h.usual = map[string]uint64{}
	for _, cmd := range c.commands() {
		h.run(cmd, data) // programs are built
		code, out, bytes := h.run(cmd, data)
		h.usual[cmd.name] = bytes
		if tree := c.name == "tree" && !strings.Contains(cmd.args, "-trustful") && strings.HasPrefix(cmd.args, "certify"); (code == 0) == (cmd.wrong || tree) {
			h.t.Fatalf("%s of the honest file: %s: got exit %d: %s", cmd.name, c.name, code, out)
		}
	}
}

// hostileMemory is how much more a command may allocate for a changed file than for the honest one.
const hostileMemory = 256 << 20

// try gives a file to all commands.
func (h *hostileRun) try(c *honestCert, data []byte, what string) {
	for _, cmd := range c.commands() {
		h.command(c.name, cmd, data, what)
	}
	if c.name != "graph" {
		return
	}
	// What the user has signed is believed, and may not be so. But it is no reason to crash.
	if r, err := cert.Open(bytes.NewReader(data), int64(len(data))); err == nil {
		signed := slices.Concat(data, cert.Sign(r, h.key))
		for _, cmd := range c.commands() {
			if strings.HasPrefix(cmd.args, "check -o out -against") {
				h.usual[cmd.name+", signed"] = h.usual[cmd.name]
				cmd.name, cmd.wrong = cmd.name+", signed", false
				h.command(c.name, cmd, signed, what)
			}
		}
	}
}

// command gives a file to a command.
func (h *hostileRun) command(name string, cmd hostileCommand, data []byte, what string) {
	code, out, bytes := h.run(cmd, data)
	row := h.page.row(name, cmd.name)
	row.codes[min(max(code, 0), 4)]++
	row.most = max(row.most, bytes)
	switch {
	case code == 0 && cmd.wrong:
		row.wrong++
		h.t.Errorf("%s: %s: a wrong word: %s", what, cmd.name, out)
	case code > 3:
		h.t.Errorf("%s: %s: exit %d: %.3000s", what, cmd.name, code, out)
	case bytes > h.usual[cmd.name]*2+hostileMemory:
		h.t.Errorf("%s: %s: %d bytes were allocated, and %d for the honest file", what, cmd.name, bytes, h.usual[cmd.name])
	case strings.ContainsAny(out, "\x1b\u200b\x00"):
		h.t.Errorf("%s: %s: printed %q", what, cmd.name, out)
	}
}

// run runs a command, and returns its exit code, what it printed and how many bytes it has allocated.
func (h *hostileRun) run(cmd hostileCommand, data []byte) (code int, out string, allocated uint64) {
	if err := os.WriteFile("bad.heddle", data, 0o666); err != nil {
		h.t.Fatal(err)
	}
	args := strings.Fields(cmd.args)
	args[slices.Index(args, "FILE")] = "bad.heddle"
	var before, after runtime.MemStats
	var text bytes.Buffer
	runtime.ReadMemStats(&before)
	app := &App{Stdin: strings.NewReader(""), Stdout: &text, Stderr: &text, Backend: h.backend, Queue: natsqueue.Service{}}
	code = twice(context.Background(), app, args)
	runtime.ReadMemStats(&after)
	return code, text.String(), after.TotalAlloc - before.TotalAlloc
}

// A keepingBackend builds each program once.
type keepingBackend struct {
	Machine
	built map[string]*check.Code
	tests map[string][]TestPackage
}

func newKeepingBackend() *keepingBackend {
	return &keepingBackend{built: map[string]*check.Code{}, tests: map[string][]TestPackage{}}
}

func (b *keepingBackend) Build(ctx context.Context, o BuildOptions) (*check.Code, error) {
	key := fmt.Sprintf("%+v", o)
	if code := b.built[key]; code != nil {
		return code, nil
	}
	code, err := b.Machine.Build(ctx, o)
	if err == nil {
		b.built[key] = code
	}
	return code, err
}

func (b *keepingBackend) Tests(ctx context.Context, src Source) ([]TestPackage, error) {
	key := fmt.Sprintf("%+v", src)
	if list, ok := b.tests[key]; ok {
		return list, nil
	}
	list, err := b.Machine.Tests(ctx, src)
	if err == nil {
		b.tests[key] = list
	}
	return list, err
}

// A hostileTable counts how commands ended.
type hostileTable struct{ rows []*hostileRow }

type hostileRow struct {
	file, command string
	codes         [5]int
	wrong         int
	most          uint64 // bytes that were allocated for a file
}

func (p *hostileTable) row(file, command string) *hostileRow {
	for _, r := range p.rows {
		if r.file == file && r.command == command {
			return r
		}
	}
	r := &hostileRow{file: file, command: command}
	p.rows = append(p.rows, r)
	return r
}

// String prints the table.
func (p *hostileTable) String() string {
	var b strings.Builder
	b.WriteString("| file of | command | exit 0 | 1 | 2 | 3 | 4 | wrong words | MB allocated, at most |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range p.rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %.1f |\n", r.file, r.command, r.codes[0], r.codes[1], r.codes[2], r.codes[3], r.codes[4], r.wrong, float64(r.most)/1e6)
	}
	return b.String()
}

// write appends the table to the page, if there is to be one.
func (p *hostileTable) write(t *testing.T, title string, files int) {
	t.Helper()
	commands, bugs, wrong, most := 0, 0, 0, uint64(0)
	for _, r := range p.rows {
		for _, n := range r.codes {
			commands += n
		}
		bugs, wrong, most = bugs+r.codes[4], wrong+r.wrong, max(most, r.most)
	}
	text := fmt.Sprintf("\n## %s\n\n%d files, seed %d, given to %d commands in all: %d wrong words, %d times exit code 4, at most %.1f MB allocated for a file.\n\n%s",
		title, files, *hostileSeed, commands, wrong, bugs, float64(most)/1e6, p)
	if *hostilePage == "" {
		t.Log(text)
		return
	}
	page, err := os.OpenFile(*hostilePage, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	if _, err := page.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
