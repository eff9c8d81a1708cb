package execute_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// compileText compiles the text of a main package.
func compileText(t testing.TB, src string) *bytecode.Program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	return compileFile(t, file)
}

// compileFile compiles a main package of one file.
func compileFile(t testing.TB, file string) *bytecode.Program {
	t.Helper()
	return execute.CompileShared(t, file)
}

// A way is how a program is searched.
type way struct {
	explore.Options
	execute.Settings
	args  []string // of the program, nil for none
	mixed bool     // reduction is asked in half of the states, and all steps are followed in the others
}

// A mixture keeps all steps of some states, as who certifies may be told to.
type mixture struct{ *execute.System }

func (m mixture) Reduced(dst []lts.Step) []lts.Step {
	if xxh3.Hash(m.AppendKey(nil))&1 == 0 {
		return m.Enabled(dst)
	}
	return m.System.Reduced(dst)
}

// A search is what one search has shown.
type search struct {
	*explore.Result
	ends []string // the states without steps, sorted; nil with several workers
}

// An endCollector collects the states without steps.
type endCollector struct {
	ends map[string]bool
	buf  []lts.Step
}

func (c *endCollector) State(sys lts.System, _ []byte, _ int) {
	if c.buf = sys.Enabled(c.buf[:0]); len(c.buf) > 0 {
		return
	}
	if one, ok := sys.(interface{ Machine() *drive.Machine }); ok {
		c.ends[string(one.Machine().AppendUntimedKey(nil))] = true
	} else {
		c.ends[string(sys.AppendKey(nil))] = true
	}
}

func (c *endCollector) Step(lts.System, []byte, []byte, lts.Step, lts.Label) {}

// shortSteps is the fuel with which programs that go around in circles are searched: a step
// without an end takes long with that of the command.
const shortSteps = 4000

// searchFor searches a program, as the command does.
func searchFor(prog *bytecode.Program, w way) (search, error) {
	pool := &check.Pool{Make: func() (lts.System, error) {
		sys, err := execute.NewSystem(prog, execute.Process{Args: w.args, Env: []string{}, Dir: "/"}, w.Settings)
		if err != nil {
			return nil, err
		}
		if w.mixed {
			return mixture{sys}, nil
		}
		return sys, nil
	}}
	defer pool.Close()
	var c *endCollector
	task := check.Task{Settings: &w.Settings, Pool: pool, Options: w.Options, Begin: func(o *explore.Options, _ execute.Known) error {
		c = &endCollector{ends: map[string]bool{}}
		if w.Workers < 2 && w.Strategy <= explore.BreadthFirst {
			o.Observer = c
		}
		return nil
	}}
	out, err := task.Search()
	if err != nil {
		return search{}, err
	}
	return search{Result: out.Result, ends: slices.Sorted(maps.Keys(c.ends))}, nil
}

// searchOnce searches a program, and returns what it was wrong to assume.
func searchOnce(prog *bytecode.Program, w way) (_ search, wrong []*execute.Found, _ error) {
	var made []*execute.System
	newSystem := func() (lts.System, error) {
		sys, err := execute.NewSystem(prog, execute.Process{Args: w.args, Env: []string{}, Dir: "/"}, w.Settings)
		if err == nil {
			made = append(made, sys)
		}
		if w.mixed {
			return mixture{sys}, err
		}
		return sys, err
	}
	defer func() {
		for _, sys := range made {
			sys.Close()
		}
	}()
	c := &endCollector{ends: map[string]bool{}}
	if w.Workers < 2 && w.Strategy <= explore.BreadthFirst {
		w.Observer = c
	}
	r, err := explore.Run(newSystem, w.Options)
	if err != nil {
		return search{}, nil, err
	}
	s := search{Result: r}
	for key := range c.ends {
		s.ends = append(s.ends, key)
	}
	slices.Sort(s.ends)
	for _, sys := range made {
		wrong = append(wrong, sys.Found())
	}
	return s, wrong, nil
}

// found lists the findings of a search: kind, message and place, sorted.
func (s search) found() []string {
	var list []string
	for _, f := range s.Findings {
		list = append(list, f.Kind+": "+f.Message+" at "+filepath.Base(f.Pos.String()))
	}
	slices.Sort(list)
	return list
}

