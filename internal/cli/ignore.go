package cli

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/ignore"
	"github.com/heddle-mc/heddle/internal/report"
)

// ignores are the findings that do not count in a run of the command.
type ignores struct {
	rules ignore.Rules
	write string // the baseline that is written, or ""
	some  bool   // only some of the tests are checked
}

// notIgnored says of kinds why they cannot be ignored. A loop is found in the graph as a whole: behind one that does
// not count there may be others, which nobody has looked for.
var notIgnored = map[string]string{
	string(execute.Livelock): "it cannot be ignored on a line: leave -livelock out",
	string(execute.Liveness): "it cannot be ignored on a line: take the condition out, or say -liveness=false",
}

func newIgnores(root, write string) *ignores {
	in := &ignores{write: write, rules: ignore.Rules{Root: root, Refused: notIgnored, All: write != ""}}
	for _, p := range execute.AllProperties {
		if notIgnored[string(p)] == "" {
			in.rules.Kinds = append(in.rules.Kinds, string(p))
		}
	}
	return in
}

// ignored returns what notes the findings of a target that do not count, nil if all count. That is so where
// others search, or somebody has before: what they have ignored would not be known. A certificate is about all findings, and a
// program beside a model is held to all of it.
func (c *checker) ignored(t *target) (*ignore.Noted, error) {
	s := &t.flags.Search
	asked := s.Baseline != "" || c.ignores.write != ""
	for _, x := range []struct {
		is   bool
		what string
	}{
		{s.NoIgnore, "-no-ignore"},
		{c.proves != "", c.proves},
		{c.distribute != nil, "-distribute"},
		{c.checkpoint != "", "-checkpoint"},
		{c.resume != "", "-resume"},
		{t.spec.Program.Against != "", "heddle conform"},
	} {
		if x.is && asked && (x.what != "-no-ignore" || c.ignores.write != "") {
			return nil, diag.Usagef("-baseline and -write-baseline cannot be had with %s", x.what)
		}
		if x.is {
			return nil, nil
		}
	}
	var files []ignore.File
	for _, f := range t.prog.Files {
		files = append(files, ignore.File(f))
	}
	if err := c.ignores.rules.Read(files); err != nil {
		return nil, err
	}
	return c.ignores.rules.Noted(s.Baseline)
}

// any reports whether there may be findings of a target that do not count.
func (in *ignores) any(t *target) bool {
	return in.write != "" || t.flags.Search.Baseline != "" || in.rules.Marks() > 0
}

// ignoreIn tells in a report what was ignored. With such findings nothing is verified. Goroutines alternate at operations that
// others see, which is enough for programs without races: where one is ignored, it is a bound. And only accesses that can come
// side by side are seen to race: what is read only if an ignored race has set a flag comes later in every order.
func ignoreIn(r *report.Report, n *ignore.Noted, s *execute.Settings) {
	if n == nil {
		return
	}
	orders := false
	for _, h := range n.Hits() {
		orders = orders || h.Orders
		r.Ignored = append(r.Ignored, report.Ignored{Kind: h.Kind, Message: h.Message, Pos: h.Pos, Reason: h.Reason, By: h.By, InFile: h.InFile})
	}
	if len(r.Ignored) > 0 && r.Verdict == report.Verified {
		r.Verdict = report.OnlyIgnored
	}
	if orders && !s.Access {
		r.Met = append(r.Met, report.Setting{Name: "ignored_races", Value: true, Words: "goroutines alternate at synchronisation only, also where a race is ignored"})
	}
	if orders {
		r.Met = append(r.Met, report.Setting{Name: "other_races", Value: true, Words: "other races of the goroutines of an ignored race may be missed"})
	}
}

// tellIgnores writes the baseline, and tells which comments ignore nothing, if everything was looked at.
func (c *checker) tellIgnores(run *report.Run) {
	in := c.ignores
	if in.write != "" {
		n, err := in.rules.Write(in.write)
		if err != nil {
			c.unwritten = append(c.unwritten, fmt.Errorf("-write-baseline: %w", err))
		} else {
			what := "findings, which do"
			if n == 1 {
				what = "finding, which does"
			}
			fmt.Fprintf(c.app.Stderr, "%s: %d %s not count with -baseline %s\n", nearDir(in.write), n, what, quoteArg(filepath.ToSlash(in.write)))
		}
	}
	whole := !in.some && len(run.Reports) > 0 && !slices.ContainsFunc(run.Reports, func(r *report.Report) bool {
		return r.Verdict != report.Verified && r.Verdict != report.OnlyIgnored
	})
	if !whole {
		return
	}
	var looked []string
	for _, p := range run.Properties {
		if p.On {
			looked = append(looked, p.Name)
		}
	}
	run.Unused = in.rules.Unused(looked)
	for _, u := range run.Unused {
		fmt.Fprintf(c.app.Stderr, "unused: %v: %s: %s\n", u.Pos, u.Kind, u.Message)
	}
}
