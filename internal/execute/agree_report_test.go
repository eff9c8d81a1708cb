package execute_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The page can be made in parts: each writes a file, and the last one reads them all.
var (
	partFile  = flag.String("part", "", "write what agrees to this `file` for later, not to the page")
	partFiles = flag.String("parts", "", "`pattern` of such files that belong on the page")
)

// results are what TestAgreeReport writes.
var results struct {
	Random            *tally
	Memory            map[string]*tally // by kind, see memoryKinds
	Examples, Kernels []row
}

// A row is a program and what its searches have shown.
type row struct {
	Name, Findings string
	Numbers        [5]string // states and transitions, plain and reduced; final states
	Disagrees      bool
}

func rowOf(name string, a agreement, complaint string) row {
	r := row{Name: name, Disagrees: complaint != ""}
	if a.plain.Result == nil || a.reduced.Result == nil {
		return r // an internal bug
	}
	number := func(s search, n int64) string {
		if s.cutOff() {
			return fmt.Sprintf("> %d", n)
		}
		return fmt.Sprint(n)
	}
	r.Findings = a.plain.summary()
	r.Numbers = [5]string{
		number(a.plain, a.plain.States), number(a.plain, a.plain.Transitions),
		number(a.reduced, a.reduced.States), number(a.reduced, a.reduced.Transitions),
		number(a.plain, int64(len(a.plain.ends))),
	}
	return r
}

const agreementHead = "# Searches against each other\n" + `
Made by

    make agreement

Each program is searched depth first with reduction and without, and all findings are collected. The two have to agree
on the verdict, on the kinds of findings and (races aside, of which the first access found may be another) their places,
and on the set of states in which nothing more can happen, told by their canonical keys; a program that ended by os.Exit
or a panic is told by how and where it ended. Then each of the two is repeated breadth first with an exact store of
states, depth first with two workers, and breadth first with two workers: findings with their messages, states,
transitions and final states have to be the same. A search that is cut off has a > before its numbers: then only kinds
of findings are compared, and of the search that is complete the orders. A fifth of the generated programs is searched
with -late 0.
`

// TestAgreeReport writes what the tests before it have compared.
func TestAgreeReport(t *testing.T) {
	if *agreementFile == "" {
		t.Skip("no -agreement")
	}
	if *partFile != "" {
		b, err := json.Marshal(results)
		if err == nil {
			err = os.WriteFile(*partFile, b, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	files, _ := filepath.Glob(*partFiles)
	for _, file := range files {
		readPart(t, file)
	}
	var b strings.Builder
	b.WriteString(agreementHead)
	if results.Random != nil {
		b.WriteString("\n## Generated programs (internal/gosuite/randconc)\n\n")
		results.Random.write(&b)
	}
	for _, kind := range memoryKinds {
		if sum := results.Memory[kind.name]; sum != nil {
			fmt.Fprintf(&b, "\n## Generated programs with %s\n\n", kind.name)
			sum.write(&b)
		}
	}
	writeRows(&b, "Examples", results.Examples)
	writeRows(&b, "Kernels (internal/gosuite/goker)", results.Kernels)
	if err := os.WriteFile(*agreementFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// readPart adds the results of a part to those of the page.
func readPart(t *testing.T, file string) {
	t.Helper()
	part := results
	part.Random, part.Memory, part.Examples, part.Kernels = nil, nil, nil, nil
	b, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(b, &part)
	}
	if err != nil {
		t.Fatal(err)
	}
	if part.Random != nil {
		if results.Random == nil {
			results.Random = new(tally)
		}
		results.Random.merge(part.Random)
	}
	for name, sum := range part.Memory {
		if results.Memory == nil {
			results.Memory = make(map[string]*tally)
		}
		if results.Memory[name] == nil {
			results.Memory[name] = new(tally)
		}
		results.Memory[name].merge(sum)
	}
	results.Examples = append(results.Examples, part.Examples...)
	results.Kernels = append(results.Kernels, part.Kernels...)
}

// writeRows writes a table.
func writeRows(b *strings.Builder, title string, rows []row) {
	bad := 0
	for _, r := range rows {
		if r.Disagrees {
			bad++
		}
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\n", title, disagreements(bad))
	b.WriteString("| program | findings | plain: states | transitions | reduced: states | transitions | final states |\n")
	b.WriteString("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| %s | %s | %s |\n", r.Name, r.Findings, strings.Join(r.Numbers[:], " | "))
	}
}
