package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/trace"
)

// recorded returns the trace up to the current state, and comes back to it.
func (s *simulator) recorded() (*trace.Trace, error) {
	tr, err := trace.Record(s.sys, s.path[:s.at], diag.Finding{})
	if err != nil {
		return nil, diag.Bugf("a step cannot be taken again: %v", err)
	}
	s.goTo(s.at)
	return tr, nil
}

// trace prints the steps so far.
func (s *simulator) trace() error {
	tr, err := s.recorded()
	if err != nil {
		return err
	}
	_, err = io.WriteString(s.app.Stdout, tr.StepsText(1, len(tr.Steps)))
	return err
}

// save writes the trace to a file.
func (s *simulator) save(name string) error {
	if name == "" {
		return diag.Usagef("save: name a file")
	}
	tr, err := s.recorded()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if filepath.Ext(name) == ".json" {
		dir, err := os.Getwd()
		if err != nil {
			return diag.Usagef("%v", err)
		}
		look := model.Spec{Passes: s.passes}
		tr.Program, tr.Settings = s.mod.Identity(), look.Recipe(dir, s.mod)
		if err := tr.Write(&b); err != nil {
			return diag.Usagef("%v", err)
		}
	} else {
		for _, step := range tr.Steps {
			fmt.Fprintln(&b, step.Action)
		}
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		return diag.Usagef("%v", err)
	}
	fmt.Fprintf(s.app.Stdout, "saved %d steps\n", len(tr.Steps))
	return nil
}

// load goes along a trace. If it does not fit, nothing is changed.
func (s *simulator) load(name string) error {
	text, err := readText(name)
	if err != nil {
		return err
	}
	var actions []string
	if filepath.Ext(name) == ".json" {
		tr, err := trace.Read(bytes.NewReader(text))
		if err != nil {
			return diag.Usagef("%s: %v", name, err)
		}
		for _, step := range tr.Steps {
			actions = append(actions, step.Action)
		}
		// The steps themselves are better than their names, as long as they fit.
		if fits, _ := model.Follow(s.sys, tr); fits == len(tr.Path) {
			return s.loaded(tr.Path)
		}
	} else {
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '%' {
				actions = append(actions, line)
			}
		}
	}
	path, err := s.follow(actions)
	if err != nil {
		s.goTo(s.at)
		return err
	}
	return s.loaded(path)
}

// loaded goes to the end of a path.
func (s *simulator) loaded(path lts.Path) error {
	s.path = path
	s.goTo(len(path))
	fmt.Fprintf(s.app.Stdout, "loaded %d steps\n", len(path))
	return nil
}

// follow returns a path with the given actions. Of several it is the first one:
// where an action can be done in several ways all of them are followed, a state
// once for each place of the trace.
func (s *simulator) follow(actions []string) (lts.Path, error) {
	ways := []lts.Path{nil}
	for i, action := range actions {
		var next []lts.Path
		seen := map[string]bool{}
		for _, w := range ways {
			s.sys.Reset()
			lts.MustReplay(s.sys, w)
			for _, step := range s.sys.Enabled(nil) {
				mark := s.sys.Save()
				text := s.sys.LabelText(s.sys.Take(step))
				if key := string(s.sys.AppendKey(nil)); sameText(text, action) && !seen[key] {
					seen[key] = true
					next = append(next, append(w[:len(w):len(w)], step))
				}
				s.sys.Restore(mark)
			}
		}
		if len(next) == 0 {
			return nil, diag.Usagef("step %d of %d: %s cannot be done", i+1, len(actions), action)
		}
		ways = next
	}
	return ways[0], nil
}
