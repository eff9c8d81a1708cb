package cli

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/trace"
)

// testMessage returns what a failing test has logged. It is output and no part of
// the state, so the steps are taken once more to see it.
func (c *checker) testMessage(t *target, s execute.Settings, tr *trace.Trace) (string, error) {
	var out bytes.Buffer
	p := t.process
	p.Stdout = &out
	sys, err := t.prog.NewSystem(p, s, c.root)
	if err != nil {
		return "", err
	}
	if closer, ok := sys.(io.Closer); ok {
		defer closer.Close()
	}
	for _, step := range tr.Path {
		sys.Take(step)
	}
	return logged(out.String(), tr.Finding.Pos, tr.Finding.Message), nil
}

// logged returns the last message in the output of a test that was logged at a
// place, or what else is said of it. Further lines of a message are indented.
func logged(output string, at diag.Pos, otherwise string) string {
	const indent = "    "
	mark := fmt.Sprintf("%s:%d: ", path.Base(at.File), at.Line)
	message, in := "", false
	for line := range strings.Lines(output) {
		line = strings.TrimSuffix(line, "\n")
		if text, ok := strings.CutPrefix(strings.TrimLeft(line, " "), mark); ok {
			message, in = text, true
		} else if in = in && strings.HasPrefix(line, indent+indent); in {
			message += "; " + strings.TrimSpace(line)
		}
	}
	if message == "" {
		return otherwise
	}
	return message
}
