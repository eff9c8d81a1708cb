package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/model"
)

// A specification is a file and what its first lines say of it.
type specification struct {
	name     string
	file     string
	title    string
	source   string
	known    string // what was known of its size before it was searched, and by what means, or ""
	counts   string // as measure writes them
	property string // a formula
	holds    bool
}

// read reads the first lines of a file, which are comments:
//
//	% Title.
//	% Source: where it comes from.
//	% Known: what was known before.
//	% Counts: 4 states, 6 transitions, 0 deadlocks, modulo strong bisimulation.
//	% Holds: FORMULA
//
// or Fails instead of Holds. A line that begins with more than one space goes on with the one before.
func read(file string) (*specification, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	s := &specification{name: strings.TrimSuffix(filepath.Base(file), ".mcrl2"), file: file}
	at := &s.title
	for line := range strings.Lines(string(text)) {
		line, ok := strings.CutPrefix(strings.TrimRight(line, "\n"), "% ")
		if !ok {
			break
		}
		if strings.HasPrefix(line, " ") {
			*at += " " + strings.TrimSpace(line)
			continue
		}
		key, rest, _ := strings.Cut(line, ": ")
		switch key {
		case "Source":
			at = &s.source
		case "Known":
			at = &s.known
		case "Counts":
			at = &s.counts
		case "Holds", "Fails":
			at, s.holds = &s.property, key == "Holds"
		default:
			if s.title != "" {
				return nil, fmt.Errorf("%s: %q: Source, Known, Counts, Holds or Fails is expected", file, line)
			}
			rest = line
		}
		*at = rest
	}
	if s.title == "" || s.source == "" || s.property == "" {
		return nil, fmt.Errorf("%s: title, Source and Holds or Fails are expected", file)
	}
	return s, nil
}

// all reads the specifications of a folder.
func all(dir string) ([]*specification, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.mcrl2"))
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var list []*specification
	for _, f := range files {
		s, err := read(f)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// A measured is what was found out about a specification.
type measured struct {
	raw, small *graph.Graph
	verdict    bool // of the property
}

// counts writes down the numbers that do not depend on how a specification is made linear.
func (m *measured) counts() string {
	return fmt.Sprintf("%d states, %d transitions, %d deadlocks, modulo strong bisimulation.", m.small.States, len(m.small.Transitions), len(m.small.Deadlocks()))
}

// measure explores a specification, reduces its graph and judges the property.
func (s *specification) measure(dir string) (*measured, error) {
	m, err := model.Load(s.file, model.UsualPasses)
	if err != nil {
		return nil, err
	}
	sys, err := state.New(m.LPS, state.Options{})
	if err != nil {
		return nil, err
	}
	var b graph.Builder
	r, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{Strategy: explore.BreadthFirst, All: true, Observer: &b})
	if err != nil {
		return nil, err
	}
	for _, l := range r.Left {
		return nil, fmt.Errorf("%s: %s", s.file, l.Text)
	}
	out := &measured{raw: b.Graph()}
	if out.small, err = graph.Reduce(out.raw, graph.Strong, "tau"); err != nil {
		return nil, err
	}
	out.verdict, err = s.judge(m, dir)
	return out, err
}

// judge says whether the property holds. The formula is written to a file in a folder.
func (s *specification) judge(m *model.Model, dir string) (bool, error) {
	file := filepath.Join(dir, s.name+".mcf")
	if err := os.WriteFile(file, []byte(s.property+"\n"), 0o666); err != nil {
		return false, err
	}
	look := &model.Spec{Formulas: []string{file}}
	if err := look.Fits(m); err != nil {
		return false, err
	}
	p, err := model.Prepare(m, look, 1)
	if err != nil {
		return false, err
	}
	res, err := p.Check(explore.Options{Strategy: explore.BreadthFirst}, model.Hooks{
		Search: func(o explore.Options) (*explore.Result, error) { return explore.Run(p.New, o) },
	})
	switch {
	case err != nil:
		return false, err
	case len(res.Left) > 0:
		return false, fmt.Errorf("%s: %s", s.file, res.Left[0].Text)
	}
	return len(res.Stories) == 0, nil
}
