package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Table II and figure 7 of paper 004 ("Software Model Checking of UDP-based
// Distributed Applications"): the alphabet client with three connections, over TCP
// and by datagrams, against a live server.

// A kind004 is one of the configurations of the paper.
type kind004 struct {
	name, title string
	requests    int // up to how many
	udp         string
	assert      bool
}

var kinds004 = []kind004{
	{"tcp", "TCP", 8, "", true},
	{"udp", "UDP", 8, "", true},
	{"loss", "UDP, loss", 8, "multiply=1,0", true},
	{"loss-na", "UDP, loss, no assertion", 3, "multiply=1,0", false},
}

// table004 is table II: time, heap in MB, I/O operations, transitions of net-iocache
// v2. Those with a fault found say so. Of four requests and more the paper has a
// figure without numbers, but for one.
var table004 = map[string]string{
	"tcp/1": "0:00:08 77 1158 2143", "tcp/2": "0:00:37 77 5190 7807", "tcp/3": "0:02:06 77 17346 23440", "tcp/8": "1:41 h 109 - -",
	"udp/1": "0:00:03 109 1158 2146", "udp/2": "0:00:29 77 5190 7810", "udp/3": "0:01:36 77 17346 23443",
	"loss/1": "0:01:13 77 10758 28450", "loss/2": "<0:00:01 61 26 56 fault", "loss/3": "<0:00:01 61 32 68 fault",
	"loss-na/2": "0:45:12 109 231984 534592", "loss-na/3": "11:03:02 77 3276081 7066609",
}

func (k kind004) job(requests int) string { return fmt.Sprintf("paper004/%s/%d", k.name, requests) }

// faulty reports whether the assertion can fail: with two requests the first may be
// lost.
func (k kind004) faulty(requests int) bool { return k.udp != "" && k.assert && requests > 1 }

func (k kind004) command(requests int, build builder) ([]string, error) {
	args := []string{"-n", "3", "-m", strconv.Itoa(requests)}
	if k.name == "tcp" {
		bin, err := build("alphabet/server")
		return slices.Concat([]string{"./examples/alphabet/client", "-server", bin + " -addr {addr:2626} -n 0", "--"}, args), err
	}
	bin, err := build("alphabet/udp/server")
	flags := []string{"-udp", k.udp, "-time", "free"}
	if k.udp != "" {
		// Who waits for an answer that is lost waits for ever.
		flags = append(flags, "-deadlock=false", "-leak=false")
	}
	args = append(args, "-wait", "0", fmt.Sprintf("-assert=%v", k.assert))
	return slices.Concat(flags, []string{"./examples/alphabet/udp/client", "-server", bin + " -addr {udp:2627}", "--"}, args), err
}

func jobs004() []job {
	var all []job
	for _, k := range kinds004 {
		for n := range k.requests {
			all = append(all, job{
				name: k.job(n + 1),
				args: func(b builder) ([]string, error) { return k.command(n+1, b) },
				good: func(f figures) bool {
					if k.faulty(n + 1) {
						return f.Verdict == "violation" && slices.Equal(f.Kinds, []string{"assert"})
					}
					return f.Verdict == "verified"
				},
			})
		}
	}
	return all
}

const header004 = `# Paper 004, table II and figure 7

The alphabet client with 3 connections against a live server, over TCP and by datagrams, without and with losses
(` + "`-udp multiply=1,0`" + `: each datagram that is sent or received arrives or is lost), with the assertion that answers come in
the order of requests, and without it. The programs are those of examples/alphabet, written anew as idiomatic Go. A
consumer whose answer is lost waits for ever, so that deadlocks and leaks are not looked for in the rows with losses.

    $ make bench-papers PAPERS=004

Limits are %v and %s for each row. The paper's figures are those of JPF 7 with net-iocache v2 on a Mac Pro; "I/O" are
operations on sockets, and the states of its searches are not told. Figure 7 goes up to 8 requests without numbers; the
text has one of them, an hour and 41 minutes over TCP. Times of Heddle are those of the whole process, loading and peers
included; memory is the most that the process of heddle had. The first row of a program has to compile it. The TCP client sends each request in two parts, a number and
the end of its line, as that of paper 000 does.

%s

| requests | | paper: time | heap MB | I/O | transitions | fault | heddle: time | memory | states | transitions | verdict |
| ---: | --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |
`

func page004(measured map[string]figures, l limits, machine string) string {
	var b strings.Builder
	fmt.Fprintf(&b, header004, l.time, size(l.memory), machine)
	for n := 1; n <= 8; n++ {
		for _, k := range kinds004 {
			if n > k.requests {
				continue
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", n, k.title, paperCells(table004[fmt.Sprintf("%s/%d", k.name, n)]), heddleCells(measured, k.job(n)))
		}
	}
	return b.String()
}

// paperCells are the paper's figures of a row.
func paperCells(text string) string {
	if text == "" {
		return "| | | | "
	}
	text = strings.Replace(text, " h ", "h ", 1)
	fields := strings.Fields(text)
	fault := "no"
	if len(fields) == 5 {
		fault = "yes"
	}
	return strings.Join(append(fields[:4:4], fault), " | ")
}

func heddleCells(measured map[string]figures, name string) string {
	f, ok := measured[name]
	if !ok {
		return "not measured | | | | "
	}
	verdict := f.Verdict
	if f.Why != "" {
		verdict += ": " + short(f.Why)
	}
	return fmt.Sprintf("%.1f s | %s | %d | %d | %s", f.Seconds, size(f.Memory), f.States, f.States+f.Revisited-1, verdict)
}

func init() {
	others["004"] = paper{jobs: jobs004, page: page004}
}
