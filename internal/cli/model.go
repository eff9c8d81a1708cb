package cli

import (
	"bytes"
	"os"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/model"
)

// A passList is a flag that takes names of transformations, separated by commas.
type passList struct {
	given bool
	names []string
}

func (l *passList) String() string { return strings.Join(l.names, ",") }

// Set reads names.
func (l *passList) Set(text string) (err error) {
	l.given = true
	l.names, err = model.ParsePasses(text)
	return err
}

// or returns the list, or another one if it was not given.
func (l *passList) or(usual []string) []string {
	if l.given {
		return l.names
	}
	return usual
}

var passHelp = "apply these transformations, a `list` separated by commas: " + strings.Join(transform.Names(), ", ") + ", or none, or all"

const confluenceHelp = "leave out states of models that differ from others only by tau steps which change nothing for others (confluence): the graph is branching bisimilar to the whole one"

// oneModel returns the only argument of a command.
func oneModel(args []string) (string, error) {
	switch {
	case len(args) == 0:
		return "", diag.Usagef("no model given: name a file .mcrl2 or .lps")
	case len(args) > 1:
		return "", diag.Usagef("%d arguments given: name one model", len(args))
	}
	return args[0], nil
}

// createFile creates a file for write, or takes standard output for "" and "-".
func (app *App) createFile(name string, write func(w *bytes.Buffer) error) error {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	if name == "" || name == "-" {
		_, err := app.Stdout.Write(b.Bytes())
		return err
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		return diag.Usagef("%v", err)
	}
	return nil
}

// readText reads a file that a flag names.
func readText(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	return text, nil
}
