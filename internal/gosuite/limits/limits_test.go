package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/cli"
	"github.com/heddle-mc/heddle/internal/limit"
)

// generous is how long an answer may take on a machine that does other things besides.
const generous = 30 * time.Second

// some are checked in make test: each is slow in another way.
var some = []string{"deepmutex", "largestate", "longstep", "longinit", "sum1000000000", "fib32", "counters9", "handshakes10"}

// slowOnes returns them in a folder, which is the working directory from now on.
func slowOnes(t *testing.T) (list []slow) {
	t.Helper()
	for _, s := range all() {
		if slices.Contains(some, s.name) {
			list = append(list, s)
		}
	}
	if len(list) != len(some) {
		t.Fatalf("got %d of %d", len(list), len(some))
	}
	dir := t.TempDir()
	if err := write(dir, list); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	return list
}

// heddle runs the command in this process.
func heddle(args ...string) (code int, out string) {
	var b bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &b, Stderr: &b, Backend: cli.Machine{}}
	code = app.Main(context.Background(), args)
	return code, b.String()
}

// stopped looks at an answer that was asked for at a moment.
func stopped(t *testing.T, asked time.Time, code int, out, why string) {
	t.Helper()
	if code != 3 || !strings.Contains(out, "inconclusive: ") || !strings.Contains(out, why) {
		t.Errorf("got exit code %d, want 3 because of %q:\n%s", code, why, out)
	}
	if d := time.Since(asked); d > generous {
		t.Errorf("the answer came after %v", d)
	}
}

// TestMemory looks at what this process takes. It comes first: what others were doing when they were left alone may go on.
func TestMemory(t *testing.T) {
	slowOnes(t)
	mem := limit.Resident() + 300e6
	most, over := int64(0), make(chan bool)
	go func() {
		for {
			select {
			case <-over:
				over <- true
				return
			case <-time.After(2 * time.Millisecond):
				most = max(most, limit.Resident())
			}
		}
	}()
	code, out := heddle("check", "-mem", fmt.Sprint(mem), "-timeout", "5m", "./deepmutex")
	over <- true
	<-over
	stopped(t, time.Now(), code, out, fmt.Sprintf("limit of %d bytes", mem))
	if float64(most) > tolerance*float64(mem) {
		t.Errorf("the process has taken %d MB, the limit is %d MB", most/1e6, mem/1e6)
	}
}

func TestTimeout(t *testing.T) {
	for _, s := range slowOnes(t) {
		t.Run(s.name, func(t *testing.T) {
			code, out := heddle("check", "-timeout", "300ms", s.file())
			stopped(t, time.Now().Add(-300*time.Millisecond), code, out, "limit of 300 ms")
		})
	}
}

func TestInterrupt(t *testing.T) {
	// A signal that comes before the command waits for it, or when it does not any more, is ours.
	own := make(chan os.Signal, 1)
	signal.Notify(own, os.Interrupt)
	defer signal.Stop(own)
	for i, s := range slowOnes(t) {
		t.Run(s.name, func(t *testing.T) {
			var asked time.Time
			var stop = make(chan bool)
			go func() {
				time.Sleep(time.Duration(i%3+1) * 200 * time.Millisecond)
				asked = time.Now()
				for { // until it was heard: the first one may have come too early
					syscall.Kill(os.Getpid(), syscall.SIGINT)
					select {
					case <-stop:
						stop <- true
						return
					case <-time.After(time.Second):
					}
				}
			}()
			code, out := heddle("check", s.file())
			stop <- true
			<-stop
			stopped(t, asked, code, out, "interrupted")
		})
	}
}
