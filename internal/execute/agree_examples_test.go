package execute_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
)

var agreementFile = flag.String("agreement", "", "search large programs too, and write what agrees to this `file`")

// A compared is a program and what its searches have shown.
type compared struct {
	name string
	agreement
	complaint string
}

// results are what TestAgreeReport writes.
var results struct {
	random            *tally
	examples, kernels []compared
}

// TestAgreeExamples holds searches of the examples against each other. Those
// without bug verify.
func TestAgreeExamples(t *testing.T) {
	limit := int64(2500)
	if *agreementFile != "" {
		limit = 70000
	}
	if testing.Short() {
		limit = 600
	}
	var files []string
	for _, pattern := range []string{"../../examples/*/main.go", "../../examples/*/buggy/main.go"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) < 9 {
			t.Fatalf("%s: got %d files, %v", pattern, len(some), err)
		}
		files = append(files, some...)
	}
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), "../../examples/"), "/main.go")
		t.Run(name, func(t *testing.T) {
			a, complaint := agree(compileFile(t, file), limit, execute.Settings{})
			if complaint != "" {
				t.Error(complaint)
			}
			buggy := strings.HasSuffix(name, "/buggy")
			if found := a.plain.found(); !buggy && len(found) > 0 {
				t.Errorf("got a false alarm: %v", found)
			}
			if !a.plain.cutOff() && buggy && a.plain.Verdict != explore.Violation {
				t.Errorf("got %s, want a finding", a.plain.Verdict)
			}
			results.examples = append(results.examples, compared{name, a, complaint})
		})
	}
}

// TestAgreeKernels holds searches of the kernels of package goker against each
// other.
func TestAgreeKernels(t *testing.T) {
	limit := int64(1000)
	if *agreementFile != "" {
		limit = 30000
	}
	if testing.Short() {
		limit = 300
	}
	all, err := goker.Kernels(runtime.GOROOT())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range all {
		a, complaint := agree(compileText(t, string(k.Source)), limit, execute.Settings{})
		if complaint != "" {
			t.Errorf("%s: %s", k.Name, complaint)
		}
		results.kernels = append(results.kernels, compared{k.Name, a, complaint})
	}
	fixed, err := filepath.Glob("../gosuite/goker/testdata/fixed/*.go")
	if err != nil || len(fixed) < 20 {
		t.Fatalf("got %d fixed kernels, %v", len(fixed), err)
	}
	for _, file := range fixed {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := "fixed/" + strings.TrimSuffix(filepath.Base(file), ".go")
		a, complaint := agree(compileText(t, string(src)), limit, execute.Settings{})
		if complaint != "" {
			t.Errorf("%s: %s", name, complaint)
		}
		if found := a.plain.found(); len(found) > 0 {
			t.Errorf("%s: got a false alarm: %v", name, found)
		}
		results.kernels = append(results.kernels, compared{name, a, complaint})
	}
}

const agreementHead = "# Searches against each other\n" + `
Made by

    make agreement

Each program is searched depth first with reduction and without, and all findings are collected. The two have to agree on
the verdict, on the kinds of findings and (races aside, of which the first access found may be another) their places, and
on the set of states in which nothing more can happen, told by their canonical keys; a program that ended by os.Exit or
a panic is told by how and where it ended. Then each of the two is repeated breadth first with an exact store of
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
