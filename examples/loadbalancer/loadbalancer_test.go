package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// build builds packages of this folder and returns where the binaries are. They are
// ended with the test.
func build(t *testing.T, packages ...string) (context.Context, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	t.Cleanup(cancel)
	bin := t.TempDir()
	args := append([]string{"build", "-ldflags=-s -w", "-o", bin + string(filepath.Separator)}, packages...)
	if out, err := exec.CommandContext(ctx, "go", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return ctx, bin
}

// say runs a program to its end and returns what it prints.
func say(t *testing.T, ctx context.Context, name string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// TestNative runs the load balancer with its clients and processors as programs of
// their own.
func TestNative(t *testing.T) {
	ctx, bin := build(t, ".", "./client", "./processor")
	balancer := exec.CommandContext(ctx, filepath.Join(bin, "loadbalancer"),
		"-clients", "127.0.0.1:0", "-processors", "127.0.0.1:0", "-n", "2")
	stdout, err := balancer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	balancer.Stderr = &errs
	if err := balancer.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(stdout)
	in.Scan()
	clients, processors, ok := strings.Cut(strings.TrimPrefix(in.Text(), "listening on "), " for clients, ")
	if !ok {
		t.Fatalf("got %q, want where it listens", in.Text())
	}
	processors = strings.TrimSuffix(processors, " for processors")

	processor := make(chan string)
	go func() {
		processor <- say(t, ctx, filepath.Join(bin, "processor"), "-addr", processors, "-n", "1")
	}()
	client := filepath.Join(bin, "client")
	if got, want := say(t, ctx, client, "-addr", clients, "-print", "bill", "-answer", "Ann"), "bill for Ann\n"; got != want {
		t.Errorf("client: got %q, want %q", got, want)
	}
	if got, want := <-processor, "bill done\n"; got != want {
		t.Errorf("processor: got %q, want %q", got, want)
	}
	// This is figure 5: the processor is told that its client has gone.
	go func() {
		processor <- say(t, ctx, filepath.Join(bin, "processor"), "-addr", processors, "-n", "0")
	}()
	if got, want := say(t, ctx, client, "-addr", clients, "-answer", ""), "no answer\n"; got != want {
		t.Errorf("client: got %q, want %q", got, want)
	}
	// There are no more clients, so there is no more work.
	if got, want := <-processor, "letter lost\n"; got != want {
		t.Errorf("processor: got %q, want %q", got, want)
	}
	if err := balancer.Wait(); err != nil {
		t.Errorf("balancer: %v\n%s", err, errs.Bytes())
	}
}

// declared returns file and line of a property.
func declared(t *testing.T, name string) string {
	t.Helper()
	const file = "session/properties.go"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, ok := strings.Cut(string(text), ") "+name+"() bool {")
	if !ok {
		t.Fatalf("%s: got no %s", file, name)
	}
	return fmt.Sprintf("%s:%d", file, 1+strings.Count(before, "\n"))
}

// TestModel has heddle check the model by actions and by formulas, without issues and
// with one; make test does so once by each, without and with. The six issues of the model are tested in
// bench/paper001.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for i, issue := range []string{"0", "4"} {
		model := t.TempDir()
		if err := os.CopyFS(model, os.DirFS("model")); err != nil {
			t.Fatal(err)
		}
		settings := filepath.Join(model, "settings.mcrl2")
		text, err := os.ReadFile(settings)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.Replace(text, []byte("issue = 0;"), []byte("issue = "+issue+";"), 1)
		if err := os.WriteFile(settings, text, 0o666); err != nil {
			t.Fatal(err)
		}
		all := []string{"-action _error", "-formula deadlock.mcf", "-deadlock", "-formula errors.mcf"}
		for _, flags := range testlong.Or(all[i:i+1], all) {
			args := append([]string{"check", "-o", t.TempDir()}, strings.Fields(flags)...)
			cmd := exec.CommandContext(t.Context(), "heddle", append(args, "balancer.mcrl2")...)
			cmd.Dir = model
			out, _ := cmd.CombinedOutput()
			// After an error the model goes no further, so it has a deadlock, too.
			want := 0
			if issue != "0" {
				want = 1
			}
			if got := cmd.ProcessState.ExitCode(); got != want {
				t.Errorf("issue %s, %s: got exit code %d, want %d\n%s", issue, flags, got, want, out)
			}
		}
	}
}

