package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
)

// commandLine is the path of the package that consists of named files.
const commandLine = "command-line-arguments"

// noTests is the line by which a test binary says that it ran nothing.
const noTests = "\ntesting: warning: no tests to run\n"

// runOne runs the tests of one package and prints what go test prints: the
// output of the test binary if a test failed or -v is set, and a line with the
// result. It returns an error only for a defect of ours.
func (t *tester) runOne(ctx context.Context, pkg TestPackage) (code int, err error) {
	out, done, err := t.output(ctx, pkg)
	if err != nil {
		return 0, err
	}
	defer func() {
		if derr := done(); err == nil {
			err = derr
		}
	}()
	if pkg.Err != nil {
		fmt.Fprintf(t.app.Stderr, "# %s\n%v\n", pkg.Path, pkg.Err)
		fmt.Fprintf(out, "FAIL\t%s [setup failed]\n", pkg.Path)
		return diag.ExitCode(pkg.Err), nil
	}
	if !pkg.Tests {
		fmt.Fprintf(out, "?   \t%s\t[no test files]\n", pkg.Path)
		return diag.ExitOK, nil
	}

	// A passing package shows its output with -v only, so it is held back.
	var held bytes.Buffer
	var stream io.Writer = &held
	shown := t.verbose || t.json
	if shown {
		stream = io.MultiWriter(out, &held)
	}
	o := TestOptions{Source: t.src, WorkDir: pkg.Dir, Args: t.args, Seed: t.seed, Stdout: stream, Stderr: stream}
	if pkg.Path != commandLine {
		o.Patterns = []string{pkg.Path}
	}
	start := time.Now()
	exit, err := t.app.Backend.Test(ctx, o)
	elapsed := fmt.Sprintf("%.3fs", time.Since(start).Seconds())
	if err != nil {
		if code = diag.ExitCode(err); code == diag.ExitBug {
			return 0, err
		}
	}
	if !shown && (exit != 0 || err != nil) {
		out.Write(held.Bytes())
	}
	if n := held.Len(); n > 0 && held.Bytes()[n-1] != '\n' && (shown || exit != 0 || err != nil) {
		io.WriteString(out, "\n") // the result gets a line of its own
	}
	// The converter to JSON takes the line for output of a test that has not
	// ended, and the package for passed, unless it is marked.
	mark := ""
	if t.json {
		mark = "\x16"
	}
	switch {
	case err != nil:
		fmt.Fprintf(t.app.Stderr, "# %s\n%v\n", pkg.Path, err)
		reason := "[build failed]"
		if code == diag.ExitIncomplete {
			reason = "[not run to the end]"
		}
		fmt.Fprintf(out, "%sFAIL\t%s %s\n", mark, pkg.Path, reason)
		return code, nil
	case exit != 0:
		if t.local || held.Len() == 0 {
			fmt.Fprintf(out, "exit status %d\n", exit)
		}
		fmt.Fprintf(out, "%sFAIL\t%s\t%s\n", mark, pkg.Path, elapsed)
		return diag.ExitFinding, nil
	}
	note := ""
	if !t.local && bytes.Contains(append([]byte("\n"), held.Bytes()...), []byte(noTests)) {
		note = " [no tests to run]"
	}
	fmt.Fprintf(out, "ok  \t%s\t%s%s\n", pkg.Path, elapsed, note)
	return diag.ExitOK, nil
}

// output returns where the output of a package goes: to standard output or,
// for -json, through the go command's own converter.
func (t *tester) output(ctx context.Context, pkg TestPackage) (w io.Writer, done func() error, err error) {
	if !t.json {
		return t.app.Stdout, func() error { return nil }, nil
	}
	cmd := exec.CommandContext(ctx, "go", "tool", "test2json", "-t", "-p", pkg.Path)
	cmd.Stdout = t.app.Stdout
	cmd.Stderr = t.app.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, diag.Usagef("go tool test2json: %v", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, diag.Usagef("go tool test2json: %v", err)
	}
	return in, func() error {
		in.Close()
		if err := cmd.Wait(); err != nil {
			return diag.Usagef("go tool test2json: %v", err)
		}
		return nil
	}, nil
}
