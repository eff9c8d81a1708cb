package execute_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const agreementHead = "# Searches against each other\n" + `
Made by

    make agreement

Each program is searched depth first with reduction and without, and all findings are collected. The two have to agree on
the verdict, on the kinds of findings and (races aside, of which the first access found may be another) their places, and
on the set of states in which nothing more can happen, told by their canonical keys; a program that ended by os.Exit or
a panic is told by how and where it ended. Who is blocked for ever is a leak as long as others move and part of a
deadlock when none does, so leaks are not compared where both searches find a deadlock; final states are. Then each of the two is repeated breadth first with an exact store of
states, depth first with two workers, and breadth first with two workers: findings with their messages, states,
transitions and final states have to be the same. A search that is cut off has a > before its numbers: then only kinds of
findings are compared, and of the search that is complete the orders. A fifth of the generated programs is searched with -time=quiescent.
`

// TestAgreeReport writes what the tests before it have compared.
func TestAgreeReport(t *testing.T) {
	if *agreementFile == "" {
		t.Skip("no -agreement")
	}
	var b strings.Builder
	b.WriteString(agreementHead)
	if results.random != nil {
		b.WriteString("\n## Generated programs (internal/gosuite/randconc)\n\n")
		results.random.write(&b)
	}
	for _, part := range []struct {
		title string
		list  []compared
	}{{"Examples", results.examples}, {"Kernels (internal/gosuite/goker)", results.kernels}} {
		bad := 0
		for _, c := range part.list {
			if c.complaint != "" {
				bad++
			}
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", part.title, disagreements(bad))
		b.WriteString("| program | findings | plain: states | transitions | reduced: states | transitions | final states |\n")
		b.WriteString("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n")
		for _, c := range part.list {
			writeRow(&b, c)
		}
	}
	if err := os.WriteFile(*agreementFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

func writeRow(b *strings.Builder, c compared) {
	kinds := strings.Join(c.plain.kinds(), ", ")
	if kinds == "" {
		kinds = string(c.plain.Verdict)
	}
	number := func(s search, n int64) string {
		if s.cutOff() {
			return fmt.Sprintf("> %d", n)
		}
		return fmt.Sprint(n)
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s |\n", c.name, kinds,
		number(c.plain, c.plain.States), number(c.plain, c.plain.Transitions),
		number(c.reduced, c.reduced.States), number(c.reduced, c.reduced.Transitions),
		number(c.plain, int64(len(c.plain.ends))))
}
