package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// What is done to a linear process before it is searched. Where its parameters
// are looked at none of them is dropped.
var (
	usualPasses   = []string{"rewr", "sumelm", "deadelm", "constelm", "parelm"}
	keepingPasses = []string{"rewr", "sumelm", "deadelm"}
)

// isModel reports whether a file is an mCRL2 model, going by its name.
func isModel(name string) bool { return isSpecification(name) || isLinear(name) }

func isSpecification(name string) bool { return filepath.Ext(name) == ".mcrl2" }
func isLinear(name string) bool        { return filepath.Ext(name) == ".lps" }

// A model is a linear process and where it comes from.
type model struct {
	name string
	lps  *spec.LPS
}

// loadModel reads a specification or a linear process, makes it linear if it is
// not, and applies transformations.
func loadModel(name string, passes []string) (*model, error) {
	if !isModel(name) {
		return nil, diag.Usagef("%s: the name of a model ends in .mcrl2 or .lps", name)
	}
	s, err := loadSpec(name)
	if err != nil {
		return nil, err
	}
	m := &model{name: name}
	if isLinear(name) {
		m.lps, err = spec.Linear(s)
	} else {
		m.lps, err = linear.Linearise(s)
	}
	if err != nil || len(passes) == 0 {
		return m, err
	}
	engine, err := data.New(m.lps.Data, data.Options{})
	if err != nil {
		return nil, err
	}
	m.lps, err = transform.Apply(m.lps, passes, transform.NewTools(engine, m.lps.Lib))
	return m, err
}

// loadSpec reads a file as text. The toolset's own linear processes are not text.
func loadSpec(name string) (*spec.Spec, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, diag.Usagef("%s: not a text: linear processes are read as mCRL2 text, which lpspp writes of a binary one", name)
	}
	return types.LoadFile(name)
}

// identity tells models from each other.
func (m *model) identity() string {
	sum := sha256.Sum256([]byte(m.lps.String()))
	return hex.EncodeToString(sum[:8])
}

// hasAction reports whether the process has an action with a name.
func (m *model) hasAction(name string) bool {
	return slices.ContainsFunc(m.lps.Actions, func(a *spec.Action) bool { return a.Name == name })
}

// paramNames lists the parameters, for messages.
func (m *model) paramNames() string {
	var names []string
	for _, p := range m.lps.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// A passList is a flag that takes names of transformations, separated by commas.
// none stands for the empty list, all for all of them.
type passList struct {
	given bool
	names []string
}

func (l *passList) String() string { return strings.Join(l.names, ",") }

// Set reads names.
func (l *passList) Set(text string) error {
	l.given, l.names = true, nil
	for name := range strings.SplitSeq(text, ",") {
		switch name = strings.TrimSpace(name); {
		case name == "none" || name == "":
		case name == "all":
			l.names = append(l.names, transform.Names()...)
		case slices.Contains(transform.Names(), name):
			l.names = append(l.names, name)
		default:
			return diag.Usagef("no transformation %q: there are %s, and none and all", name, strings.Join(transform.Names(), ", "))
		}
	}
	return nil
}

// or returns the list, or another one if it was not given.
func (l *passList) or(usual []string) []string {
	if l.given {
		return l.names
	}
	return usual
}

const passHelp = "apply these transformations, a `list` separated by commas: rewr, deadelm, constelm, parelm, structelm, sumelm, suminst, or none, or all"

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
