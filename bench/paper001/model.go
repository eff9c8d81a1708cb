package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// A config is what the settings of the model say.
type config struct {
	clients, processors int
	issue               int // 0 if all are fixed
}

func (c config) String() string { return fmt.Sprintf("%d+%d", c.clients, c.processors) }

// parseConfig reads clients+processors.
func parseConfig(text string) (config, error) {
	var c config
	var rest string
	n, _ := fmt.Sscanf(text, "%d+%d%s", &c.clients, &c.processors, &rest)
	if n != 2 || c.clients < 1 || c.processors < 1 || c.clients+c.processors > 5 {
		return config{}, fmt.Errorf("configuration %q: want two numbers from 1 on with at most 5 together, as 2+1", text)
	}
	return c, nil
}

// settings is the text of settings.mcrl2.
func (c config) settings() string {
	return fmt.Sprintf("map nClients, nProcessors: Nat; issue: Nat;\neqn nClients = %d; nProcessors = %d; issue = %d;\n",
		c.clients, c.processors, c.issue)
}

// load copies the model to a folder of its own with other settings, changes its
// text by edit if there is one, and returns its linear process.
func load(model string, c config, edit func(file, text string) string) (*spec.LPS, error) {
	dir, err := os.MkdirTemp("", "paper001")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"balancer.mcrl2", "data.mcrl2", "settings.mcrl2"} {
		text, err := os.ReadFile(filepath.Join(model, name))
		if err != nil {
			return nil, err
		}
		if name == "settings.mcrl2" {
			text = []byte(c.settings())
		} else if edit != nil {
			text = []byte(edit(name, string(text)))
		}
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return nil, err
		}
	}
	s, err := types.LoadFile(filepath.Join(dir, "balancer.mcrl2"))
	if err != nil {
		return nil, err
	}
	l, err := linear.Linearise(s)
	if err != nil {
		return nil, err
	}
	e, err := data.New(l.Data, data.Options{})
	if err != nil {
		return nil, err
	}
	return transform.Apply(l, []string{"rewr", "sumelm", "deadelm", "constelm", "equalelm", "liveelm", "constelm", "parelm"}, transform.NewTools(e, l.Lib))
}

// search looks for deadlocks and for the action _error.
func search(l *spec.LPS, o explore.Options) (*explore.Result, error) {
	return explore.Run(func() (lts.System, error) {
		return state.New(l, state.Options{Actions: []string{"_error"}})
	}, o)
}

// A story is a shortest trace to what one issue leads to.
type story struct {
	config
	finding string
	steps   []string
}

// issuesAt are the smallest configurations in which the issues show. Partner links
// of two connections are never inconsistent, so the first one needs three.
var issuesAt = []config{{2, 1, 1}, {1, 1, 2}, {1, 1, 3}, {1, 1, 4}, {1, 1, 5}, {1, 1, 6}}

// issues finds the six issues.
func issues(model string) ([]story, error) {
	var stories []story
	for _, c := range issuesAt {
		s, err := find(model, c, nil)
		if err != nil {
			return nil, err
		}
		stories = append(stories, s)
	}
	return stories, nil
}

// find searches breadth-first and tells the first finding; without one the story is
// empty.
func find(model string, c config, edit func(file, text string) string) (story, error) {
	l, err := load(model, c, edit)
	if err != nil {
		return story{}, err
	}
	r, err := search(l, explore.Options{Strategy: explore.BreadthFirst})
	if err != nil {
		return story{}, err
	}
	s := story{config: c}
	if r.Verdict == explore.Verified {
		return s, nil
	}
	if len(r.Findings) == 0 {
		return story{}, fmt.Errorf("%v, issue %d: %v", c, c.issue, r)
	}
	f := r.Findings[0]
	s.finding = strings.TrimPrefix(f.Kind+" "+f.Message, "action ")
	sys, err := state.New(l, state.Options{})
	if err != nil {
		return story{}, err
	}
	sys.Reset()
	for _, step := range f.Path {
		s.steps = append(s.steps, sys.LabelText(sys.Take(step)))
	}
	return s, nil
}
