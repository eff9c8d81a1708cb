package execute_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
	"github.com/heddle-mc/heddle/internal/vm"
)

var netTable = flag.String("net", "", "file that TestNetPackage writes, having run all tests of package net")

// netResults is the list of tests of package net that pass.
const netResults = "../../docs/results/net.md"

// A netTest is what became of a test of package net.
type netTest struct {
	name    string
	outcome string // PASS, SKIP, FAIL, or why it was refused
	sockets string // kinds of sockets that it opened, as package net counts them
}

// A netRunner runs the tests of package net in the machine, each alone: what is
// refused ends the run.
type netRunner struct {
	t    *testing.T
	prog *bytecode.Program
	dir  string
}

func newNetRunner(t *testing.T) *netRunner {
	if testing.Short() {
		t.Skip("compiles the tests of package net")
	}
	prog, err := execute.Build(execute.Source{Patterns: []string{"net"}, Test: true})
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return &netRunner{t: t, prog: prog, dir: filepath.Join(strings.TrimSpace(string(out)), "src", "net")}
}

// opened finds the sockets in what package net prints of itself.
var opened = regexp.MustCompile(`(?m)^\((\w+), (\w+)[^)]*\): opened=([1-9]\d*)`)

// refusal is the message of one: a place, what it is, and where to read on.
var refusal = regexp.MustCompile(`^\S+:\d+:\d+: (.*): not supported.*$`)

func (r *netRunner) run(name string) netTest {
	var out bytes.Buffer
	exit, err := execute.Run(r.prog, execute.Process{
		Args: []string{"net.test", "-test.paniconexit0", "-test.v=true", "-test.short=true", "-test.run=^" + name + "$"},
		Dir:  r.dir, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	res := netTest{name: name, outcome: "FAIL"}
	verdict := regexp.MustCompile(`(?m)^--- (PASS|SKIP|FAIL): ` + name + ` `).FindStringSubmatch(out.String())
	switch {
	case exit.Kind == vm.ExitUnsupported:
		res.outcome = refusal.ReplaceAllString(strings.TrimSpace(exit.Text), "$1")
	case verdict == nil:
		r.t.Logf("%s: exit code %d\n%s", name, exit.Code, out.Bytes())
	case verdict[1] == "PASS" && exit.Code != 0:
	default:
		res.outcome = verdict[1]
	}
	if res.outcome == "FAIL" {
		r.t.Logf("%s", out.Bytes())
	}
	kinds := map[string]bool{}
	for _, m := range opened.FindAllStringSubmatch(out.String(), -1) {
		kinds[m[1]+" "+m[2]] = true
	}
	for _, kind := range []string{"inet4 stream", "inet6 stream", "local stream", "local seqpacket", "inet4 datagram", "inet6 datagram", "local datagram"} {
		if kinds[kind] {
			res.sockets += ", " + kind
		}
	}
	res.sockets = strings.TrimPrefix(res.sockets, ", ")
	return res
}

// names lists the tests of the package.
func (r *netRunner) names() (list []string) {
	cmd := exec.Command("go", "test", "-tags", "netgo,osusergo", "-list", "^Test", "net")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.Output()
	if err != nil {
		r.t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "Test") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// TestNetPackage runs tests of package net: one in twelve of those that open sockets
// and pass according to docs/results/net.md, or one in three in make test-long. With
// -net it runs them all and writes that list.
func TestNetPackage(t *testing.T) {
	r := newNetRunner(t)
	if *netTable != "" {
		var all []netTest
		for _, name := range r.names() {
			all = append(all, r.run(name))
			if all[len(all)-1].outcome == "FAIL" && netFails[name] == "" {
				t.Errorf("%s fails", name)
			}
		}
		if err := os.WriteFile(*netTable, []byte(netReport(all)), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	list, err := os.ReadFile(netResults)
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (Test\w+) \| (.*) \|$`).FindAllStringSubmatch(string(list), -1)
	if len(rows) < 60 {
		t.Fatalf("%s lists %d tests want at least 60", netResults, len(rows))
	}
	for i := 0; i < len(rows); i += testlong.Or(48, 3) {
		name := rows[i][1]
		if got := r.run(name); got.outcome != "PASS" || got.sockets != rows[i][2] {
			t.Errorf("%s: got %s with sockets %q want PASS with %q", name, got.outcome, got.sockets, rows[i][2])
		}
	}
}

// netFails are the tests that are known to fail, and why.
var netFails = map[string]string{
	"TestAllocs": "wants one allocation; the machine's count of allocations stands still",
}

// netReport is the text of docs/results/net.md.
func netReport(all []netTest) string {
	var b strings.Builder
	count := map[string]int{}
	sockets := 0
	for _, r := range all {
		switch r.outcome {
		case "PASS", "SKIP", "FAIL":
			count[r.outcome]++
		default:
			count["refused"]++
		}
		if r.outcome == "PASS" && r.sockets != "" {
			sockets++
		}
	}
	fmt.Fprintf(&b, `# Package net's own tests

    $ make net-tests

Each Test function of package net (%s) alone in the machine, as `+"`heddle test -once -short -run '^NAME$' net`"+` runs it, over
the modelled loopback: %d of %d pass, %d of them with sockets. %d skip themselves, as they do where there is nothing
but a loopback interface or with -short. %d fail. %d need something that is refused.

## Those that pass and open sockets

| test | sockets |
| --- | --- |
`, runtime.Version(), count["PASS"], len(all), sockets, count["SKIP"], count["FAIL"], count["refused"])
	for _, r := range all {
		if r.outcome == "PASS" && r.sockets != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", r.name, r.sockets)
		}
	}
	section := func(title string, keep func(r netTest) bool, text func(r netTest) string) {
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, r := range all {
			if keep(r) {
				fmt.Fprintf(&b, "- %s\n", text(r))
			}
		}
	}
	name := func(r netTest) string { return r.name }
	section("Those that pass without sockets", func(r netTest) bool { return r.outcome == "PASS" && r.sockets == "" }, name)
	section("Those that skip themselves", func(r netTest) bool { return r.outcome == "SKIP" }, name)
	if count["FAIL"] > 0 {
		section("Those that fail", func(r netTest) bool { return r.outcome == "FAIL" }, func(r netTest) string {
			return r.name + ": " + netFails[r.name]
		})
	}
	section("Those that are refused", func(r netTest) bool { return strings.Contains(r.outcome, " ") }, func(r netTest) string {
		return r.name + ": " + r.outcome
	})
	return b.String()
}
