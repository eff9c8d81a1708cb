package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/cli"
)

// A runner runs the command.
type runner struct {
	states string
	dir    string
}

// A report is what is read of what check tells with -json.
type report struct {
	Findings []struct{ Kind, Message, Replay string }
	Targets  []struct {
		More int64 `json:"more_findings"`
	}
}

// program checks a program in each way, and replays what is found.
func (r *runner) program(p program) (*row, error) {
	if p.text != "" {
		file := filepath.Join(r.dir, "main.go")
		if err := os.WriteFile(file, []byte(p.text), 0o666); err != nil {
			return nil, err
		}
		p.args = []string{file}
	}
	backend := &builder{}
	res := &row{Kind: p.kind, Name: p.name, Ways: make([]tally, len(ways))}
	for i, w := range ways {
		if p.model && !w.model {
			continue
		}
		t := &res.Ways[i]
		wrong := func(format string, args ...any) {
			res.Wrong = append(res.Wrong, w.name+": "+fmt.Sprintf(format, args...))
		}
		t.Searched = true
		folder := filepath.Join(r.dir, "out")
		if err := os.RemoveAll(folder); err != nil {
			return nil, err
		}
		args := append([]string{"check", "-json", "-states", r.states, "-o", folder}, w.flags...)
		code, out, errs := run(backend, append(args, p.args...))
		var told report
		if err := json.Unmarshal([]byte(out), &told); err != nil || code == 2 || code == 4 || (code == 1) != (len(told.Findings) > 0) {
			wrong("check ends with exit code %d and %d findings: %v %s", code, len(told.Findings), err, errs)
			continue
		}
		t.Findings = len(told.Findings)
		for _, target := range told.Targets {
			t.More += target.More
		}
		for _, f := range told.Findings {
			words := strings.Fields(f.Replay) // a folder of ours has no spaces
			if len(words) == 0 {
				wrong("%s: %s: there is no command to replay it", f.Kind, f.Message)
				continue
			}
			if code, out, errs := run(backend, words[1:]); code == 1 {
				t.Replayed++
			} else {
				wrong("%s: %s: replay ends with exit code %d: %s%s", f.Kind, f.Message, code, last(out), errs)
			}
		}
	}
	runtime.GC()
	return res, nil
}

// last is the last line of a text.
func last(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:] + "\n"
}

// run runs the command.
func run(b *builder, args []string) (code int, out, errs string) {
	var o, e bytes.Buffer
	app := &cli.App{Stdin: strings.NewReader(""), Stdout: &o, Stderr: &e, Backend: b}
	code = app.Main(context.Background(), args)
	return code, o.String(), e.String()
}

// A builder builds one program once.
type builder struct {
	cli.Machine
	prog *check.Code
	pkgs []cli.TestPackage
}

func (b *builder) Build(ctx context.Context, o cli.BuildOptions) (_ *check.Code, err error) {
	if b.prog == nil {
		b.prog, err = b.Machine.Build(ctx, o)
	}
	return b.prog, err
}

func (b *builder) Tests(ctx context.Context, src cli.Source) (_ []cli.TestPackage, err error) {
	if b.pkgs == nil {
		b.pkgs, err = b.Machine.Tests(ctx, src)
	}
	return b.pkgs, err
}
