package execute_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The page is made of parts: a test of some seeds writes one file, and TestAgreeNetReport reads them all.
var (
	netPart   = flag.String("netpart", "", "write what a test of programs with connections has compared to this `file`")
	netParts  = flag.String("netparts", "", "`pattern` of such files")
	netPage   = flag.String("netpage", "", "write the page that is made of these files to this `file`")
	netCommit = flag.String("netcommit", "", "`version` that the page names")
)

// wrongPart ends the names of files about programs that disagree.
const wrongPart = ".wrong"

// A netTally counts what was compared of one kind of programs.
type netTally struct {
	Kind           string
	Limit          int64 // of states of each search
	Generated      int
	Complete       int // both searches are complete
	InPart         int // only the reduced search is: it has to find what the other one found before it was cut off
	Fewer          int // of the complete ones, those with fewer states when reduced
	Plain, Reduced int64
}

// add counts a program whose searches agree.
func (n *netTally) add(plain, reduced search) {
	n.Generated++
	switch {
	case reduced.cutOff():
		return
	case plain.cutOff():
		n.InPart++
		return
	}
	n.Complete++
	if reduced.States < plain.States {
		n.Fewer++
	}
	n.Plain, n.Reduced = n.Plain+plain.States, n.Reduced+reduced.States
}

// merge adds what was counted elsewhere.
func (n *netTally) merge(m netTally) {
	n.Generated, n.Complete, n.InPart, n.Fewer = n.Generated+m.Generated, n.Complete+m.Complete, n.InPart+m.InPart, n.Fewer+m.Fewer
	n.Plain, n.Reduced = n.Plain+m.Plain, n.Reduced+m.Reduced
}

func (n netTally) String() string {
	return fmt.Sprintf("%d programs %s: %d complete, %d more in part, %d with fewer states when reduced (%d of %d)",
		n.Generated, n.Kind, n.Complete, n.InPart, n.Fewer, n.Reduced, n.Plain)
}

// keepNet writes what a test has compared. If something is wrong the file has another name: no page is made
// while it is there, and the next run compares these programs again.
func keepNet(t *testing.T, list ...netTally) {
	t.Helper()
	for _, n := range list {
		t.Log(n)
	}
	if *netPart == "" {
		return
	}
	file, other := *netPart, *netPart+wrongPart
	if t.Failed() {
		file, other = other, file
	}
	b, err := json.Marshal(list)
	if err == nil {
		err = os.WriteFile(file, b, 0o666)
	}
	os.Remove(other) // mostly there is none
	if err != nil {
		t.Fatal(err)
	}
}

const agreementNetHead = `# Reduced and plain search of programs with connections

Generated servers and clients that read, write, close and hand on their connections: as one process, and with a process
for the server and one for each client, of which two may be alike. Programs that mix raw descriptors, timers, groups and
more than 62 goroutines are those of package ` + "`internal/gosuite/randmix`" + `; one program can be of several of their kinds.

    $ make agreement-net

Each program is searched with reduction and without, and all findings are collected. *Compared* are those of which both
searches are complete: verdict, findings with their messages and places, and what is not supported are the same. Of those *in part* only the
reduced search is complete: it has all that the plain search found before it was cut off. Of the others nothing is
known. States are those of the programs that are compared. If any disagree there is no page.

`

// TestAgreeNetReport writes the page.
func TestAgreeNetReport(t *testing.T) {
	if *netPage == "" {
		t.Skip("no -netpage")
	}
	files, err := filepath.Glob(*netParts)
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no parts: %v", err)
	}
	var rows []netTally
	for _, file := range files {
		if strings.HasSuffix(file, wrongPart) {
			t.Fatalf("%s: programs disagree", file)
		}
		var part []netTally
		b, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(b, &part)
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, n := range part {
			i := slices.IndexFunc(rows, func(r netTally) bool { return r.Kind == n.Kind && r.Limit == n.Limit })
			if i < 0 {
				rows = append(rows, n)
			} else {
				rows[i].merge(n)
			}
		}
	}
	var b strings.Builder
	b.WriteString(agreementNetHead)
	fmt.Fprintf(&b, "Made at commit %s. No disagreement.\n\n", *netCommit)
	b.WriteString("| programs | up to states | generated | compared | in part | with fewer states | states | reduced |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, n := range rows {
		if n.Complete == 0 {
			t.Errorf("none of %d programs %s was compared", n.Generated, n.Kind)
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", n.Kind, n.Limit, n.Generated, n.Complete, n.InPart, n.Fewer, n.Plain, n.Reduced)
	}
	if err := os.WriteFile(*netPage, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}
