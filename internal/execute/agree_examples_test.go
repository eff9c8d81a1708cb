package execute_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var agreementFile = flag.String("agreement", "", "search large programs too, and write what agrees to this `file`")

// TestAgreeExamples holds searches of the examples against each other. Those
// without bug verify.
func TestAgreeExamples(t *testing.T) {
	limit := testlong.Or[int64](200, 2500)
	if *agreementFile != "" {
		limit = 10000
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
		if some, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go")); len(some) > 1 {
			continue // a program of several files has tests of its own
		}
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
			results.Examples = append(results.Examples, rowOf(name, a, complaint))
		})
	}
}

// TestAgreeKernels holds searches of the kernels of package goker against each
// other: of one in three in make test.
func TestAgreeKernels(t *testing.T) {
	limit := testlong.Or[int64](150, 1000)
	if *agreementFile != "" {
		limit = 5000
	}
	if testing.Short() {
		limit = 300
	}
	all, err := goker.Kernels(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	every := testlong.Or(5, 1)
	if *agreementFile != "" {
		every = 1
	}
	for i, k := range all {
		if i%every != 0 {
			continue
		}
		a, complaint := agree(compileText(t, string(k.Source)), limit, execute.Settings{})
		if complaint != "" {
			t.Errorf("%s: %s", k.Name, complaint)
		}
		results.Kernels = append(results.Kernels, rowOf(k.Name, a, complaint))
	}
	fixed, err := filepath.Glob("../gosuite/goker/testdata/fixed/*.go")
	if err != nil || len(fixed) < 20 {
		t.Fatalf("got %d fixed kernels, %v", len(fixed), err)
	}
	for i, file := range fixed {
		if i%every != 0 {
			continue
		}
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
		results.Kernels = append(results.Kernels, rowOf(name, a, complaint))
	}
}
