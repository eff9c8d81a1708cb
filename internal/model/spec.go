package model

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The kinds of findings of models.
const (
	Deadlock   = "deadlock"
	Action     = "action"
	Divergence = "divergence"
	Invariant  = "invariant"
	Formula    = "formula"

	Nondeterminism = "nondeterminism"
)

// A Spec says what is looked for in a model, and how the model is made linear.
type Spec struct {
	Deadlock   bool
	Actions    []string // that must not happen
	Divergence bool
	// Nondeterminism is a state with two steps that have one label and lead to
	// different states.
	Nondeterminism bool

	Tau        []string // actions that are tau, too, where loops are looked for
	Invariants []string // conditions over the parameters
	Formulas   []string // files
	Passes     []string // transformations, in their order

	// Symbolic has states found as sets, and not one by one.
	Symbolic bool
	// Confluence leaves out states that differ from others by tau steps alone which
	// change nothing for others.
	Confluence bool
}

// Recorded reports whether the graph has to be kept.
func (s *Spec) Recorded() bool { return s.Divergence || s.Nondeterminism || len(s.Formulas) > 0 }

// all reports whether all labels of the graph matter, and not only tau.
func (s *Spec) all() bool { return s.Nondeterminism || len(s.Formulas) > 0 }

// Usual returns the transformations that go with what is looked for.
func (s *Spec) Usual() []string {
	if len(s.Invariants) > 0 {
		return KeepingPasses
	}
	return UsualPasses
}

// Keeps refuses transformations after which invariants say something else: liveelm gives parameters other values where no step looks at them, but
// an invariant does.
func (s *Spec) Keeps() error {
	if len(s.Invariants) > 0 && slices.Contains(s.Passes, "liveelm") {
		return diag.Usagef("liveelm gives parameters other values where no step looks at them: an invariant would be looked for in states that the model does not have")
	}
	return nil
}

// Fits refuses names of actions that the model does not have: a search for them
// would find nothing. It refuses what Keeps does.
func (s *Spec) Fits(m *Model) error {
	if err := s.Keeps(); err != nil {
		return err
	}
	for _, name := range slices.Concat(s.Actions, s.Tau) {
		if !m.HasAction(name) {
			return diag.Usagef("%s has no action %q", m.Name, name)
		}
	}
	return nil
}

// Looked says what is looked for, for people.
func (s *Spec) Looked() (list []string) {
	if s.Deadlock {
		list = append(list, Deadlock)
	}
	for _, a := range s.Actions {
		list = append(list, Action+" "+a)
	}
	for _, x := range s.Invariants {
		list = append(list, "violation of "+x)
	}
	for _, f := range s.Formulas {
		list = append(list, "violation of "+f)
	}
	return list
}

// NameSetting is the setting of a recipe that names the model. A recipe of a
// program does not have it.
const NameSetting = "model"

// Recipe returns what is needed to get at the same state space again. File names
// are relative to dir.
func (s *Spec) Recipe(dir string, m *Model) map[string]string {
	r := map[string]string{"dir": dir, NameSetting: m.Name, "optimise": strings.Join(s.Passes, ",")}
	if r["optimise"] == "" {
		r["optimise"] = "none"
	}
	if s.Deadlock {
		r[Deadlock] = "true"
	}
	if s.Divergence {
		r[Divergence] = "true"
	}
	if s.Nondeterminism {
		r[Nondeterminism] = "true"
	}
	if s.Symbolic {
		r["symbolic"] = "true"
	}
	if s.Confluence {
		r["confluence"] = "true"
	}
	for name, list := range s.lists() {
		if len(*list) > 0 {
			data, _ := json.Marshal(*list) // strings can be written
			r[name] = string(data)
		}
	}
	return r
}

func (s *Spec) lists() map[string]*[]string {
	return map[string]*[]string{"actions": &s.Actions, "tau": &s.Tau, "invariants": &s.Invariants, "formulas": &s.Formulas}
}

// ReadRecipe reads a recipe. File names, that of the model and those of formulas, are
// taken to be relative to dir, or to the folder of the recipe if dir is "".
func ReadRecipe(settings map[string]string, dir string) (s *Spec, name string, err error) {
	s = &Spec{}
	if dir == "" {
		dir = settings["dir"]
	}
	place := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(dir, name)
	}
	lists := s.lists()
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		value := settings[key]
		switch {
		case key == "dir" || key == NameSetting:
		case key == "optimise":
			s.Passes, err = ParsePasses(value)
		case key == Deadlock:
			s.Deadlock = true
		case key == Divergence:
			s.Divergence = true
		case key == Nondeterminism:
			s.Nondeterminism = true
		case key == "symbolic":
			s.Symbolic = true
		case key == "confluence":
			s.Confluence = true
		case lists[key] != nil:
			err = json.Unmarshal([]byte(value), lists[key])
		default:
			err = fmt.Errorf("it is unknown")
		}
		if err != nil {
			return nil, "", diag.Usagef("trace: setting %q: %v", key, err)
		}
	}
	for i, f := range s.Formulas {
		s.Formulas[i] = place(f)
	}
	return s, place(settings[NameSetting]), nil
}
