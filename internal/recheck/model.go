package recheck

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/formula"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// looks are what is looked for in a model.
type looks struct {
	said                          []string // in words
	deadlock                      bool
	actions, invariants, formulas []string
}

// flag returns a function that notes the value of a flag in a list.
func (l *looks) flag(to *[]string, word string) func(string) error {
	return func(text string) error {
		*to, l.said = append(*to, text), append(l.said, word+text)
		return nil
	}
}

func (l *looks) deadlocks(string) error {
	l.deadlock, l.said = true, append(l.said, "deadlock")
	return nil
}

// isModel reports whether a file is a model, going by its name.
func isModel(name string) bool {
	return filepath.Ext(name) == ".mcrl2" || filepath.Ext(name) == ".lps"
}

// examineModel examines a model. The process is searched as it is written.
func (c *certificate) examineModel(o *options) string {
	name := o.source[0]
	if len(o.look.said) == 0 {
		o.look.deadlocks("")
	}
	c.aboutModel(name)
	process := loadModel(name)
	formulas := c.formulas(process, o.look.formulas)
	sys := o.look.system(process)
	g := explore(sys, name, o.states, len(formulas) > 0)
	views := "transformed"
	if setting(c.Header.Settings, "optimise") == "none" {
		views = "" // so it has to have the same numbers
	}
	g.compare(c, views)
	for i, f := range formulas {
		if !newTruth(sys.System, g, f).decide(f) {
			violated(name, diag.Finding{Kind: "formula", Message: o.look.formulas[i] + " does not hold"})
		}
	}
	return c.certified(name, g, strings.Join(o.look.said, ", "))
}

// A modelSystem is a process that is searched: states are all values, and not a hash of them.
type modelSystem struct {
	*state.System
	final bool // deadlocks are not looked for
}

// AppendKey appends the state. Equal values of one system have equal numbers.
func (m modelSystem) AppendKey(dst []byte) []byte {
	for _, v := range m.State() {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
	}
	return dst
}

// Final reports whether a state without steps is a good end.
func (m modelSystem) Final() bool { return m.final }

// system returns a process with what is looked for in its states and steps.
func (l *looks) system(process *spec.LPS) modelSystem {
	options := state.Options{Actions: l.actions, Uncached: true}
	for _, name := range l.actions {
		if !slices.ContainsFunc(process.Actions, func(a *spec.Action) bool { return a.Name == name }) {
			stop(diag.Usagef("there is no action %q", name))
		}
	}
	for _, text := range l.invariants {
		x, err := types.ExprOf(process.Data, process.Params, text, process.Sorts.Basic(spec.Bool))
		if err != nil {
			stop(diag.Usagef("-invariant %s: %v", text, err))
		}
		options.Invariants = append(options.Invariants, state.Invariant{Name: text, Cond: x})
	}
	return modelSystem{must(state.New(process, options)), !l.deadlock}
}

// loadModel reads a specification and makes it linear, or reads a linear process.
func loadModel(name string) *spec.LPS {
	s, err := types.LoadFile(name)
	if err != nil {
		stop(diag.Usagef("%v", err))
	}
	if filepath.Ext(name) == ".lps" {
		return must(spec.Linear(s))
	}
	return must(linear.Linearise(s))
}

// aboutModel refuses a certificate of another model. To know that, the model is transformed as others do to make it smaller.
func (c *certificate) aboutModel(name string) {
	known := []string{"model", "optimise", "deadlock", "actions", "invariants", "formulas"}
	for i, s := range c.Header.Settings {
		if !slices.Contains(known, s.Name) || slices.ContainsFunc(c.Header.Settings[:i], func(o pair) bool { return o.Name == s.Name }) {
			refuse("setting %q is %q, which is not the usual one, or is there twice", s.Name, s.Value)
		}
	}
	l := loadModel(name)
	if passes := setting(c.Header.Settings, "optimise"); passes != "none" {
		list := strings.Split(passes, ",")
		if len(list) > 100 || slices.ContainsFunc(list, func(p string) bool { return !slices.Contains(transform.Names(), p) }) {
			refuse("it was transformed by %q, which is not known", passes)
		}
		l = must(transform.Apply(l, list, transform.NewTools(must(data.New(l.Data, data.Options{})), l.Lib)))
	}
	sum := sha256.Sum256([]byte(l.String()))
	if setting(c.Header.Program, "identity") != hex.EncodeToString(sum[:16]) {
		refuse("it is about another model")
	}
}

// formulas reads formulas about a process, to which they may add functions. The certificate has to have evidence of each, which is not used.
func (c *certificate) formulas(process *spec.LPS, files []string) (list []*formula.Formula) {
	if len(files) > 0 && process.Draws != "" {
		stop(diag.Unsupportedf(diag.Pos{}, "dist: formulas are examined of models without probabilities only"))
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			stop(diag.Usagef("%v", err))
		}
		f := must(types.LoadFormula(process.Data, process.Actions, file, text))
		if !c.evidence[sha256.Sum256(text)] {
			refuse("it has no evidence that %s holds", file)
		}
		process.Data, list = f.Data, append(list, f)
	}
	return list
}
