package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestHandOver: a heddle without a queue becomes the heddle-nats beside it for what
// needs a queue, and does all else itself.
func TestHandOver(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "heddle-alone"), binary, 0o777); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, otherCommand)
	if err := os.WriteFile(other, []byte("#!/bin/sh\necho $HEDDLE_HANDED_OVER: $*\nexit 3\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args string
		code int
		want string
	}{
		{"worker -nats a b", 3, version() + ": worker -nats a b\n"},
		{"certify -distribute c ./p", 3, version() + ": certify -distribute c ./p\n"},
		{"certify c ./p -distribute=true", 3, version() + ": certify c ./p -distribute=true\n"},
		{"check -distribute -swarm 3 m.mcrl2", 3, version() + ": check -distribute -swarm 3 m.mcrl2\n"},
		{"worker -nonsense", 2, "heddle worker: flag provided but not defined: -nonsense\n"},
		{"certify -distribute=false -workers 0 c ./p", 2, "heddle certify: -workers 0: at least one is needed\n"},
		{"version", 0, versionLine() + "\n"},
	} {
		out, err := exec.Command(filepath.Join(dir, "heddle-alone"), strings.Fields(test.args)...).CombinedOutput()
		code := 0
		if e := (*exec.ExitError)(nil); errors.As(err, &e) {
			code = e.ExitCode()
		}
		if code != test.code || !strings.HasPrefix(string(out), test.want) {
			t.Errorf("%s: got exit %d, %q, want exit %d, %q", test.args, code, out, test.code, test.want)
		}
	}
	if err := os.WriteFile(other+"2", binary, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other+"2", other); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(dir, "heddle-alone"), "worker").CombinedOutput()
	if want := "heddle worker: -join: give the text that the coordinator prints, or -nats and the address of a server\n"; string(out) != want {
		t.Errorf("got %v, %q, want %q", err, out, want)
	}
	// The other command says which heddle it belongs to.
	cmd := exec.Command(other, "worker")
	cmd.Env = append(os.Environ(), handedOver+"=v1.2.3")
	out, _ = cmd.CombinedOutput()
	want := "heddle worker: heddle is of version v1.2.3, and this heddle-nats of " + version() + ": type go install github.com/heddle-mc/heddle/cmd/heddle-nats@v1.2.3\n"
	if string(out) != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// TestFinder: the other command is looked for beside this one, in its sources, and in
// PATH, and who has none is told what to type.
func TestFinder(t *testing.T) {
	beside, path, empty := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{beside, path} {
		if err := os.WriteFile(filepath.Join(dir, otherCommand), nil, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(empty, otherCommand), nil, 0o666); err != nil { // no program
		t.Fatal(err)
	}
	build := func(root string) (string, error) { return "", errors.New("built in " + root) }
	for _, test := range []struct {
		finder finder
		path   string
		want   string
		same   bool
		err    string
	}{
		{finder: finder{folder: beside, sources: "src", build: build}, path: path, want: filepath.Join(beside, otherCommand)},
		{finder: finder{folder: empty, sources: "src", build: build}, path: path, same: true, err: "built in src"},
		{finder: finder{folder: empty}, path: path, want: filepath.Join(path, otherCommand)},
		{finder: finder{folder: empty}, path: empty, err: "the message server is in a command of its own, heddle-nats, which is neither beside this one nor in PATH: in the sources of this heddle, type go install ./cmd/heddle ./cmd/heddle-nats"},
	} {
		t.Setenv("PATH", test.path)
		name, same, err := test.finder.find()
		text := ""
		if err != nil {
			text = err.Error()
		}
		if name != test.want || same != test.same || text != test.err {
			t.Errorf("got %q, %v, %q, want %q, %v, %q", name, same, text, test.want, test.same, test.err)
		}
	}
	if got, want := installOther("v1.2.3"), "type go install github.com/heddle-mc/heddle/cmd/heddle-nats@v1.2.3"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
