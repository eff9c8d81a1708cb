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
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
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

// examineModel examines a model. The process is searched as it is written. Transformations, by which others
// make it smaller, are done to know whether the certificate is about it, and because evidence of formulas is about what they make.
func (c *certificate) examineModel(o *options) (string, error) {
	name := o.source[0]
	if len(o.look.said) == 0 {
		o.look.deadlocks("")
	}
	transformed, err := c.aboutModel(name)
	if err != nil {
		return "", err
	}
	process, err := loadModel(name)
	if err != nil {
		return "", err
	}
	sys, err := o.look.system(process)
	if err != nil {
		return "", err
	}
	g := &graph{number: map[[sha256.Size]byte]int32{}, keep: len(o.look.formulas) > 0}
	if err := g.run(sys, name, o.states); err != nil {
		return "", err
	}
	views := "transformed"
	if setting(c.Header.Settings, "optimise") == "none" {
		views = "" // so it has to have the same numbers
	}
	if err := g.compare(c, views); err != nil {
		return "", err
	}
	if err := c.examineFormulas(o, transformed, sys, g); err != nil {
		return "", err
	}
	return c.certified(name, g, strings.Join(o.look.said, ", ")), nil
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
func (l *looks) system(process *spec.LPS) (modelSystem, error) {
	options := state.Options{Actions: l.actions, Uncached: true}
	for _, name := range l.actions {
		if !slices.ContainsFunc(process.Actions, func(a *spec.Action) bool { return a.Name == name }) {
			return modelSystem{}, diag.Usagef("there is no action %q", name)
		}
	}
	for _, text := range l.invariants {
		x, err := types.ExprOf(process.Data, process.Params, text, process.Sorts.Basic(spec.Bool))
		if err != nil {
			return modelSystem{}, diag.Usagef("-invariant %s: %v", text, err)
		}
		options.Invariants = append(options.Invariants, state.Invariant{Name: text, Cond: x})
	}
	sys, err := state.New(process, options)
	return modelSystem{sys, !l.deadlock}, err
}

// loadModel reads a specification and makes it linear, or reads a linear process.
func loadModel(name string) (*spec.LPS, error) {
	s, err := types.LoadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if filepath.Ext(name) == ".lps" {
		return spec.Linear(s)
	}
	return linear.Linearise(s)
}

// aboutModel refuses a certificate of another model, and returns the model as it was transformed. What else was looked for does not matter.
func (c *certificate) aboutModel(name string) (*spec.LPS, error) {
	l, err := loadModel(name)
	if err != nil {
		return nil, err
	}
	known := []string{"model", "optimise", "deadlock", "actions", "invariants", "formulas"}
	for i, s := range c.Header.Settings {
		if !slices.Contains(known, s.Name) || slices.ContainsFunc(c.Header.Settings[:i], func(o pair) bool { return o.Name == s.Name }) {
			return nil, refuse("setting %q is %q, which is not the usual one, or is there twice", s.Name, s.Value)
		}
	}
	if passes := setting(c.Header.Settings, "optimise"); passes != "none" {
		list := strings.Split(passes, ",")
		if len(list) > 100 || slices.ContainsFunc(list, func(p string) bool { return !slices.Contains(transform.Names(), p) }) {
			return nil, refuse("it was transformed by %q, which is not known", passes)
		}
		engine, err := data.New(l.Data, data.Options{})
		if err != nil {
			return nil, err
		}
		if l, err = transform.Apply(l, list, transform.NewTools(engine, l.Lib)); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256([]byte(l.String()))
	if setting(c.Header.Program, "identity") != hex.EncodeToString(sum[:16]) {
		return nil, refuse("it is about another model")
	}
	return l, nil
}

// examineFormulas plays the games of all formulas as the evidence says, on the graph of the transformed process, which has to be like the one that is
// written, whose graph is given.
func (c *certificate) examineFormulas(o *options, process *spec.LPS, written modelSystem, whole *graph) error {
	if len(o.look.formulas) == 0 {
		return nil
	}
	if process.Draws != "" {
		return diag.Unsupportedf(diag.Pos{File: o.source[0]}, "dist: formulas are examined of models without probabilities only")
	}
	own := *process
	var games []*game
	for _, file := range o.look.formulas {
		text, err := os.ReadFile(file)
		if err != nil {
			return diag.Usagef("%v", err)
		}
		f, err := types.LoadFormula(own.Data, own.Actions, file, text)
		if err != nil {
			return err
		}
		own.Data = f.Data // the next ones may use what this one declares
		evidence, ok, err := c.proof(text)
		switch {
		case err != nil:
			return refuse("%v", err)
		case !ok:
			return refuse("it has no evidence that %s holds", file)
		}
		games = append(games, &game{name: file, formula: f, evidence: evidence})
	}
	sys, err := (&looks{}).system(&own)
	if err != nil {
		return err
	}
	g := &graph{number: map[[sha256.Size]byte]int32{}, keep: true}
	if err := g.run(sys, o.source[0], o.states); err != nil {
		return err
	}
	if err := alike(written, whole, sys, g, o.states); err != nil {
		return err
	}
	for _, game := range games {
		if err := game.examine(sys.System, g); err != nil {
			return err
		}
	}
	return nil
}

// alike returns nil if nobody can tell two systems apart by what they do, at any point and however long he looks (strong bisimulation). Then a
// formula that holds in one of them holds in the other.
//
// All states are thought to be alike first. Then those that can do different things, or the same that leads to states which are not alike,
// are taken apart, until there are none.
func alike(one modelSystem, a *graph, two modelSystem, b *graph, limit int) error {
	names := map[string]uint32{}
	n := len(a.edges)
	edges := slices.Concat(a.named(one, names, 0), b.named(two, names, int32(n)))
	class := make([]uint32, len(edges))
	for count, work := 1, 0; ; work += len(edges) + int(a.transitions+b.transitions) {
		if work > 1000*limit {
			return diag.Incompletef("it takes too long to see that the transformed model does what the model does: leave out -formula, or have a certificate written with -optimise none")
		}
		known := map[string]uint32{}
		next := make([]uint32, len(edges))
		for s, list := range edges {
			var does []uint64
			for _, e := range list {
				does = append(does, uint64(e.label)<<32|uint64(class[e.to]))
			}
			slices.Sort(does)
			key := binary.LittleEndian.AppendUint32(nil, class[s])
			for _, d := range slices.Compact(does) {
				key = binary.LittleEndian.AppendUint64(key, d)
			}
			c, ok := known[string(key)]
			if !ok {
				c = uint32(len(known))
				known[string(key)] = c
			}
			next[s] = c
		}
		class = next
		switch {
		case class[0] != class[n]:
			return refuse("the transformed model does not do what the model does")
		case len(known) == count:
			return nil
		}
		count = len(known)
	}
}

// named returns the transitions of all states, which are numbered from first on, with labels that mean the same in all systems: the number of a text with the sorts of the arguments.
func (g *graph) named(sys modelSystem, names map[string]uint32, first int32) [][]edge {
	number := map[lts.Label]lts.Label{}
	out := make([][]edge, len(g.edges))
	for s, list := range g.edges {
		for _, e := range list {
			if _, ok := number[e.label]; !ok {
				text := []string{sys.LabelText(e.label)}
				for _, p := range sys.Performed(e.label) {
					text = append(text, p.Action.Name)
					for _, sort := range p.Action.Args {
						text = append(text, sort.String())
					}
				}
				key := strings.Join(text, "\x00")
				if _, ok := names[key]; !ok {
					names[key] = uint32(len(names))
				}
				number[e.label] = lts.Label(names[key])
			}
			out[s] = append(out[s], edge{first + e.to, number[e.label]})
		}
	}
	return out
}
