package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line Line
		want string // begins with
	}{
		{goLine("go1.26.8\n/usr/local/go\n", nil, "go1.26.1"), "ok    go      go1.26.8 in /usr/local/go"},
		{goLine("go1.25.3\n/go\n", nil, "go1.26.1"), "ok    go      go1.25.3 in /go"},
		{goLine("go1.27\n/go\n", nil, "go1.26.1"), "warn  go      go1.27 is newer than go1.26.1, which heddle was built with: build heddle with it"},
		{goLine("", exec.ErrNotFound, "go1.26.1"), "warn  go      there is no go command in $PATH: install Go"},
		{goLine("", errors.New("exit status 1"), "go1.26.1"), "warn  go      the go command does not work: go env says exit status 1"},
		{hostLine("linux", "amd64"), "ok    host    linux/amd64"},
		{hostLine("darwin", "arm64"), "ok    host    darwin/arm64; programs are checked as on linux/amd64"},
		{hostLine("plan9", "arm"), "warn  host    plan9/arm: "},
		{cacheLine(filepath.Join(t.TempDir(), "new", "folder")), "ok    cache   /"},
		{cacheLine(file), "warn  cache   "},
		{cacheLine(""), "warn  cache   there is no folder"},
		{memoryLine("MemTotal: 9 kB\nMemAvailable:    8000000 kB\n", "max\n"), "ok    memory  8.2 GB are free"},
		{memoryLine("MemAvailable:    8000000 kB\n", "1000000000\n"), "warn  memory  1.0 GB are free, and a large search takes more: give -mem"},
		{memoryLine("MemAvailable:    500000 kB\n", ""), "warn  memory  0.5 GB"},
		{memoryLine("", ""), "ok    memory  not known"},
	} {
		if got := c.line.String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestTrial: a program that cannot be checked, and one whose writes are not held back, are told.
func TestTrial(t *testing.T) {
	for _, c := range []struct {
		trial func(ctx context.Context, dir string) error
		want  string
	}{
		{func(_ context.Context, dir string) error {
			_, err := os.Stat(filepath.Join(dir, "main.go"))
			return err
		}, "ok    check   a small program was built and verified"},
		{func(context.Context, string) error { return errors.New("no\nstandard library") }, "warn  check   a small program cannot be checked: no standard library"},
		{func(_ context.Context, dir string) error {
			return os.WriteFile(filepath.Join(dir, "written"), nil, 0o666)
		}, "warn  check   a program under check has written a file of this machine"},
	} {
		p := &Patient{Trial: c.trial}
		if got := p.trialLine(context.Background()).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
