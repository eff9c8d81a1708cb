// Platforms has examples checked by a heddle for linux/arm64, under qemu-user, and by one for linux/amd64. Both have to say the same, byte for byte:
// what is printed, the exit code, and the files with traces.
//
//	examples ──► heddle for amd64, heddle for arm64 ──► output, exit code, traces ──► equal?
//
// The page that is made of it is docs/results/platforms.md.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// checked are the examples, without live peers: these cannot be looked at through qemu-user.
var checked = []string{
	"hello", "wordcount", "pipeline", "workers",
	"philosophers", "philosophers/buggy", "boundedbuffer", "boundedbuffer/buggy", "ksupipeline", "ksupipeline/buggy", "nestedmonitor", "nestedmonitor/buggy",
	"stagepipeline", "stagepipeline/buggy", "readerswriters", "readerswriters/buggy", "replicatedworkers", "replicatedworkers/buggy", "sleepingbarber", "sleepingbarber/buggy",
	"elevator", "elevator/buggy",
}

// ran are programs that are executed once: what is in assembly, numbers, and files.
var ran = []string{"assembly", "events", "files", "pipes"}

// limit is the time for one command, and states is how many are searched.
const (
	limit  = 10 * time.Minute
	states = "2000"
)

func main() {
	log.SetFlags(0)
	qemu := flag.String("qemu", "qemu-aarch64", "the `command` that executes programs for arm64, version 8 or later")
	page := flag.String("o", "", "write the page to this `file`")
	commit := flag.String("commit", "", "the `version` that the page names")
	flag.Parse()
	if err := all(*qemu, *page, *commit); err != nil {
		log.Fatal(err)
	}
}

// A heddle is one of the two.
type heddle struct {
	arch   string
	prefix []string // of the command
	dir    string   // for its files
}

func all(qemu, page, commit string) error {
	if runtime.GOOS+"/"+runtime.GOARCH != "linux/amd64" {
		return fmt.Errorf("this compares with linux/amd64, and runs there alone")
	}
	version, err := exec.Command(qemu, "--version").Output()
	if err != nil {
		return fmt.Errorf("%s: %w: install qemu-user, or say where it is", qemu, err)
	}
	tmp, err := os.MkdirTemp("", "heddle-platforms")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	both := []heddle{{arch: "amd64"}, {arch: "arm64", prefix: []string{qemu}}}
	for i := range both {
		h := &both[i]
		h.dir = filepath.Join(tmp, h.arch)
		bin := filepath.Join(h.dir, "heddle")
		build := exec.Command("go", "build", "-trimpath", "-o", bin, "./cmd/heddle")
		build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+h.arch)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("go build for %s: %w\n%s", h.arch, err, out)
		}
		h.prefix = append(h.prefix, bin)
	}
	var b strings.Builder
	line, _, _ := strings.Cut(string(version), "\n")
	fmt.Fprintf(&b, "# The examples on linux/arm64\n\n    $ make examples-arm64\n\nCommit %s, %s, %s.\n\n", commit, runtime.Version(), line)
	b.WriteString("A heddle for linux/arm64, executed by qemu-user, and one for linux/amd64 check the examples that need no live peers, up to 2,000 states, and run\n" +
		"some programs of `internal/native/testdata/run` once. *The same* are output, exit code and traces, byte for byte.\n\n" +
		"| command | result | the same |\n| --- | --- | --- |\n")
	different := 0
	for _, args := range commands() {
		first, err := both[0].run(args)
		if err != nil {
			return err
		}
		second, err := both[1].run(args)
		if err != nil {
			return err
		}
		word := "yes"
		if !bytes.Equal(first.all, second.all) {
			word, different = "**no**", different+1
			log.Printf("heddle %s: on amd64\n%s\non arm64\n%s", strings.Join(args, " "), first.all, second.all)
		}
		log.Printf("heddle %s: %s, the same: %s", strings.Join(args, " "), first.said, word)
		fmt.Fprintf(&b, "| `heddle %s` | %s | %s |\n", strings.Join(args, " "), first.said, word)
	}
	fmt.Fprintf(&b, "\n%d commands, %d of them with a difference.\n", len(commands()), different)
	if page != "" {
		if err := os.WriteFile(page, []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	if different > 0 {
		return fmt.Errorf("%d differences", different)
	}
	return nil
}

// commands are those that are compared.
func commands() (list [][]string) {
	for _, name := range checked {
		list = append(list, []string{"check", "-states", states, "./examples/" + name})
	}
	for _, name := range ran {
		list = append(list, []string{"run", "./internal/native/testdata/run/" + name})
	}
	return list
}

// A result is what has come of a command.
type result struct {
	said string // for the table
	all  []byte // all that is compared
}

// run executes a command. Its traces go into a folder of their own.
func (h *heddle) run(args []string) (result, error) {
	traces := filepath.Join(h.dir, "traces")
	if err := errors.Join(os.RemoveAll(traces), os.Mkdir(traces, 0o777)); err != nil {
		return result{}, err
	}
	line := append(append([]string{}, h.prefix...), args[0])
	if args[0] == "check" {
		line = append(line, "-o", traces)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, line[0], append(line[1:], args[1:]...)...)
	cmd.Env = append(os.Environ(), "HEDDLE_CACHE="+filepath.Join(h.dir, "cache"))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || ctx.Err() != nil {
		return result{}, fmt.Errorf("%s: %w %v\n%s", strings.Join(line, " "), err, ctx.Err(), errs.Bytes())
	}
	code := cmd.ProcessState.ExitCode()
	if code == 2 {
		return result{}, fmt.Errorf("%s: exit code 2\n%s", strings.Join(line, " "), errs.Bytes())
	}
	text := bytes.ReplaceAll(out.Bytes(), []byte(h.dir), []byte("DIR"))
	all := fmt.Appendf(nil, "exit code %d\n%s", code, text)
	err = filepath.WalkDir(traces, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		all = fmt.Appendf(all, "-- %s --\n%s\n", filepath.Base(name), content)
		return err
	})
	return result{said(code, string(text)), all}, err
}

// said is the last line of a check, without what follows the numbers, or the exit code of a run.
func said(code int, out string) string {
	lines := strings.Split(strings.TrimSpace(out), "\n")
	last := lines[len(lines)-1]
	word, rest, ok := strings.Cut(last, ": ")
	if !ok || word != "verified" && word != "violation" && word != "inconclusive" {
		return fmt.Sprintf("exit code %d, %d lines", code, len(lines))
	}
	_, rest, _ = strings.Cut(rest, ": ")
	rest, _, _ = strings.Cut(rest, ", depth")
	return word + ": " + rest
}
