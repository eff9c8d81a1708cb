package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/heddle-mc/heddle/internal/gosuite/runcmd"
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
	var c runcmd.Command
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
		code, out, errs := c.Run(append(args, p.args...)...)
		var told report
		if err := json.Unmarshal([]byte(out), &told); err != nil || code == 2 || code == 4 || (code == 1) != (len(told.Findings) > 0) {
			wrong("check ends with exit code %d and %d findings: %v %s", code, len(told.Findings), err, errs)
			continue
		}
		t.Findings, t.Verified = len(told.Findings), code == 0
		for _, target := range told.Targets {
			t.More += target.More
		}
		for _, f := range told.Findings {
			words := strings.Fields(f.Replay) // a folder of ours has no spaces
			if len(words) == 0 {
				wrong("%s: %s: there is no command to replay it", f.Kind, f.Message)
				continue
			}
			if code, out, errs := c.Run(words[1:]...); code == 1 {
				t.Replayed++
			} else {
				wrong("%s: %s: replay ends with exit code %d: %s%s", f.Kind, f.Message, code, last(out), errs)
			}
		}
	}
	res.Wrong = append(res.Wrong, contradiction(res.Ways)...)
	runtime.GC()
	return res, nil
}

// last is the last line of a text.
func last(text string) string {
	text = strings.TrimRight(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:] + "\n"
}

// contradiction says which ways verify a program in which others find something.
func contradiction(tallies []tally) []string {
	var verify, find []string
	for i, t := range tallies {
		switch {
		case t.Verified:
			verify = append(verify, ways[i].name)
		case t.Findings > 0:
			find = append(find, ways[i].name)
		}
	}
	if len(verify) == 0 || len(find) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("verified by %s, and not by %s", strings.Join(verify, ", "), strings.Join(find, ", "))}
}