// TestIssues has heddle check the program: each issue is found as what it is, and
// nothing is found without one. make test checks one of the issues.
func TestIssues(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	partners := declared(t, "partnersAgree") + ": invariant: "
	sleepers := declared(t, "sleepersHavePartners") + ": invariant: "
	tests := []struct {
		args  string
		want  string   // in the first line
		story []string // in other lines, in this order
	}{
		{"-issue 1 -nc 2 -rounds 2 -does done,work", partners, []string{`write "done\n"`, `write "work\n"`}},
		{"-issue 2 -does ask", sleepers, []string{`write "ask\n"`, `write "question `, `write "quit\n"`}},
		{"-issue 3 -does ask", sleepers, []string{`write "ask\n"`, `write "question `, "end of file from"}},
		{"-issue 4 -does ask", "critical: disconnect: illegal state switch from transaction of connection 1",
			[]string{`read "print a\n"`, "select: send on i.pending"}},
		{"-issue 5 -rounds 0", "critical: wake up: illegal state switch from break of connection 2",
			[]string{`write "work\n"`, "end of file from"}},
		{"-issue 6 -rounds 3 -does done", "3 requests wait, want at most 2", []string{`write "done\n"`, `write "done\n"`, `write "done\n"`}},
		{"-rounds 0", "verified: every interleaving of ", nil},
		{"-does ask", "verified: every interleaving of ", nil},
	}
	for _, test := range tests {
		if !testlong.On() && test.args != "-issue 4 -does ask" && test.args != "-rounds 0" {
			continue
		}
		t.Run(strings.ReplaceAll(test.args, " ", ""), func(t *testing.T) {
			t.Parallel()
			args := append([]string{"check", "-v", "-o", t.TempDir(), ".", "--"}, strings.Fields(test.args)...)
			cmd := exec.CommandContext(t.Context(), "heddle", args...)
			out, _ := cmd.Output()
			first, rest, _ := strings.Cut(string(out), "\n")
			code := 1
			if test.story == nil {
				code = 0
			}
			if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(first, test.want) {
				t.Fatalf("got exit code %d and\n%swant %d and %q", got, out, code, test.want)
			}
			for _, part := range test.story {
				_, after, ok := strings.Cut(rest, part)
				if !ok {
					t.Fatalf("got no %s where it was wanted in\n%s", part, out)
				}
				rest = after
			}
		})
	}
}

// TestConform holds the program against the model: it does nothing else, unless one
// of the issues is in it. It then differs where the mistake is, which takes longer to
// tell and is left to make test-long.
func TestConform(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for args, want := range map[string]string{
		"-rounds 0":           "verified: ",
		"-does done -issue 1": "difference: the program does setState(_, 2, SOCK_READING, none), the model allows setPartner(processors, 1, 0)\n",
		"-rounds 0 -issue 5":  "difference: the program does _error(CriticalLog), the model allows setState(processors, 2, SOCK_FREE, none)\n",
	} {
		if !testlong.On() && strings.Contains(args, "-issue") {
			continue
		}
		flags := []string{"conform", "-search", "dfs", "-o", t.TempDir(), ".", "model/balancer.mcrl2", "-map", "model/map.yaml", "--", "-n", "0"}
		cmd := exec.CommandContext(t.Context(), "heddle", append(flags, strings.Fields(args)...)...)
		out, _ := cmd.Output()
		code := 1
		if want == "verified: " {
			code = 0
		}
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(string(out), want) {
			t.Errorf("%s: got exit code %d and\n%swant %d and %q", args, got, out, code, want)
		}
	}
}