// kinds lists the kinds of the findings, sorted.
func (s search) kinds() []string {
	var list []string
	for _, f := range s.Findings {
		list = append(list, f.Kind)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// beyond lists what the program does that is not supported.
func (s search) beyond() string {
	var list []string
	for _, l := range s.Left {
		if l.Reason == explore.SystemBound {
			list = append(list, l.Text)
		}
	}
	return strings.Join(list, "; ")
}

// cutOff reports whether a limit ended the search.
func (s search) cutOff() bool {
	return slices.ContainsFunc(s.Left, func(l explore.Left) bool { return l.Reason != explore.SystemBound })
}

// An agreement is what searches of one program have shown.
type agreement struct {
	plain, reduced search
	assumed        search // of agreeEvents: reduced with what the command takes for granted
}

// whole reports whether both searches saw everything, so that all was compared.
func (a agreement) whole() bool {
	return a.plain.Result != nil && !a.plain.cutOff() && !a.reduced.cutOff()
}

// agree searches a program in many ways and returns how they disagree, "" if they
// do not. If only the plain search is cut off at the limit of states, what it has
// found must be found by the reduced one; if both are, nothing is compared.
func agree(prog *bytecode.Program, limit int64, s execute.Settings) (a agreement, complaint string) {
	return agreeBy(searchFor, prog, limit, s)
}

func agreeBy(search1 func(*bytecode.Program, way) (search, error), prog *bytecode.Program, limit int64, s execute.Settings) (a agreement, complaint string) {
	defer func() {
		if r := recover(); r != nil {
			complaint = fmt.Sprintf("internal bug: %v", r)
		}
	}()
	mixed := false
	run := func(o explore.Options) search {
		o.All, o.Limits.States = true, limit
		r, err := search1(prog, way{Options: o, Settings: s, mixed: mixed})
		if err != nil {
			panic(err)
		}
		return r
	}
	a.reduced = run(explore.Options{Reduce: true})
	a.plain = run(explore.Options{})
	if c := compareReduced(a.plain, a.reduced); c != "" {
		return a, c
	}
	if a.whole() && a.reduced.States > a.plain.States { // where half of the states are reduced there may be more, since it has other views
		return a, fmt.Sprintf("%d states reduced, %d plain", a.reduced.States, a.plain.States)
	}
	mixed = true
	if c := compareReduced(a.plain, run(explore.Options{Reduce: true})); c != "" {
		return a, "reduced in half of the states: " + c
	}
	mixed = false
	for _, first := range []search{a.plain, a.reduced} {
		if first.cutOff() {
			continue
		}
		reduce := first.Result == a.reduced.Result
		for _, o := range []explore.Options{
			{Strategy: explore.BreadthFirst, Reduce: reduce, NewSet: func() stateset.Set { return stateset.NewExact() }},
			{Workers: 2, Reduce: reduce},
			{Strategy: explore.BreadthFirst, Workers: 2, Reduce: reduce},
		} {
			if c := compareOrder(first, run(o)); c != "" {
				return a, fmt.Sprintf("%v with %d workers, reduce %v: %s", o.Strategy, max(o.Workers, 1), reduce, c)
			}
		}
	}
	return a, ""
}

// compareReduced holds a reduced search against the plain one.
func compareReduced(plain, reduced search) string {
	if reduced.cutOff() {
		return ""
	}
	if plain.cutOff() {
		for _, kind := range plain.kinds() {
			if !slices.Contains(reduced.kinds(), kind) {
				return fmt.Sprintf("reduced: %s %v, a part of plain: %s %v", reduced.Verdict, reduced.found(), plain.Verdict, plain.found())
			}
		}
		return ""
	}
	switch {
	case plain.Verdict != reduced.Verdict, !slices.Equal(plain.kinds(), reduced.kinds()):
		return fmt.Sprintf("reduced: %s %v, plain: %s %v", reduced.Verdict, reduced.found(), plain.Verdict, plain.found())
	case !slices.Equal(plain.ends, reduced.ends):
		return fmt.Sprintf("%d final states reduced, %d plain: %s", len(reduced.ends), len(plain.ends), differ(plain, reduced))
	case !slices.Equal(plain.places(), reduced.places()):
		return fmt.Sprintf("other places: %s", differ(plain, reduced))
	case plain.beyond() != reduced.beyond():
		return fmt.Sprintf("reduced: not followed %s, plain: %s", reduced.beyond(), plain.beyond())
	}
	return ""
}

// compareOrder holds two searches against each other that differ only in order.
func compareOrder(first, other search) string {
	switch {
	case first.Verdict != other.Verdict, !slices.Equal(first.found(), other.found()):
		return fmt.Sprintf("got %s %v, want %s %v", other.Verdict, other.found(), first.Verdict, first.found())
	case first.States != other.States, first.Transitions != other.Transitions:
		return fmt.Sprintf("got %d states, %d transitions, want %d, %d", other.States, other.Transitions, first.States, first.Transitions)
	case other.ends != nil && !slices.Equal(first.ends, other.ends):
		return fmt.Sprintf("got %d final states, want %d", len(other.ends), len(first.ends))
	case first.beyond() != other.beyond():
		return fmt.Sprintf("got not followed %s, want %s", other.beyond(), first.beyond())
	}
	return ""
}

// places lists the kinds and places of findings that do not depend on the order
// of steps. A race is known by the first of its accesses in a block, which does.
func (s search) places() []string {
	var list []string
	for _, f := range s.Findings {
		if f.Kind != "race" && f.Kind != "fatal" {
			list = append(list, f.Kind+" at "+f.Pos.String())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// differ says what one search has found and the other has not.
func differ(plain, reduced search) string {
	var list []string
	for _, f := range plain.found() {
		if !slices.Contains(reduced.found(), f) {
			list = append(list, "only plain: "+f)
		}
	}
	for _, f := range reduced.found() {
		if !slices.Contains(plain.found(), f) {
			list = append(list, "only reduced: "+f)
		}
	}
	return strings.Join(list, "; ")
}
