package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/conform"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/mapping"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/report"
)

var cmdConform = &command{
	name:  "conform",
	args:  "PACKAGE|FILES.go MODEL.mcrl2|MODEL.lps [-- ARGS]",
	short: "hold a program against a model",
	mixed: true,
	long: `Conform executes a program under every schedule, as check does, and follows it in
a model in mCRL2: what the program does must be something that the model can do
next. The file that -map names says which operations of the program are which
actions of the model: calls of functions and returns from them, messages on
channels and connections, lines that are printed or logged. Everything else that
the program does is internal, and so are the actions of the model that the file
hides.

  verified        whatever the program does the model can do (exit code 0)
  violation       the program does what the model does not allow, or stops where the
                  model must go on: a shortest way there, and what the model would
                  have allowed (1)
  inconclusive    no difference was seen, but not everything was (3)

With -tests n the program is not searched: n tests, which the model leads to what it
can do and was not seen yet, end in a violation or are inconclusive.

That the program chooses less than the model offers is no difference. What check looks for
is looked for if a flag asks for it; races always are unless -race=false, since a
program with races has more behaviour than its interleavings at synchronisation.
docs/conform.md is the manual.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		p := programChecker{app: app, fs: fs}
		sourceFlags(fs, &p.src)
		p.flags.declare(fs)
		p.out.declare(fs)
		against := &conformFlags{}
		against.declare(fs)
		return func(ctx context.Context, args []string) (int, error) {
			var err error
			if args, err = against.take(args); err != nil {
				return 0, err
			}
			p.against = against
			return p.check(ctx, args)
		}
	},
}

// usualConformSearch finds a shortest way to a difference.
const usualConformSearch = "bfs"

// conformFlags say what a program is held against.
type conformFlags struct {
	mapping string
	limit   int
	model   string
	stops   bool
	tests   int
	tested  *conform.Tested
	used    *mapping.Mapping
}

func (c *conformFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&c.mapping, "map", "", "which operations are which actions: a `file` .yaml")
	fs.IntVar(&c.limit, "model-states", conform.DefaultLimit, "keep at most `n` states of the model")
	fs.BoolVar(&c.stops, "quiescence", true, "a program that stops where the model must go on differs")
	fs.IntVar(&c.tests, "tests", 0, "do not search: make `n` tests from the model, by -seed, of -depth steps at most")
	usual := map[string]string{"search": usualConformSearch}
	for _, p := range execute.AllProperties {
		if p != execute.Race {
			usual[string(p)] = "false"
		}
	}
	for name, value := range usual {
		f := fs.Lookup(name)
		f.DefValue = value
		f.Value.Set(value) // it is one that the flag takes
	}
}

// take takes the model out of the arguments.
func (c *conformFlags) take(args []string) ([]string, error) {
	end := len(args)
	if i := slices.IndexFunc(args, isArgs); i >= 0 {
		end = i
	}
	i := slices.IndexFunc(args[:end], model.Is)
	switch {
	case i < 0:
		return nil, diag.Usagef("no model given: name a file .mcrl2 or .lps")
	case c.mapping == "":
		return nil, diag.Usagef("-map is missing: it names the file that says which operations are which actions")
	case c.tests < 0:
		return nil, diag.Usagef("-tests %d: at least one is needed", c.tests)
	case c.limit < 1:
		return nil, diag.Usagef("-model-states %d: at least one is needed", c.limit)
	}
	c.model = args[i]
	return slices.Delete(slices.Clone(args), i, i+1), nil
}

// describe adds what is compared to what a report says about the search.
func (c *conformFlags) describe(run *report.Run) {
	run.Properties = append([]report.Property{{Name: conform.Kind, On: true}}, run.Properties...)
	run.Settings = append(run.Settings, report.Setting{Name: "model", Value: c.model}, report.Setting{Name: "map", Value: c.mapping},
		report.Setting{Name: "model-states", Value: c.limit}, report.Setting{Name: "quiescence", Value: c.stops})
	if c.tests > 0 {
		run.Settings = append(run.Settings, report.Setting{Name: "tests", Value: c.tests})
	}
}

// wrap puts a program and its model together. Names of files are relative to dir.
func (c *conformFlags) wrap(prog *check.Code, dir string) (*check.Code, error) {
	place := func(name string) string {
		if filepath.IsAbs(name) || dir == "" {
			return name
		}
		return filepath.Join(dir, name)
	}
	both, err := mapping.Wrap(prog, place(c.mapping), place(c.model), mapping.Options{Limit: c.limit, Quiescence: c.stops})
	if err != nil {
		return nil, err
	}
	c.used = both.Mapping
	return both.Code, nil
}

// notes says of which operations none was seen: a rule that fits nothing shows
// nothing. It says what may be done about it, and about a program that stops.
func (c *conformFlags) notes(w io.Writer, r *report.Report) {
	if c.used == nil {
		return
	}
	stops := slices.ContainsFunc(r.Findings, func(f report.Finding) bool {
		return f.Kind == conform.Kind && strings.HasPrefix(f.Message, conform.Stops)
	})
	if stops {
		fmt.Fprintf(w, "%s: if the program may stop there, since what comes next is done by others, name the action under inputs; -quiescence=false allows it to stop anywhere\n", c.mapping)
	}
	whole := r.Verdict == report.Verified || slices.ContainsFunc(r.Left, func(l report.Left) bool { return l.Reason == unobserved })
	for _, r := range c.unseen(stops || whole) {
		what := r.Func
		switch {
		case !c.used.Observe.Uncalled(r):
			fmt.Fprintf(w, "%s: no such operation was seen: %s\n", r.Pos, r.Action)
			continue
		case what == "":
			what = r.In
		}
		fmt.Fprintf(w, "%s: the program never calls %s, so that %s is never seen: call it, name a function that is called, or drop the rule and hide the action\n", r.Pos, what, r.Action)
	}
}

// unseen returns the rules that did fit nothing, if somebody wants to know.
func (c *conformFlags) unseen(wanted bool) []*execute.ObserveRule {
	if !wanted {
		return nil
	}
	return c.used.Observe.Unseen()
}

// unobserved is why nothing is shown by a search in which no operation of the map was seen.
const unobserved = "unobserved"

// vacuous makes of a verdict that nothing was seen of one that nothing is wrong.
func (c *conformFlags) vacuous(r *report.Report) {
	if r.Verdict == report.Verified && c.used != nil && len(c.used.Observe.Unseen()) == len(c.used.Observe.Rules) {
		r.Verdict = report.Inconclusive
		r.Left = append(r.Left, report.Left{Reason: unobserved, Text: "no operation of " + c.mapping + " was seen, so that nothing was compared"})
	}
}
