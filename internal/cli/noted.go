package cli

import (
	"fmt"
	"io"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A notedOutput is standard output of commands that print what they find as they go. What it does not take is printed on standard
// error instead: it may be all that is known of a violation.
type notedOutput struct {
	w, spare io.Writer
	err      error
}

func (n *notedOutput) Write(p []byte) (int, error) {
	if n.err == nil {
		if _, n.err = n.w.Write(p); n.err == nil {
			return len(p), nil
		}
	}
	return n.spare.Write(p)
}

// noted has a command be done, and says if standard output could not be written. A violation stays one.
func (app *App) noted(do func() (int, error)) (int, error) {
	out := &notedOutput{w: app.Stdout, spare: app.Stderr}
	app.Stdout = out
	defer func() { app.Stdout = out.w }()
	code, err := do()
	if out.err != nil {
		fmt.Fprintf(app.Stderr, "heddle: cannot write standard output: %v\n", out.err)
		if code == diag.ExitOK && err == nil {
			code = diag.ExitUsage
		}
	}
	return code, err
}
