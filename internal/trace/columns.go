package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/lts"
)

// The widths of the column view.
const (
	DefaultWidth = 110
	leastColumn  = 18 // a narrower column has a word a line
	numberWidth  = 6  // number, marks, a space
)

// Columns returns the trace with one column an actor, time running downwards, and
// lines of at most so many characters (0 means DefaultWidth; less than 40 is taken
// as 40). Where there are more actors than columns fit, those that appear last
// share one, in which each step names its actor. Those outside with whom actors
// exchange messages have columns to the right, with arrows to and from them.
func (t *Trace) Columns(line int) string {
	if line <= 0 {
		line = DefaultWidth
	}
	line = max(line, 40)
	names := append(t.actorNames(), t.outsiders()...)
	fit := max((line-numberWidth)/(leastColumn+1), 1)
	g := &grid{names: names, shared: len(names)}
	if len(names) > fit {
		g.shared = fit - 1
		names = append(slices.Clone(names[:fit-1]), "others")
	}
	finding := ""
	if t.Finding.Kind != "" {
		finding = t.Finding.Error()
	}
	if len(names) == 0 {
		return strings.Join(wrap(finding, line), "\n") + "\n"
	}
	g.heads = names
	g.column = min((line-numberWidth)/len(names)-1, 44)
	g.lives(t)
	g.row("", func(c int) []string { return wrap(names[c], g.column) })
	g.row("", func(int) []string { return []string{strings.Repeat("─", g.column)} })
	for i := range t.Before {
		g.event("   ·", &t.Before[i])
	}
	for i := untold(len(t.Steps)); i < len(t.Steps); i++ {
		g.now = i
		s := &t.Steps[i]
		if i+1 == t.Loop {
			g.b.WriteString("loop:\n")
		}
		g.event(fmt.Sprintf("%s%3d%s", s.switchMark(), i+1, s.weightMark()), &s.Event)
		if t.Loop > 0 && i+1 == len(t.Path) {
			fmt.Fprintf(&g.b, "and again from step %d on, forever\n", t.Loop)
		}
	}
	if len(t.Waiting) > 0 {
		g.now = len(t.Steps)
		g.row(" end", func(c int) []string {
			var lines []string
			for _, w := range t.Waiting {
				if g.of(w.Actor) == c {
					lines = append(lines, wrap(g.prefix(w.Actor)+"waits: "+w.For, g.column)...)
				}
			}
			return lines
		})
	}
	for _, l := range wrap(finding, line) {
		g.b.WriteString(l + "\n")
	}
	return g.b.String()
}

// A grid is a column view while it is written.
type grid struct {
	b           strings.Builder
	names       []string // all actors
	heads       []string // of the columns
	shared      int      // the column of the actors from this number on
	column      int      // the width
	first, last []int    // of each column: the steps between which its actor lives
	now         int
}

// event writes a row: what the actor did, and where it did it, and to the right the
// messages. An arrow goes through the columns between.
func (g *grid) event(mark string, e *lts.Event) {
	at := g.of(e.Actor)
	g.row(mark, func(c int) []string {
		var lines []string
		if c == at {
			lines = wrap(g.prefix(e.Actor)+e.Action, g.column)
			if e.Pos.IsValid() {
				lines = append(lines, wrap("  "+shortPlace(e.Pos), g.column)...)
			}
			return lines
		}
		for _, m := range e.Messages {
			far, arrow := m.To, "─► "
			if m.From != e.Actor {
				far, arrow = m.From, "◄─ "
			}
			switch to := g.of(far); {
			case to == c:
				lines = append(lines, wrap(arrow+g.prefix(far)+m.Text, g.column)...)
			case len(lines) == 0 && at < c && c < to:
				lines = []string{strings.Repeat("─", g.column+1)}
			}
		}
		return lines
	})
}

// of returns the column of an actor.
func (g *grid) of(actor string) int { return min(slices.Index(g.names, actor), g.shared) }

// prefix names the actor in the column that several share.
func (g *grid) prefix(actor string) string {
	if g.of(actor) == g.shared {
		return actor + ": "
	}
	return ""
}

// lives notes when the first and the last thing happens in each column.
func (g *grid) lives(t *Trace) {
	g.first, g.last = slices.Repeat([]int{len(t.Steps)}, len(g.heads)), slices.Repeat([]int{-1}, len(g.heads))
	for i := range t.Steps {
		c := g.of(t.Steps[i].Actor)
		g.first[c], g.last[c] = min(g.first[c], i), i
	}
	t.messages(func(i int, m lts.Message) {
		for _, name := range []string{m.From, m.To} {
			c := g.of(name)
			g.first[c], g.last[c] = min(g.first[c], i), max(g.last[c], i)
		}
	})
	for _, e := range t.Before {
		g.first[g.of(e.Actor)] = -1
	}
	for _, w := range t.Waiting {
		g.last[g.of(w.Actor)] = len(t.Steps)
	}
	g.now = -1
}

// row writes one row; a column without text shows whether its actor lives.
func (g *grid) row(mark string, cell func(c int) []string) {
	cells := make([][]string, len(g.heads))
	height := 1
	for c := range cells {
		cells[c] = cell(c)
		height = max(height, len(cells[c]))
	}
	for y := range height {
		line := pad("", numberWidth)
		if y == 0 {
			line = pad(mark, numberWidth)
		}
		for c := range cells {
			text := ""
			switch {
			case y < len(cells[c]):
				text = cells[c][y]
			case g.now > g.first[c] && g.now < g.last[c] && len(cells[c]) == 0:
				text = "│"
			}
			line += pad(pad(text, g.column), g.column+1)
		}
		g.b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// wrap breaks a text into lines of at most n characters, between words where it
// can. Lines after the first are indented.
func wrap(text string, n int) []string {
	var lines []string
	rest := []rune(text)
	indent := ""
	for len(rest) > 0 {
		room := n - len(indent)
		if len(rest) <= room {
			return append(lines, indent+string(rest))
		}
		cut := room
		for i := room; i > room/2; i-- {
			if rest[i] == ' ' {
				cut = i
				break
			}
		}
		lines = append(lines, strings.TrimRight(indent+string(rest[:cut]), " "))
		rest = rest[cut:]
		for len(rest) > 0 && rest[0] == ' ' {
			rest = rest[1:]
		}
		indent = "  "
	}
	return lines
}
