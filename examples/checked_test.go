package examples

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// slow are examples whose search is not for each day, and always those that make test never leaves out.
var (
	slow   = map[string]bool{"jget/http/client": true}
	always = map[string]bool{"httprace/server": true}
)

// pinned are the programs with versions of packages that have a bug, and what is
// found.
var pinned = map[string]string{"limitlistener/stuck": "deadlock", "tftp/old/ack": "assert", "tftp/old/shutdown": "deadlock",
	"evio/shutdown": "deadlock"}

// TestChecked has heddle check the programs with a network against the peers that
// their heddle.yaml names: those in folders called buggy, and those with old versions
// of packages, have the finding that they should, and the others none. make test checks
// one in four, and those in always.
func TestChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	files, err := filepath.Glob("*/*/heddle.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*/*/*/heddle.yaml", "*/*/*/*/heddle.yaml"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	// Those need other modules and servers of Debian, and have a target of their own.
	files = slices.DeleteFunc(files, func(f string) bool { return strings.HasPrefix(filepath.ToSlash(f), "real/") })
	const want = 36
	if len(files) < want {
		t.Errorf("got %d files heddle.yaml, want %d at least", len(files), want)
	}
	for i, file := range files {
		dir := filepath.ToSlash(filepath.Dir(file))
		if slow[dir] || !testlong.On() && !always[dir] && (i%4 != 0 || dir == "alphabet/udp/client") { // that one takes half as long as the others together
			continue
		}
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			kind := networkedBugs[dir]
			if old := pinned[dir]; old != "" {
				kind = old
			}
			code, verdict := 0, "verified: every interleaving of "
			if kind != "" {
				code, verdict = 1, "violation: .: "+kind+"; "
			}
			var errs bytes.Buffer
			cmd := exec.CommandContext(t.Context(), "heddle", "check", "-answer", "10m", "-o", t.TempDir(), "-C", dir, ".")
			cmd.Stderr = &errs
			out, _ := cmd.Output()
			last := string(out[bytes.LastIndexByte(bytes.TrimSpace(out), '\n')+1:])
			if got := cmd.ProcessState.ExitCode(); got != code || !strings.HasPrefix(last, verdict) {
				t.Errorf("got exit code %d and %q, want %d and %q\n%s%s", got, last, code, verdict, out, errs.Bytes())
			}
		})
	}
}

// TestTFTPPanic: what else is found in github.com/pin/tftp/v3, in the new version, too.
func TestTFTPPanic(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	cmd := exec.CommandContext(t.Context(), "heddle", "check", "-panic", "-o", t.TempDir(), "-C", "tftp/new/ack", ".")
	out, _ := cmd.Output()
	if !bytes.Contains(out, []byte("panic: send on closed channel")) || !bytes.Contains(out, []byte("violation: .: panic; ")) {
		t.Errorf("got %s, want a send on a closed channel", out)
	}
}
