package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestLanes has lanes end in all orders of three: what they write comes in theirs.
func TestLanes(t *testing.T) {
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		var out bytes.Buffer
		all := newLanes(3)
		turns := []chan bool{make(chan bool), make(chan bool), make(chan bool)}
		ended := make(chan bool)
		go func() {
			for _, n := range order {
				turns[n] <- true
				<-ended
			}
		}()
		if err := all.run(3, func(l *lane) {
			w := &laneWriter{l, &out}
			fmt.Fprintf(w, "%d begins\n", l.number)
			<-turns[l.number]
			fmt.Fprintf(w, "%d ends\n", l.number)
			ended <- true
		}); err != nil {
			t.Fatal(err)
		}
		if got, want := out.String(), "0 begins\n0 ends\n1 begins\n1 ends\n2 begins\n2 ends\n"; got != want {
			t.Errorf("%v: got %q, want %q", order, got, want)
		}
	}
}

// TestLanesDrop: what a lane has written is forgotten, and what it writes later.
func TestLanesDrop(t *testing.T) {
	var out bytes.Buffer
	all := newLanes(3)
	begun := make(chan bool)
	dropped := make(chan bool)
	all.run(3, func(l *lane) {
		w := &laneWriter{l, &out}
		switch l.number {
		case 0:
			<-begun
			all.list[1].drop(func() { out.WriteString("nothing\n") })
			close(dropped)
		case 1:
			fmt.Fprintln(w, "early")
			close(begun)
			<-dropped
			fmt.Fprintln(w, "late")
		case 2:
			fmt.Fprintln(w, "last")
		}
	})
	if got, want := out.String(), "nothing\nlast\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestLanesPanic: a panic in one is one of all, when they have ended.
func TestLanesPanic(t *testing.T) {
	all := newLanes(4)
	var mu sync.Mutex
	ended, told := 0, false
	all.crash = func() { told = true }
	defer func() {
		c, ok := recover().(*explore.Crash)
		if !ok || c.Value != "oops" || ended != 3 || !told {
			t.Errorf("got %v after %d ends, told %v, want a crash after 3 that was told", c, ended, told)
		}
	}()
	all.run(2, func(l *lane) {
		if l.number == 1 {
			panic("oops")
		}
		mu.Lock()
		defer mu.Unlock()
		ended++
	})
}

// A keptBackend builds each package once.
type keptBackend struct {
	Machine
	mu    sync.Mutex
	progs map[string]*check.Code
	pkgs  []TestPackage
}

func (b *keptBackend) Build(ctx context.Context, o BuildOptions) (prog *check.Code, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if prog = b.progs[o.Patterns[0]]; prog == nil {
		prog, err = b.Machine.Build(ctx, o)
		b.progs[o.Patterns[0]] = prog
	}
	return prog, err
}

func (b *keptBackend) Tests(ctx context.Context, src Source) (list []TestPackage, err error) {
	if b.pkgs == nil {
		b.pkgs, err = b.Machine.Tests(ctx, src)
	}
	return b.pkgs, err
}

// TestInterruptedPackages interrupts the check of packages that are checked side by side at each moment at which it looks whether it was:
// no test with a fault is verified by that, and all packages are told.
func TestInterruptedPackages(t *testing.T) {
	t.Chdir(t.TempDir())
	text := strings.NewReplacer("package main", "package p", "func main() {", "func TestFault(t *testing.T) {", `"sync/atomic"`, `"sync/atomic"`+"\n\t\"testing\"").Replace(writtenLate)
	for name, data := range map[string]string{"go.mod": "module m\n\ngo 1.26\n", "a/p_test.go": text, "b/p_test.go": text, "c/p_test.go": text} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	backend := &keptBackend{progs: map[string]*check.Code{}}
	for at := int64(1); ; at += 1 + at/10 {
		var out, errs bytes.Buffer
		app := &App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Backend: backend, interruptAt: at}
		code := twice(t.Context(), app, []string{"test", "-p", "2", "./..."})
		got := out.String()
		if code != 1 && code != 3 || strings.Contains(got, "verified") || strings.Contains(got, "ok  ") {
			t.Fatalf("interrupted at poll %d: got exit %d, %s%s", at, code, got, errs.String())
		}
		for _, pkg := range []string{"m/a", "m/b", "m/c"} {
			if strings.Count(got, "FAIL\t"+pkg)+strings.Count(got, "inconclusive\t"+pkg) != 1 {
				t.Fatalf("interrupted at poll %d: got no line on %s in %s", at, pkg, got)
			}
		}
		if strings.Count(got, "--- FAIL: TestFault") == 3 && at > 1000 { // nearly all that is polled afterwards is the making of stories
			break
		}
	}
}
