package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// isModel reports whether a file is a model, going by its name.
func isModel(name string) bool {
	return filepath.Ext(name) == ".mcrl2" || filepath.Ext(name) == ".lps"
}

// examineModel examines that a model has no deadlock. The process is searched as it is written: transformations, by which others
// make it smaller, are done only to know whether the certificate is about it.
func (c *certificate) examineModel(o *options) (string, error) {
	name := o.source[0]
	if err := c.aboutModel(name); err != nil {
		return "", err
	}
	process, err := loadModel(name)
	if err != nil {
		return "", err
	}
	sys, err := state.New(process, state.Options{})
	if err != nil {
		return "", err
	}
	g := &graph{number: map[[sha256.Size]byte]int32{}}
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
	return fmt.Sprintf("certified: every step of every state of %s: %d states, %d transitions; no deadlock; the certificate has %d and %d",
		name, g.states(), g.transitions, c.States, c.Transitions), nil
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

// aboutModel refuses a certificate of another model. What else was looked for does not matter.
func (c *certificate) aboutModel(name string) error {
	l, err := loadModel(name)
	if err != nil {
		return err
	}
	known := []string{"model", "optimise", "deadlock", "actions", "invariants", "formulas"}
	for i, s := range c.Header.Settings {
		if !slices.Contains(known, s.Name) || slices.ContainsFunc(c.Header.Settings[:i], func(o pair) bool { return o.Name == s.Name }) {
			return refuse("setting %q is %q, which is not the usual one, or is there twice", s.Name, s.Value)
		}
	}
	if passes := setting(c.Header.Settings, "optimise"); passes != "none" {
		list := strings.Split(passes, ",")
		if len(list) > 100 || slices.ContainsFunc(list, func(p string) bool { return !slices.Contains(transform.Names(), p) }) {
			return refuse("it was transformed by %q, which is not known", passes)
		}
		engine, err := data.New(l.Data, data.Options{})
		if err != nil {
			return err
		}
		if l, err = transform.Apply(l, list, transform.NewTools(engine, l.Lib)); err != nil {
			return err
		}
	}
	sum := sha256.Sum256([]byte(l.String()))
	if setting(c.Header.Program, "identity") != hex.EncodeToString(sum[:16]) {
		return refuse("it is about another model")
	}
	return nil
}
