package graph

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The format .fsm has three parts: the parameters of states with the values that
// they take, a line with the numbers of the values for each state, and the
// transitions. States count from 1, and the first one is the initial one:
//
//	b(2) Bool "false" "true"
//	---
//	0
//	1
//	---
//	1 2 "flip"
//	2 1 "flip"

// A Param is a parameter of states and the values that it takes.
type Param struct {
	Name, Sort string
	Values     []string
}

// Vectors say what states are: for each state, for each parameter, the number of
// its value. The zero Vectors say nothing.
type Vectors struct {
	Params []Param
	States [][]int32
}

// WriteFsm writes the graph as .fsm.
func (g *Graph) WriteFsm(w io.Writer, v Vectors) error {
	b := bufio.NewWriter(w)
	for _, p := range v.Params {
		fmt.Fprintf(b, "%s(%d) %s", p.Name, len(p.Values), p.Sort)
		for _, x := range p.Values {
			b.WriteString(" " + quoteFsm(x))
		}
		b.WriteByte('\n')
	}
	b.WriteString("---\n")
	for n := range g.States {
		if len(v.Params) > 0 {
			for i, x := range v.States[g.swapped(int32(n))] {
				if i > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(strconv.Itoa(int(x)))
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("---\n")
	labels := make([]string, len(g.Labels))
	for i, text := range g.Labels {
		labels[i] = quoteFsm(text)
	}
	for _, t := range g.Transitions {
		fmt.Fprintf(b, "%d %d %s\n", g.swapped(t.From)+1, g.swapped(t.To)+1, labels[t.Label])
	}
	return b.Flush()
}

// swapped numbers states so that the initial one is 0.
func (g *Graph) swapped(s int32) int32 {
	switch int(s) {
	case g.Initial:
		return 0
	case 0:
		return int32(g.Initial)
	}
	return s
}

// quoteFsm puts a text in quotes, with the codes of .aut for what cannot be there.
func quoteFsm(text string) string { return `"` + quoteAut(text) + `"` }

// ReadFsm reads a graph. What its states are is not kept. The name is for errors.
func ReadFsm(name string, r io.Reader) (*Graph, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	g := &Graph{}
	labels := map[string]int32{}
	part, line := 0, 0
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		if text == "---" {
			part++
			continue
		}
		switch part {
		case 0: // parameters
		case 1:
			g.States++
		case 2:
			if text == "" {
				continue
			}
			if err := g.fsmTransition(text, labels); err != nil {
				return nil, diag.Sourcef(diag.Pos{File: name, Line: line}, "%v", err)
			}
		default:
			return nil, diag.Sourcef(diag.Pos{File: name, Line: line}, "want three parts with --- between them, got a fourth")
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, diag.Sourcef(diag.Pos{File: name, Line: line + 1}, "line longer than %d bytes", 1<<24)
	case err != nil:
		return nil, err
	case part != 2:
		return nil, diag.Sourcef(diag.Pos{File: name, Line: line}, "want three parts with --- between them, got %d", part+1)
	}
	// Of states without parameters nothing may be written at all.
	described := g.States
	g.States = max(g.States, 1)
	for _, t := range g.Transitions {
		g.States = max(g.States, int(t.From)+1, int(t.To)+1)
	}
	if err := crowded(g.States, described, len(g.Transitions)); err != nil {
		return nil, diag.Sourcef(diag.Pos{File: name, Line: line}, "%v", err)
	}
	return g, nil
}

// fsmTransition reads a line of the last part.
func (g *Graph) fsmTransition(text string, labels map[string]int32) error {
	from, rest, _ := strings.Cut(text, " ")
	to, label, _ := strings.Cut(strings.TrimSpace(rest), " ")
	f, err1 := strconv.ParseInt(from, 10, 32)
	t, err2 := strconv.ParseInt(to, 10, 32)
	label = strings.TrimSpace(label)
	if err1 != nil || err2 != nil || f < 1 || t < 1 || len(label) < 2 || label[0] != '"' || label[len(label)-1] != '"' {
		return fmt.Errorf("want FROM TO \"LABEL\" with states from 1 on, got %q", text)
	}
	label = unquoteAut(label[1 : len(label)-1])
	n, ok := labels[label]
	if !ok {
		n = int32(len(g.Labels))
		labels[label] = n
		g.Labels = append(g.Labels, label)
	}
	g.Transitions = append(g.Transitions, Transition{int32(f - 1), n, int32(t - 1)})
	return nil
}
