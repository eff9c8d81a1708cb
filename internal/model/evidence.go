package model

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/graph"
	"github.com/heddle-mc/heddle/internal/mcrl2/mucalc"
	"github.com/heddle-mc/heddle/internal/trace"
)

// MaxEvidence is the number of claims that evidence may have.
const MaxEvidence = mucalc.MaxClaims

// Evidence is why a formula holds or does not: a part of the graph of the model, of
// which the formula says the same, and which parts of the formula hold in its states.
type Evidence struct {
	Graph *graph.Graph

	claims []mucalc.Claim
	end    int
	steps  []string // the label of each transition that claims have as a reason
}

// evidence gives evidence the texts of labels. There is none of what is too large.
func (p *Systems) evidence(e *mucalc.Why) *Evidence {
	if e == nil {
		return nil
	}
	out := &Evidence{claims: e.Claims, end: e.End}
	var b graph.Builder
	name := func(s int32) []byte { return fmt.Appendf(nil, "%d", s) }
	for _, s := range e.States {
		b.State(nil, name(s), 0)
	}
	for _, x := range e.Edges {
		text := p.systems[0].LabelText(x.Label)
		out.steps = append(out.steps, text)
		b.Add(name(x.From), text, name(x.To))
	}
	out.Graph = b.Graph()
	return out
}

// Size says how large it is.
func (e *Evidence) Size() string {
	return fmt.Sprintf("%s, %s", count(e.Graph.States, "state"), count(len(e.Graph.Transitions), "transition"))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// End says what holds, or does not, at the end of the way that comes with it.
func (e *Evidence) End() string {
	c := &e.claims[e.about(e.end)]
	text := fmt.Sprintf("%s (%v)", statement(c), c.At)
	if c.Modal && len(c.Because) == 0 {
		text += ": there is no such step"
	}
	return text
}

// Branches reports whether one way is not all of it.
func (e *Evidence) Branches() bool {
	for i := range e.claims {
		if len(e.claims[i].Because) > 1 {
			return true
		}
	}
	return false
}

func statement(c *mucalc.Claim) string {
	text := c.Part + " does not hold"
	if c.Holds {
		text = c.Part + " holds"
	}
	if c.Values != "" {
		text += ", " + c.Values
	}
	return text
}

// about returns the claim that a claim comes to: fixed points are left out.
func (e *Evidence) about(i int) int {
	for range e.claims {
		c := &e.claims[i]
		if !c.Same || len(c.Because) != 1 {
			break
		}
		i = c.Because[0].Claim
	}
	return i
}

// Lines returns the claims as text, with their reasons, at most so many lines if that
// is not 0, and how many claims are left out.
func (e *Evidence) Lines(most int) ([]string, int) {
	var lines []string
	number := map[int]int{}
	var list []int
	note := func(i int) int {
		i = e.about(i)
		n, ok := number[i]
		if !ok {
			list = append(list, i)
			n = len(list)
			number[i] = n
		}
		return n
	}
	note(0)
	for k := 0; k < len(list); k++ {
		c := &e.claims[list[k]]
		own := []string{fmt.Sprintf("%4d  state %d: %s (%v)", k+1, c.State, statement(c), c.At)}
		var because []string
		for _, r := range c.Because {
			if r.Edge < 0 {
				because = append(because, fmt.Sprint(note(r.Claim)))
			} else {
				own = append(own, fmt.Sprintf("        %s leads to %d", e.steps[r.Edge], note(r.Claim)))
			}
		}
		switch {
		case len(because) > 0:
			own[0] += ", because of " + strings.Join(because, ", ")
		case c.Modal && len(c.Because) == 0:
			own[0] += ": there is no such step"
		}
		if most == 0 || len(lines)+len(own) <= most {
			lines = append(lines, own...)
			continue
		}
		left := len(list) - k
		return lines, left
	}
	return lines, 0
}

// A Told claim is one with numbers instead of places in lists, and its reasons.
type Told struct {
	State   int
	Part    string
	Values  string // of its variables, "n = 3, b = true" say, or ""
	At      diag.Pos
	Holds   bool
	Because []ToldReason
}

// A ToldReason is another claim, by its number from 0, and the label that leads to its state, or "" if it is about the
// same one.
type ToldReason struct {
	Claim int
	Step  string
}

// Claims returns the claims, as Lines numbers them, and which of them is that of the end of the way. The first is that of
// the formula.
func (e *Evidence) Claims() (list []Told, end int) {
	order, number := e.order()
	for _, i := range order {
		c := &e.claims[i]
		told := Told{State: c.State, Part: c.Part, Values: c.Values, At: c.At, Holds: c.Holds}
		for _, r := range c.Because {
			step := ""
			if r.Edge >= 0 {
				step = e.steps[r.Edge]
			}
			told.Because = append(told.Because, ToldReason{number[e.about(r.Claim)], step})
		}
		list = append(list, told)
	}
	end, ok := number[e.about(e.end)]
	if !ok {
		end = -1
	}
	return list, end
}

// order returns the claims that are told, each after one that it is a reason of, and their numbers.
func (e *Evidence) order() (list []int, number map[int]int) {
	list, number = []int{e.about(0)}, map[int]int{e.about(0): 0}
	for k := 0; k < len(list); k++ {
		for _, r := range e.claims[list[k]].Because {
			if i := e.about(r.Claim); !has(number, i) {
				number[i] = len(list)
				list = append(list, i)
			}
		}
	}
	return list, number
}

func has(m map[int]int, i int) bool { _, ok := m[i]; return ok }

// Files returns the files about it: the graph for tools and for people, and the claims.
func (e *Evidence) Files() ([]trace.File, error) {
	var aut, dot, text bytes.Buffer
	if err := e.Graph.WriteAut(&aut); err != nil {
		return nil, err
	}
	if err := e.writeDot(&dot); err != nil {
		return nil, err
	}
	lines, _ := e.Lines(0)
	text.WriteString(strings.Join(lines, "\n") + "\n")
	return []trace.File{{Name: "evidence.aut", Data: aut.Bytes()}, {Name: "evidence.dot", Data: dot.Bytes()}, {Name: "evidence.txt", Data: text.Bytes()}}, nil
}

// writeDot writes the graph with what holds, and does not, in its states.
func (e *Evidence) writeDot(w io.Writer) error {
	marks := make([][]string, e.Graph.States)
	known := map[[2]string]bool{}
	for i := range e.claims {
		c := &e.claims[e.about(i)]
		key := [2]string{fmt.Sprint(c.State), statement(c)}
		if !known[key] {
			known[key] = true
			marks[c.State] = append(marks[c.State], key[1])
		}
	}
	return e.Graph.WriteMarkedDot(w, marks)
}
