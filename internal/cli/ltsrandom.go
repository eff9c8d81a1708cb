package cli

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/chance"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/model"
)

// random does what the command is to do with graphs of which one has
// probabilities, by draws with these names.
func (l *ltsCommand) random(verb string, names []string, graphs []*graph.Graph, draws []string, e graph.Equivalence) (int, error) {
	if l.preorder != "" || (verb == "reduce" || verb == "compare") && e != graph.Strong {
		return 0, diag.Unsupportedf(diag.Pos{File: names[0]}, "a model with dist: its graph is reduced and compared modulo strong probabilistic bisimulation only")
	}
	if verb == "compare" && l.out != "" {
		return 0, diag.Unsupportedf(diag.Pos{File: names[0]}, "a model with dist: there is no formula that tells graphs with probabilities apart")
	}
	if model.Is(l.out) {
		return 0, diag.Unsupportedf(diag.Pos{File: names[0]}, "a model with dist: its graph is not written as a model")
	}
	var list []*chance.Graph
	for i, g := range graphs {
		r, err := chance.Of(g, draws[i])
		if err != nil {
			return 0, err
		}
		list = append(list, r)
	}
	g := list[0]
	switch verb {
	case "info":
		fmt.Fprintf(l.app.Stdout, "states         %d\ntransitions    %d\nlabels         %d\ndeadlocks      %d\nprobabilistic  yes\n",
			g.States, len(g.Transitions), len(g.Labels), g.Deadlocks())
		return 0, nil
	case "compare":
		if chance.Equivalent(g, list[1]) {
			fmt.Fprintf(l.app.Stdout, "equivalent: %s and %s modulo strong probabilistic bisimulation\n", names[0], names[1])
			return 0, nil
		}
		fmt.Fprintf(l.app.Stdout, "different: %s and %s modulo strong probabilistic bisimulation\n", names[0], names[1])
		return diag.ExitFinding, nil
	case "reduce":
		g = chance.Reduce(g)
	}
	return 0, l.app.createFile(l.out, func(w *bytes.Buffer) error {
		switch filepath.Ext(l.out) {
		case ".dot":
			return g.WriteDot(w)
		case ".fsm":
			return g.WriteFsm(w)
		}
		return g.WriteAut(w)
	})
}
