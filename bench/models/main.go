// Models makes docs/results/models.md: the specifications in its folder, each with its size as it is and
// modulo strong bisimulation, its deadlocks and the verdict on one property.
//
// A specification was written after the source that its first lines name, and these also say what was known of its
// size before it was searched: by a formula, by a program of the tests that makes the same graph without mCRL2, or
// because it is published.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
)

const header = `# Specifications after published sources

    $ make models

%s. The specifications of bench/models, each written here after the source that its first lines name: not copies of what others have written, so that sizes
elsewhere need not be these. States and transitions are of the graph as it is searched, and modulo strong bisimulation, which do not depend on how a
specification is made linear. Deadlocks are states without steps, those behind the end of all processes included. *Known* is what was known of the size, or of
the answer, before: *program* says that a program of a few lines (bench/models/graphs_test.go) makes the same graph without mCRL2, of which the
tests say that it is strongly bisimilar; *formula* that it was counted by hand; *published* that the source, or the literature, has it. Where
nothing is said the numbers are what was found.

| specification | what it is | states | transitions | strong | deadlocks | property | verdict | known |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`

func main() {
	out := flag.String("o", "docs/results/models.md", "write the page to `file`")
	commit := flag.String("commit", "", "what was measured")
	write := flag.Bool("counts", false, "print the Counts lines of all specifications and no page")
	only := flag.String("only", "", "this specification only")
	flag.Parse()
	if err := run(*out, *commit, *only, *write); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out, commit, only string, counts bool) error {
	list, err := all("bench/models")
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "models")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var b bytes.Buffer
	fmt.Fprintf(&b, header, "Commit "+commit)
	for _, s := range list {
		if only != "" && s.name != only {
			continue
		}
		m, err := s.measure(dir)
		if err != nil {
			return fmt.Errorf("%s: %v", s.name, err)
		}
		if counts {
			fmt.Printf("%s\t%s\t%v %v\n", s.name, m.counts(), s.holds, m.verdict)
			continue
		}
		if m.counts() != s.counts || m.verdict != s.holds {
			return fmt.Errorf("%s: %s and %v, but %s and %v are expected", s.name, m.counts(), m.verdict, s.counts, s.holds)
		}
		verdict := "does not hold"
		if m.verdict {
			verdict = "holds"
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d, %d | %d | `%s` | %s | %s |\n", s.name, strings.TrimSuffix(s.title, "."), m.raw.States, len(m.raw.Transitions),
			m.small.States, len(m.small.Transitions), len(m.small.Deadlocks()), strings.ReplaceAll(s.property, "|", `\|`), verdict, strings.TrimSuffix(s.known, "."))
	}
	if counts {
		return nil
	}
	return os.WriteFile(out, b.Bytes(), 0o666)
}
