package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/natsqueue"
)

// certified is a program with a timer, with a variable of its own that is written while it is
// searched, and with a call of its own on a number that package os keeps.
const certified = `package main

import (
	"os"
	"sync"
	"syscall"
	"time"
)

var total int

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var other sync.Mutex
	for range 2 {
		wg.Add(1)
		go func() {
			other.Lock()
			other.Unlock()
			wg.Done()
		}()
	}
	done := make(chan bool)
	for i := range 2 {
		go func() {
			mu.Lock()
			total += i
			mu.Unlock()
			select {
			case done <- true:
			case <-time.After(time.Second):
				done <- false
			}
		}()
	}
	<-done
	<-done
	wg.Wait()
	if r, w, err := os.Pipe(); err == nil {
		w.Write([]byte{1})
		syscall.Read(int(r.Fd()), make([]byte, 1))
	}
}
`

// runHeddle runs the command line.
func runHeddle(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	share()
	app := &App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Backend: Machine{}, Queue: natsqueue.Service{}}
	code = twice(context.Background(), app, args)
	return code, out.String(), errs.String()
}

// rewrite copies a certificate with another header. All else is in order.
func rewrite(t *testing.T, data []byte, edit func(h *cert.Header)) []byte {
	t.Helper()
	return rewriteAll(t, data, edit, nil)
}

// rewriteAll copies a certificate with another header and other traffic.
func rewriteAll(t *testing.T, data []byte, edit func(h *cert.Header), traffic []byte) []byte {
	t.Helper()
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	edit(&c.Header)
	out, err := cert.Reseal(data, c.Header, traffic)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// set gives a setting a value, or removes it.
func set(name, value string) func(h *cert.Header) {
	return func(h *cert.Header) {
		h.Settings = slices.DeleteFunc(h.Settings, func(p cert.Pair) bool { return p.Name == name })
		if value != "-" {
			h.Settings = append(h.Settings, cert.Pair{Name: name, Value: value})
		}
	}
}

// TestEditedSettings: a certificate whose settings were edited is refused, with a
// reason.
func TestEditedSettings(t *testing.T) {
	dir := t.TempDir()
	program, file := filepath.Join(dir, "main.go"), filepath.Join(dir, "c.heddle")
	if err := os.WriteFile(program, []byte(certified), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, stdout, stderr := runHeddle("check", "-cert", file, program); code != 0 {
		t.Fatalf("got exit %d, %q, %q", code, stdout, stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		edit func(h *cert.Header)
		want string // "" if it is accepted
	}{
		{"nothing", func(*cert.Header) {}, ""},
		{"another target", func(h *cert.Header) { h.Target = "x" }, ""},
		{"reduction", func(h *cert.Header) { h.Reduce = false }, "false claim|called new|does not exist|omitted|another name"},
		{"timers", set("late", "inf"), "late is inf, claimed is 100ms"},
		{"no lateness", set("late", "sometimes"), "say 100ms, 0 or inf"},
		{"the clock stands still", set("assume", `{"clock":false,"written":[]}`), "its reduction assumes|omitted|does not exist|false claim|called new"},
		{"assumptions that are none", set("assume", `{"clock":1}`), "setting assume"},
		{"no assumptions", set("assume", "-"), "setting assume is missing"},
		{"another view", set("views", "receipts,waitsbefore,ordered,kept"), "its reduction assumes|omitted|does not exist|false claim|called new"},
		{"a view that is none", set("views", "fine"), "is not known"},
		{"no package", set("packages", "-"), "which package"},
		{"an unknown setting", set("colour", "red"), "unknown setting"},
		{"a setting twice", func(h *cert.Header) { h.Settings = append(h.Settings, h.Settings[0]) }, "twice"},
		{"another program", func(h *cert.Header) { h.Program[0].Value = "0" }, "another program"},
		{"the ways only", func(h *cert.Header) { h.Tool = "x"; set("test", "TestX")(h) }, "about a test"},
	} {
		edited := filepath.Join(dir, "edited.heddle")
		if err := os.WriteFile(edited, rewrite(t, data, test.edit), 0o666); err != nil {
			t.Fatal(err)
		}
		code, stdout, stderr := runHeddle("certify", edited, program)
		if test.want == "" {
			if code != 0 {
				t.Errorf("%s: got exit %d, %q, %q, want it certified", test.name, code, stdout, stderr)
			}
			continue
		}
		if code != 1 || !strings.HasPrefix(stdout, "refused: ") || !regexp.MustCompile(test.want).MatchString(stdout) {
			t.Errorf("%s: got exit %d, %q, %q, want it refused: %s", test.name, code, stdout, stderr, test.want)
		}
	}
}
