package graph

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// WriteDot writes the graph for Graphviz. The initial state has two rings, states
// without transitions are filled.
func (g *Graph) WriteDot(w io.Writer) error {
	b := bufio.NewWriter(w)
	b.WriteString("digraph {\n\tnode [shape=circle]\n")
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
