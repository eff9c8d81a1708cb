package graph

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDot writes the graph for Graphviz. The initial state has two rings, states
// without transitions are filled.
func (g *Graph) WriteDot(w io.Writer) error { return g.writeDot(w, "circle", nil) }

// WriteMarkedDot is WriteDot with some lines about each state.
func (g *Graph) WriteMarkedDot(w io.Writer, marks [][]string) error {
	return g.writeDot(w, "box", marks)
}

func (g *Graph) writeDot(w io.Writer, shape string, marks [][]string) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph {\n\tnode [shape=%s]\n", shape)
	for s, list := range marks {
		fmt.Fprintf(b, "\t%d [label=\"%d\\n%s\"]\n", s, s, dotEscapes.Replace(strings.Join(list, "\n")))
	}
	if g.States > 0 {
		fmt.Fprintf(b, "\t%d [peripheries=2]\n", g.Initial)
	}
	for _, s := range g.Deadlocks() {
		fmt.Fprintf(b, "\t%d [style=filled]\n", s)
	}
	for _, t := range g.Transitions {
		fmt.Fprintf(b, "\t%d -> %d [label=\"%s\"]\n", t.From, t.To, dotEscapes.Replace(g.Labels[t.Label]))
	}
	b.WriteString("}\n")
	return b.Flush()
}

var dotEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`)
