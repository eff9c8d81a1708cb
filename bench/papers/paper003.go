package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Paper 003 ("Software Model Checking for Distributed Systems with Selector-Based,
// Non-blocking Communication"): its tables II and III.

//go:embed tables003.txt
var tables003 string

// A selectorRow is a row of one of the two tables.
type selectorRow struct {
	program    string // a key of selectorPrograms
	conn, msgs int
	paper      string // the paper's time
	states     int64  // the paper's, 0 if it has none
	want       string // kind of finding, empty if there is none
}

// A selectorProgram is what is checked.
type selectorProgram struct {
	name   string
	folder string   // below examples
	client string   // below examples, with its arguments
	flags  []string // of heddle
}

// selectorPrograms are those of the tables, in their order.
var selectorPrograms = []struct {
	key string
	selectorProgram
}{
	{"all", selectorProgram{"selectors", "alphabet/epoll/server", "alphabet/peer/client.sh {addr} %d", nil}},
	{"accept", selectorProgram{"selectors; accept always succeeds", "alphabet/epoll/server", "alphabet/peer/client.sh {addr} %d", []string{"-nonblocking=read,write,connect"}}},
	{"read", selectorProgram{"selectors; read always succeeds", "alphabet/epoll/server", "alphabet/peer/client.sh {addr} %d", []string{"-nonblocking=accept,write,connect"}}},
	{"write", selectorProgram{"selectors; write always succeeds", "alphabet/epoll/server", "alphabet/peer/client.sh {addr} %d", []string{"-nonblocking=accept,read,connect"}}},
	{"net", selectorProgram{"a goroutine (there: a thread) for each connection", "alphabet/server", "alphabet/peer/client.sh {addr} %d", nil}},
	{"faulty", selectorProgram{"selectors, read without asking", "alphabet/epoll/server/buggy", "alphabet/peer/client.sh {addr} %d", nil}},
	{"rupy-defect", selectorProgram{"with the race", "eventloop/server/buggy", "eventloop/peer/get.sh {addr}", nil}},
	{"rupy-fixed", selectorProgram{"with the lock", "eventloop/server", "eventloop/peer/get.sh {addr}", nil}},
}

func selectorProgramOf(key string) selectorProgram {
	for _, p := range selectorPrograms {
		if p.key == key {
			return p.selectorProgram
		}
	}
	return selectorProgram{}
}

// parseSelectorRows reads the tables: program, connections, messages, time, states and
// what is to be found, if something is.
func parseSelectorRows(text string) (rows []selectorRow, err error) {
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		if len(f) < 5 || selectorProgramOf(f[0]).folder == "" {
			return nil, fmt.Errorf("line %d: got %q, want program, connections, messages, time, states", i+1, line)
		}
		r := selectorRow{program: f[0], paper: strings.ReplaceAll(f[3], "_", " ")}
		var errs [3]error
		r.conn, errs[0] = strconv.Atoi(f[1])
		r.msgs, errs[1] = strconv.Atoi(f[2])
		if f[4] != "-" {
			r.states, errs[2] = strconv.ParseInt(f[4], 10, 64)
		}
		for _, err := range errs {
			if err != nil {
				return nil, fmt.Errorf("line %d: %v", i+1, err)
			}
		}
		if len(f) > 5 {
			r.want = f[5]
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func (r selectorRow) name() string { return fmt.Sprintf("%s/%dx%d", r.program, r.conn, r.msgs) }

// manyConns is from how many connections on two workers search.
const manyConns = 6

// command returns the arguments of heddle check.
func (r selectorRow) command() []string {
	p := selectorProgramOf(r.program)
	args := append([]string{}, p.flags...)
	if r.conn >= manyConns && r.want == "" {
		args = append(args, "-workers", "2")
	}
	args = append(args, example(p.folder))
	client := example(p.client)
	if strings.Contains(client, "%d") {
		client = fmt.Sprintf(client, r.msgs)
	}
	for range r.conn {
		args = append(args, "-client", client)
	}
	args = append(args, "--", "-n", strconv.Itoa(r.conn))
	if r.msgs > 0 {
		args = append(args, "-m", strconv.Itoa(r.msgs))
	}
	return args
}

// good reports whether a row is as it should be.
func (r selectorRow) good(f figures) bool {
	if r.want != "" {
		return f.Verdict == "violation" && len(f.Kinds) > 0 && f.Kinds[0] == r.want
	}
	return f.Verdict == "verified"
}

// faultyMost is the largest number of clients of the server with the planted defect.
const faultyMost = 99

func faultyRow(n int) selectorRow {
	return selectorRow{program: "faulty", conn: n, msgs: 2, paper: "0:01", states: 9, want: "assert"}
}

func selectorRows() []selectorRow {
	rows, err := parseSelectorRows(tables003)
	if err != nil {
		panic(err)
	}
	return rows
}

// selectorJobs are the rows of both tables, and the planted defect with each number of
// clients.
func selectorJobs() []job {
	rows := selectorRows()
	for n := 1; n <= faultyMost; n++ {
		rows = append(rows, faultyRow(n))
	}
	var all []job
	for _, r := range rows {
		all = append(all, job{name: r.name(), good: r.good, args: func(builder) ([]string, error) { return r.command(), nil }})
	}
	return all
}

const selectorHeader = `# Paper 003, tables II and III

The alphabet server with selectors, with all non-blocking operations a choice between "not yet" and "done", and with one of
them always successful; the server with a goroutine for each connection; the server with the planted defect; and an HTTP
server with an event loop in the spirit of rupy. One process is in the checker, its clients are live peers. The programs
are those of examples/, written anew as idiomatic Go on epoll: the paper's Java sources were not at hand. What is the same
is the problem, the protocol and the parameters. "conn" is the number of connections, "msg" the number of messages on each.

    $ make bench-papers PAPERS=003

Limits are %v and %s for each row. The paper's figures are those of JPF 6 on an 8-core Mac Pro; a dash is a row that the paper
does not have because it took more than an hour. Times are those of the whole process, loading and peers included; memory is
the most that the process of heddle had. Rows with 6 connections have two workers, the others one. The machine was shared with other work when these were measured.

%s
`

func selectorPage(measured map[string]figures, l limits, machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, selectorHeader, l.time, size(l.memory), machine)
	rows := selectorRows()
	for _, p := range selectorPrograms {
		switch p.key {
		case "all":
			b.WriteString("\n## Table II: the alphabet server\n")
		case "rupy-defect":
			b.WriteString("\n## Table III: an event loop in the spirit of rupy\n")
		case "faulty":
			writeFaulty(&b, measured)
			continue
		}
		fmt.Fprintf(&b, "\n%s (`%s`%s):\n\n", strings.ToUpper(p.name[:1])+p.name[1:], example(p.folder), flagsText(p.flags))
		b.WriteString("| conn | msg | paper: time | states | heddle: time | states | memory | |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n")
		for _, r := range rows {
			if r.program == p.key {
				writeSelectorRow(&b, r, measured)
			}
		}
	}
	return b.String()
}

func flagsText(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	return ", `" + strings.Join(flags, " ") + "`"
}

func writeSelectorRow(b *strings.Builder, r selectorRow, measured map[string]figures) {
	states := "-"
	if r.states > 0 {
		states = thousands(r.states)
	}
	fmt.Fprintf(b, "| %d | %d | %s | %s |", r.conn, r.msgs, r.paper, states)
	f, ok := measured[r.name()]
	switch {
	case !ok:
		b.WriteString(" | | | not measured |\n")
		return
	case r.good(f) && r.want != "":
		fmt.Fprintf(b, " %.1f s | %s | %s | found: %s |\n", f.Seconds, thousands(f.States), size(f.Memory), r.want)
	case r.good(f):
		fmt.Fprintf(b, " %.1f s | %s | %s | verified |\n", f.Seconds, thousands(f.States), size(f.Memory))
	default:
		fmt.Fprintf(b, " %.1f s | %s | %s | %s: %s |\n", f.Seconds, thousands(f.States), size(f.Memory), f.Verdict, short(f.Why))
	}
}

// writeFaulty writes the times for the server with the planted defect.
func writeFaulty(b *strings.Builder, measured map[string]figures) {
	b.WriteString("\n## The planted defect\n\nA read without asking epoll before, with 1 to 99 clients of 2 messages each: seconds of the search, and of the whole process\nwith loading and peers. The paper: 0:01 and 9 states.\n\n")
	b.WriteString("| clients | found | search: most | whole: most | states |\n| --- | ---: | ---: | ---: | ---: |\n")
	for lo := 1; lo <= faultyMost; lo += 10 {
		hi := min(lo+9, faultyMost)
		found, search, whole, states := 0, 0.0, 0.0, int64(0)
		for n := lo; n <= hi; n++ {
			if f, ok := measured[faultyRow(n).name()]; ok && faultyRow(n).good(f) {
				found++
				search, whole, states = max(search, f.Search), max(whole, f.Seconds), max(states, f.States)
			}
		}
		fmt.Fprintf(b, "| %d to %d | %d of %d | %.2f s | %.2f s | %d |\n", lo, hi, found, hi-lo+1, search, whole, states)
	}
}

// thousands writes a number with commas.
func thousands(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

func init() { others["003"] = paper{selectorJobs, selectorPage} }
