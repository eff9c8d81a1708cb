package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/model"
)

var cmdLts = &command{
	name:  "lts",
	words: func() []string { return []string{"info", "convert", "reduce", "compare"} },
	noted: true,
	args:  "[info|convert|reduce|compare] MODEL|GRAPH...",
	short: "write the graph of an mCRL2 model; reduce and compare graphs",
	mixed: true,
	long: `Lts explores a model, all of it, and writes its states and transitions to a
file. It also works on such graphs:

  heddle lts model.mcrl2 -o out.aut         or .dot or .fsm
  heddle lts info out.aut                   states, transitions, deadlocks
  heddle lts convert out.aut -o out.dot
  heddle lts convert out.aut -o out.mcrl2   a model that has this graph
  heddle lts reduce -equivalence branching out.aut -o small.aut
  heddle lts compare -equivalence weak a.aut b.fsm
  heddle lts compare -preorder failures implementation.aut specification.aut

Graphs are files .aut and .fsm; a model may stand for its graph everywhere.
Without -o a graph is printed as .aut. Compare exits with 0 if the graphs are
equivalent and with 1 if they are not, and says why: a formula that holds for one
and not for the other, which -o file.mcf writes for heddle check -formula, and of
traces a shortest one that only one of them has. Equivalences are strong,
branching, divergence-branching, weak, divergence-weak, trace and weak-trace. With
-preorder the first graph may do less than the second: simulation,
ready-simulation, trace, weak-trace, failures and weak-failures. The names of
mCRL2's tools are understood, too.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		l := ltsCommand{app: app}
		fs.StringVar(&l.out, "o", "", "write the graph to `file`: .aut, .dot, .fsm, or as a model, .mcrl2 or .lps; of compare a formula: .mcf")
		fs.StringVar(&l.equivalence, "equivalence", "strong", "reduce or compare modulo this `equivalence`")
		fs.StringVar(&l.preorder, "preorder", "", "compare whether the first graph does no more than the second, by this `preorder`")
		fs.Var(&l.tau, "tau", "actions with these `names`, separated by commas, are tau, too")
		fs.Var(&l.passes, "optimise", passHelp)
		fs.BoolVar(&l.confluence, "confluence", false, confluenceHelp)
		fs.Int64Var(&l.states, "states", 0, "give up after `n` states; 0 means no limit")
		return l.run
	},
}

// An ltsCommand is a use of the command.
type ltsCommand struct {
	app              *App
	out, equivalence string
	preorder         string
	tau              tagList
	passes           passList
	states           int64
	confluence       bool
	vectors          graph.Vectors
	draws            string // name of the draws of the model that was read last, if it has dist
}

// run takes the arguments of the command.
func (l *ltsCommand) run(_ context.Context, args []string) (int, error) {
	verb := "convert"
	if len(args) > 0 && slices.Contains([]string{"info", "convert", "reduce", "compare"}, args[0]) {
		verb, args = args[0], args[1:]
	}
	want := 1
	if verb == "compare" {
		want = 2
	}
	if len(args) != want {
		return 0, diag.Usagef("%s takes %d of models and graphs, got %d", verb, want, len(args))
	}
	switch ext := filepath.Ext(l.out); {
	case verb == "compare" && l.out != "" && ext != ".mcf":
		return 0, diag.Usagef("-o %s: a formula is written, the name has to end in .mcf", l.out)
	case verb == "compare" || slices.Contains([]string{"", ".aut", ".dot", ".fsm", ".mcrl2", ".lps"}, ext):
	default:
		return 0, diag.Usagef("-o %s: the name has to end in .aut, .dot, .fsm, .mcrl2 or .lps", l.out)
	}
	e, err := parseEquivalence(l.equivalence)
	if err != nil {
		return 0, err
	}
	var below graph.Preorder
	if l.preorder != "" {
		if verb != "compare" {
			return 0, diag.Usagef("-preorder goes with compare")
		}
		if below, err = graph.ParsePreorder(l.preorder); err != nil {
			return 0, err
		}
	}
	var graphs, whole []*graph.Graph
	var draws []string
	for _, name := range args {
		l.draws = ""
		g, err := l.read(name, verb == "convert")
		if err != nil {
			return 0, err
		}
		draws = append(draws, l.draws)
		whole, graphs = append(whole, g), append(graphs, model.Hide(g, l.tau))
	}
	if strings.Join(draws, "") != "" {
		return l.random(verb, args, graphs, draws, e)
	}
	switch verb {
	case "info":
		l.info(graphs[0])
		return 0, nil
	case "compare":
		shown := model.NamesOf(whole, l.tau)
		if l.preorder != "" {
			return l.within(args, graphs, below, shown)
		}
		return l.compare(args, graphs, e, shown)
	case "reduce":
		if graphs[0], err = graph.Reduce(graphs[0], e, model.TauText); err != nil {
			return 0, err
		}
	}
	return 0, l.write(graphs[0])
}

// shortEquivalences are names besides those of mCRL2's tools.
var shortEquivalences = map[string]graph.Equivalence{
	"strong": graph.Strong, "branching": graph.Branching, "divergence-branching": graph.DivergenceBranching,
	"weak": graph.Weak, "divergence-weak": graph.DivergenceWeak, "trace": graph.Trace, "weak-trace": graph.WeakTrace,
}

func parseEquivalence(name string) (graph.Equivalence, error) {
	if e, ok := shortEquivalences[name]; ok {
		return e, nil
	}
	e, err := graph.ParseEquivalence(name)
	if err != nil {
		return e, diag.Usagef("unknown equivalence %q: say strong, branching, divergence-branching, weak, divergence-weak, trace or weak-trace", name)
	}
	return e, nil
}

// read reads a graph, or explores a model.
func (l *ltsCommand) read(name string, vectors bool) (*graph.Graph, error) {
	if model.Is(name) {
		return l.explore(name, vectors && filepath.Ext(l.out) == ".fsm")
	}
	read := graph.ReadAut
	switch filepath.Ext(name) {
	case ".fsm":
		read = graph.ReadFsm
	case ".aut":
	case ".lts":
		return nil, diag.Usagef("%s: the toolset's binary format is not read; ltsconvert writes it as .aut or .fsm", name)
	default:
		return nil, diag.Usagef("%s: graphs end in .aut or .fsm, and models in .mcrl2 or .lps", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	defer f.Close()
	return read(name, f)
}

// explore explores a model.
func (l *ltsCommand) explore(name string, vectors bool) (g *graph.Graph, err error) {
	mod, err := model.Load(name, l.passes.or(model.UsualPasses))
	if err != nil {
		return nil, err
	}
	if mod.LPS.Draws != "" {
		l.draws, vectors = mod.LPS.Draws, false
	}
	in := l.app.watchInterrupt()
	defer in.stop()
	p := &progress{w: l.app.Stderr, terminal: isTerminal(l.app.Stderr), width: terminalWidth(l.app.Stderr), name: name}
	defer p.clear()
	o := explore.Options{Limits: explore.Limits{States: l.states}, Clock: startMeter().elapsed, Interrupt: in.poll, Progress: p.show}
	if g, l.vectors, err = mod.Graph(o, vectors, l.confluence); err != nil {
		return nil, withKind(err)
	}
	return g, nil
}

// write writes a graph to the file that was asked for.
func (l *ltsCommand) write(g *graph.Graph) error {
	return l.app.createFile(l.out, func(w *bytes.Buffer) error {
		switch filepath.Ext(l.out) {
		case ".dot":
			return g.WriteDot(w)
		case ".fsm":
			return g.WriteFsm(w, l.vectors)
		case ".mcrl2", ".lps":
			text, err := model.FromGraph(l.out, g)
			w.WriteString(text)
			return err
		}
		return g.WriteAut(w)
	})
}

func (l *ltsCommand) info(g *graph.Graph) {
	i := g.Info()
	words := map[bool]string{true: "yes", false: "no"}
	fmt.Fprintf(l.app.Stdout, "states         %d\ntransitions    %d\nlabels         %d\ndeadlocks      %d\nreachable      %d\ndeterministic  %s\n",
		i.States, i.Transitions, i.Labels, i.Deadlocks, i.Reachable, words[i.Deterministic])
	if n, w := g.TwoWays(); w != nil {
		fmt.Fprintf(l.app.Stdout, "two ways       in %s of those that can be reached: in state %d", statesText(n), w.State)
		if len(w.Trace) > 20 {
			fmt.Fprintf(l.app.Stdout, ", behind %d steps", len(w.Trace))
			w.Trace = nil
		}
		for k, label := range w.Trace {
			fmt.Fprint(l.app.Stdout, [...]string{", behind ", " . "}[min(k, 1)], g.Labels[label])
		}
		fmt.Fprintf(l.app.Stdout, ", %s leads to %d and to %d\n", g.Labels[w.Label], w.To, w.Or)
	}
}

func statesText(n int) string {
	if n == 1 {
		return "1 state"
	}
	return fmt.Sprintf("%d states", n)
}

// compare tells whether two graphs are equivalent. Shown is how formulas name labels.
func (l *ltsCommand) compare(names []string, graphs []*graph.Graph, e graph.Equivalence, shown model.Names) (int, error) {
	same, witness, err := graph.Compare(graphs[0], graphs[1], e, model.TauText)
	if err != nil {
		return 0, err
	}
	if same {
		fmt.Fprintf(l.app.Stdout, "equivalent: %s and %s modulo %v\n", names[0], names[1], e)
		return 0, nil
	}
	fmt.Fprintf(l.app.Stdout, "different: %s and %s modulo %v\n", names[0], names[1], e)
	return diag.ExitFinding, l.why(names, graphs, e, witness, shown)
}

// within tells whether the first of two graphs does no more than the second.
func (l *ltsCommand) within(names []string, graphs []*graph.Graph, p graph.Preorder, shown model.Names) (int, error) {
	more, err := graph.Within(graphs[0], graphs[1], p, model.TauText)
	if err != nil {
		return 0, err
	}
	if more == nil {
		fmt.Fprintf(l.app.Stdout, "included: %s is below %s in the preorder %v\n", names[0], names[1], p)
		return 0, nil
	}
	fmt.Fprintf(l.app.Stdout, "not included: %s is not below %s in the preorder %v\n", names[0], names[1], p)
	switch {
	case more.Refuses != nil:
		l.trace(fmt.Sprintf("a trace of %s behind which it refuses {%s}", names[0], strings.Join(more.Refuses, ", ")), more.Trace)
	case more.Trace != nil:
		l.trace(fmt.Sprintf("a trace that only %s has", names[0]), more.Trace)
	}
	return diag.ExitFinding, l.formula(names, more.Formula, more.Labels, shown)
}

// trace prints a trace.
func (l *ltsCommand) trace(what string, labels []string) {
	fmt.Fprintf(l.app.Stdout, "%s:\n", what)
	for _, label := range labels {
		fmt.Fprintf(l.app.Stdout, "  %s\n", label)
	}
}

// why says why two graphs are different.
func (l *ltsCommand) why(names []string, graphs []*graph.Graph, e graph.Equivalence, witness []string, shown model.Names) error {
	var f *graph.Formula
	var labels []string
	if e < graph.Trace {
		f, labels = graph.Distinguish(graphs[0], graphs[1], e, model.TauText)
	} else {
		tau := ""
		if e == graph.WeakTrace {
			tau = model.TauText
		}
		if !graphs[0].HasTrace(witness, tau) {
			names = []string{names[1], names[0]}
		}
		l.trace(fmt.Sprintf("a trace that only %s has", names[0]), witness)
		f, labels = graph.TraceFormula(witness, tau)
	}
	return l.formula(names, f, labels, shown)
}

// formula prints and writes a formula that holds for the first of two graphs.
func (l *ltsCommand) formula(names []string, f *graph.Formula, labels []string, shown model.Names) error {
	if f == nil {
		if l.out != "" {
			return diag.Incompletef("-o %s: no formula of less than %d operators was found", l.out, graph.MaxFormula)
		}
		fmt.Fprintf(l.app.Stdout, "no formula of less than %d operators was found that tells them apart\n", graph.MaxFormula)
		return nil
	}
	text := f.Text(labels, shown.Of, model.TauText)
	fmt.Fprintf(l.app.Stdout, "a formula that holds for %s and not for %s:\n  %s\n", names[0], names[1], text)
	if l.out == "" {
		return nil
	}
	return l.app.createFile(l.out, func(w *bytes.Buffer) error {
		fmt.Fprintf(w, "%% It holds for %s and not for %s.\n", names[0], names[1])
		if list := shown.Plain(append(f.Labels(labels), model.TauText)); len(list) > 0 {
			text = "act " + strings.Join(list, ", ") + ";\nform " + text + ";"
		}
		_, err := fmt.Fprintln(w, text)
		return err
	})
}
