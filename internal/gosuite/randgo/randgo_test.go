package randgo

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/testlong"
)

var (
	first = flag.Uint64("first", 1, "first seed")
	seeds = flag.Uint64("seeds", testlong.Or[uint64](1, 4), "number of random programs")
	size  = flag.Int("size", testlong.Or(120, 300), "number of functions of each")
)

// TestRandom holds random programs in the machine against natively compiled ones.
func TestRandom(t *testing.T) {
	for seed := *first; seed < *first+*seeds; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { both(t, Program(seed, *size)) })
		t.Run(fmt.Sprint("order ", seed), func(t *testing.T) { both(t, Orders(seed, *size)) })
	}
}

// both runs a program natively and in the machine.
func both(t *testing.T, text string) {
	dir := t.TempDir()
	file := filepath.Join(dir, "main.go")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "main")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("go build: %s", out)
	}
	want, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	prog, err := execute.Build(execute.Source{Patterns: []string{file}, NoCache: true})
	if err != nil {
		t.Fatal(err)
	}
	var got, errs bytes.Buffer
	exit, err := execute.Run(prog, execute.Process{Args: []string{"main"}, Stdout: &got, Stderr: &errs})
	if err != nil || exit.Code != 0 {
		t.Fatalf("%v %+v\n%s", err, exit, errs.Bytes())
	}
	compare(t, got.Bytes(), want)
}

// compare reports the first line that differs.
func compare(t *testing.T, got, want []byte) {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	if len(w) < 100 {
		t.Errorf("the program printed %d lines", len(w))
	}
	for i := range w {
		if i >= len(g) || !bytes.Equal(g[i], w[i]) {
			t.Fatalf("line %d: got %q, want %q", i+1, g[min(i, len(g)-1)], w[i])
		}
	}
}
