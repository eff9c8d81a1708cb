package model

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
	UsualPasses   = []string{"rewr", "sumelm", "deadelm", "constelm", "equalelm", "liveelm", "constelm", "parelm"}
	KeepingPasses = []string{"rewr", "sumelm", "deadelm"}
)

// ParsePasses reads names of transformations, separated by commas. none stands for
// the empty list, all for all of them. There are at most maxPasses: a certificate, which somebody else has written, is not to
// have a model transformed for hours.
func ParsePasses(text string) (list []string, err error) {
	for name := range strings.SplitSeq(text, ",") {
		switch name = strings.TrimSpace(name); {
		case len(list) >= maxPasses:
			return nil, diag.Usagef("more than %d transformations", maxPasses)
		case name == "none" || name == "":
		case name == "all":
			list = append(list, transform.Names()...)
		case slices.Contains(transform.Names(), name):
			list = append(list, name)
		default:
			return nil, diag.Usagef("no transformation %q: there are %s, and none and all", name, strings.Join(transform.Names(), ", "))
		}
	}
	return list, nil
}

const maxPasses = 100

// Is reports whether a file is a model, going by its name.
func Is(name string) bool { return filepath.Ext(name) == ".mcrl2" || IsLinear(name) }

// IsLinear reports whether a file is a linear process, going by its name.
func IsLinear(name string) bool { return filepath.Ext(name) == ".lps" }

// A Model is a linear process and where it comes from.
type Model struct {
	Name string // of the file
	LPS  *spec.LPS
}

// Load reads a specification or a linear process, makes it linear if it is not,
// and applies transformations.
func Load(name string, passes []string) (*Model, error) { return LoadRenamed(name, "", passes) }

// LoadRenamed is Load with rules, in a file, by which actions are renamed first. There
// need not be any.
func LoadRenamed(name, rules string, passes []string) (*Model, error) {
	if !Is(name) {
		return nil, diag.Usagef("%s: the name of a model ends in .mcrl2 or .lps", name)
	}
	s, err := loadSpec(name)
	if err != nil {
		return nil, err
	}
	m := &Model{Name: name}
	if IsLinear(name) {
		m.LPS, err = spec.Linear(s)
	} else {
		m.LPS, err = linear.Linearise(s)
	}
	if err != nil {
		return nil, err
	}
	if rules != "" {
		if err := m.rename(rules); err != nil {
			return nil, err
		}
	}
	if len(passes) == 0 {
		return m, nil
	}
	engine, err := data.New(m.LPS.Data, data.Options{})
	if err != nil {
		return nil, err
	}
	m.LPS, err = transform.Apply(m.LPS, passes, transform.NewTools(engine, m.LPS.Lib))
	return m, err
}

// rename renames actions by the rules in a file.
func (m *Model) rename(file string) error {
	text, err := readText(file)
	if err != nil {
		return err
	}
	l, rules, err := types.LoadRename(m.LPS, file, text)
	if err != nil {
		return err
	}
	m.LPS = transform.Rename(l, rules)
	return nil
}

// loadSpec reads a file as text. The toolset's own linear processes are not text.
func loadSpec(name string) (*spec.Spec, error) {
	if _, err := readText(name); err != nil {
		return nil, err
	}
	return types.LoadFile(name)
}

// readText reads a file that has to be a text.
func readText(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil, diag.Usagef("%s: not a text: linear processes and equation systems are read as mCRL2 text, which lpspp and pbespp write of binary ones", name)
	}
	return text, nil
}

// Identity tells models from each other: 128 bits of a SHA-256, so that nobody can make a second model with the
// identity of the first, nor one for which a certificate of the other is taken.
func (m *Model) Identity() string {
	sum := sha256.Sum256([]byte(m.LPS.String()))
	return hex.EncodeToString(sum[:16])
}

// HasAction reports whether the process has an action with a name.
func (m *Model) HasAction(name string) bool {
	return slices.ContainsFunc(m.LPS.Actions, func(a *spec.Action) bool { return a.Name == name })
}

// certain refuses a model with random draws for what takes them for actions.
func (m *Model) certain(what string) error {
	if m.LPS.Draws == "" {
		return nil
	}
	return diag.Unsupportedf(diag.Pos{File: m.Name}, "dist: %s in models without probabilities only", what)
}

// Certain refuses a model with random draws that is to be held against a program.
func (m *Model) Certain() error { return m.certain("programs are held against what happens") }

// paramNames lists the parameters, for messages.
func (m *Model) paramNames() string {
	var names []string
	for _, p := range m.LPS.Params {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
