// Command leaks kills heddle with SIGKILL at random moments of many runs, and looks
// whether a peer is left.
//
//	go run ./bench/leaks -runs 200 -o docs/results/leaks.md
//
// Each run has one end of a pipe open in heddle, in the keeper of its peers and in
// all processes of those. The other end is at its end when all of them are gone,
// whatever they have done to hide.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	runs := flag.Int("runs", 200, "number of runs")
	seed := flag.Uint64("seed", 1, "of the moments")
	out := flag.String("o", "", "write the table to this file")
	flag.Parse()
	text, err := measure(*runs, *seed)
	if err == nil && *out != "" {
		err = os.WriteFile(*out, []byte(text), 0o666)
	} else if err == nil {
		fmt.Print(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "leaks:", err)
		os.Exit(1)
	}
}

// A kind is a way to have peers.
type kind struct {
	name, what string
	args       []string // of heddle check; BIN is where the programs are

	runs, began, most int
	late              time.Duration // the longest time until all were gone
	start             time.Duration // how long it took until peers were started, the last time
}

func kinds() []*kind {
	return []*kind{
		{name: "server", what: "a server, a Go program",
			args: []string{"-server", "BIN/server -addr {addr} -n 0", "./examples/alphabet/client", "--", "-n", "3", "-m", "5"}},
		{name: "family", what: "a server with children and grandchildren that sleep",
			args: []string{"-server", "sleep 1000 & (sleep 1000 & sleep 1000) & exec BIN/server -addr {addr} -n 0", "./examples/alphabet/client", "--", "-n", "3", "-m", "5"}},
		{name: "escape", what: "a server that starts processes in sessions of their own, without its environment",
			args: []string{"-server", "setsid sleep 1000 & env -i setsid nohup sleep 1000 >/dev/null & exec BIN/server -addr {addr} -n 0", "./examples/alphabet/client", "--", "-n", "3", "-m", "5"}},
		{name: "clients", what: "three clients, which are launched again and again",
			args: []string{"-cache", "process", "-client", "BIN/client -addr {addr} -n 1 -m 5", "-client", "BIN/client -addr {addr} -n 1 -m 5",
				"-client", "BIN/client -addr {addr} -n 1 -m 5", "./examples/alphabet/server", "--", "-n", "3", "-m", "5"}},
	}
}

// search is how long the search goes on, at the longest, before it is killed.
const search = 700 * time.Millisecond

// measure makes the runs and returns the table. An error says what is left.
func measure(runs int, seed uint64) (string, error) {
	bin, err := os.MkdirTemp("", "leaks")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(bin)
	root, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", err
	}
	dir := filepath.Dir(strings.TrimSpace(string(root)))
	for name, pkg := range map[string]string{"heddle": "./cmd/heddle", "server": "./examples/alphabet/server", "client": "./examples/alphabet/client"} {
		build := exec.Command("go", "build", "-o", filepath.Join(bin, name), pkg)
		build.Dir, build.Stderr = dir, os.Stderr
		if err := build.Run(); err != nil {
			return "", fmt.Errorf("%s: %w", pkg, err)
		}
	}
	rnd := rand.New(rand.NewPCG(seed, 0))
	list := kinds()
	for i := range runs {
		k := list[i%len(list)]
		if err := k.run(dir, bin, rnd); err != nil {
			return "", fmt.Errorf("run %d (%s): %w", i+1, k.name, err)
		}
	}
	return table(list, runs), nil
}

// await waits until heddle has started its keeper, and some more, or not so long:
// every fourth run is killed at any moment before.
func (k *kind) await(r *os.File, rnd *rand.Rand) {
	if rnd.IntN(4) == 0 {
		time.Sleep(time.Duration(rnd.Int64N(int64(k.start) + 1)))
		return
	}
	began := time.Now()
	for time.Since(began) < time.Minute && !slices.ContainsFunc(holders(r), isKeeper) {
		time.Sleep(2 * time.Millisecond)
	}
	k.start = time.Since(began)
	time.Sleep(time.Duration(rnd.Int64N(int64(search))))
}

// run makes one run, kills it after a time, and waits until all are gone.
func (k *kind) run(dir, bin string, rnd *rand.Rand) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	args := []string{"check", "-reduce=false", "-o", filepath.Join(bin, "out"), "-timeout", "60s"}
	for _, a := range k.args {
		args = append(args, strings.ReplaceAll(a, "BIN", bin))
	}
	cmd := exec.Command(filepath.Join(bin, "heddle"), args...)
	cmd.Dir, cmd.ExtraFiles = dir, []*os.File{w, w} // the keeper has a use of its own for the first
	err = cmd.Start()
	w.Close()
	if err != nil {
		return err
	}
	k.await(r, rnd)
	held := holders(r)
	n := len(held) - 1 // without this one
	k.runs++
	if n > 2 && slices.ContainsFunc(held, isKeeper) {
		k.began++
	}
	k.most = max(k.most, n)
	cmd.Process.Kill()
	killed := time.Now()
	cmd.Wait()
	r.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		return fmt.Errorf("10 s after the end there are still %s", strings.Join(holders(r), ", "))
	}
	k.late = max(k.late, time.Since(killed))
	return nil
}

// isKeeper recognises the command line of the process that keeps peers.
func isKeeper(cmd string) bool { return strings.Contains(cmd, "keep") }

// holders names the processes that have one end of a pipe.
func holders(r *os.File) []string {
	conn, err := r.SyscallConn()
	if err != nil {
		return nil
	}
	var pipe string
	conn.Control(func(fd uintptr) { pipe, _ = os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd)) })
	var list []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range procs {
		fds, _ := filepath.Glob(p + "/fd/*")
		for _, fd := range fds {
			if to, _ := os.Readlink(fd); to == pipe {
				cmd, _ := os.ReadFile(p + "/cmdline")
				list = append(list, string(bytes.ReplaceAll(bytes.TrimRight(cmd, "\x00"), []byte{0}, []byte(" "))))
				break
			}
		}
	}
	return list
}

func table(list []*kind, runs int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Nothing leaks

    $ make leaks

Heddle is killed with SIGKILL at random moments of %[2]d runs: up to %[1]v after it has started the keeper of its peers, or
at any moment before that. Then all of its processes and all of its peers' processes must be gone: one end of a pipe is
open in each of them, and the other must be at its end within 10 s. If a process is left, the command fails and names it.
In all runs, none was.

| peers | runs | killed while peers ran | processes at that moment, at most | all gone after, at most |
| --- | --- | --- | --- | --- |
`, search, runs)
	for _, k := range list {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %v |\n", k.what, k.runs, k.began, k.most, k.late.Round(time.Millisecond))
	}
	b.WriteString("\nProcesses are Heddle itself, the keeper of its peers, and those of the peers.\n")
	return b.String()
}
