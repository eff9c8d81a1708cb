package chance

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

var escapes = strings.NewReplacer(`"`, "%22", "\n", "%0A", "\r", "%0D", "%", "%25")

// aut writes a distribution as states with probabilities between them; that of the
// last one is what is left.
func (d Distribution) aut() string {
	var b strings.Builder
	for i, s := range d {
		if i > 0 {
			fmt.Fprintf(&b, " %s ", d[i-1].P.RatString())
		}
		fmt.Fprint(&b, s.State)
	}
	return b.String()
}

// WriteAut writes the graph in the format .aut of the mCRL2 toolset for graphs with
// probabilities.
func (g *Graph) WriteAut(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "des (%s,%d,%d)\n", g.Initial.aut(), len(g.Transitions), g.States)
	for _, t := range g.Transitions {
		fmt.Fprintf(b, "(%d,\"%s\",%s)\n", t.From, escapes.Replace(g.Labels[t.Label]), t.To.aut())
	}
	return b.Flush()
}

// fsm writes a distribution in brackets, with states from 1 on, and a single state
// without.
func (d Distribution) fsm() string {
	if len(d) == 1 {
		return fmt.Sprint(d[0].State + 1)
	}
	var parts []string
	for _, s := range d {
		parts = append(parts, fmt.Sprintf("%d %s", s.State+1, s.P.RatString()))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

// WriteFsm writes the graph in the format .fsm, without parameters. The initial
// distribution is a part of its own.
func (g *Graph) WriteFsm(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("---\n" + strings.Repeat("\n", g.States) + "---\n")
	for _, t := range g.Transitions {
		fmt.Fprintf(b, "%d %s \"%s\"\n", t.From+1, t.To.fsm(), escapes.Replace(g.Labels[t.Label]))
	}
	fmt.Fprintf(b, "---\n%s\n", g.Initial.fsm())
	return b.Flush()
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// WriteDot writes the graph for Graphviz. A transition with several ends has a
// point between.
func (g *Graph) WriteDot(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("digraph {\n\tnode [shape=circle]\n")
	fork := func(name string, d Distribution) {
		fmt.Fprintf(b, "\t%s [shape=point]\n", name)
		for _, s := range d {
			fmt.Fprintf(b, "\t%s -> %d [label=\"%s\"]\n", name, s.State, s.P.RatString())
		}
	}
	fork("initial", g.Initial)
	for i, t := range g.Transitions {
		label := dotEscapes.Replace(g.Labels[t.Label])
		if len(t.To) == 1 {
			fmt.Fprintf(b, "\t%d -> %d [label=\"%s\"]\n", t.From, t.To[0].State, label)
			continue
		}
		fmt.Fprintf(b, "\t%d -> d%d [label=\"%s\"]\n", t.From, i, label)
		fork(fmt.Sprintf("d%d", i), t.To)
	}
	b.WriteString("}\n")
	return b.Flush()
}
