package cli

import (
	"fmt"
	"io"
	"time"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/mcrl2/symbolic"
	"github.com/heddle-mc/heddle/internal/report"
)

// How often progress is told.
const (
	progressTerminal = 200 * time.Millisecond
	progressLine     = 10 * time.Second
)

// A progress tells on standard error how far a search has come: on a terminal in
// one line that is written again and again, elsewhere in a line now and then.
type progress struct {
	w        io.Writer
	terminal bool
	width    int // of the terminal, 0 if it is not known
	name     string
	last     int64       // when it was told last, in nanoseconds of the search
	beyond   bool        // it was told that the search will not be conclusive
	shown    bool        // a line on the terminal is to be removed
	quiet    func() bool // others are told of now; nil for never
}

// show is told by the search. What makes it inconclusive, a name that is not known say, can often be mended, so
// it is told before the end.
func (p *progress) show(s explore.Progress) {
	if s.Beyond != "" && !p.beyond {
		p.clear()
		fmt.Fprintf(p.w, "%s: not covered: %s; the search goes on\n", p.name, s.Beyond)
		p.beyond = true
	}
	p.line(s.Elapsed, func() string { return progressText(p.name, s) })
}

// symbolic is told by a symbolic search.
func (p *progress) symbolic(s symbolic.Progress, elapsed int64) {
	p.line(elapsed, func() string {
		return fmt.Sprintf("%s: symbolic: %d nodes, %d steps of summands, %s, %s", p.name, s.Nodes, s.Learned, sizeText(s.Bytes), time.Duration(elapsed).Round(time.Second))
	})
}

// line shows a text if it is time to.
func (p *progress) line(elapsed int64, text func() string) {
	if p.quiet != nil && p.quiet() {
		return
	}
	every := progressLine
	if p.terminal {
		every = progressTerminal
	}
	if elapsed-p.last < int64(every) {
		return
	}
	p.last = elapsed
	if p.terminal {
		p.rewrite(text())
		return
	}
	fmt.Fprintln(p.w, text())
}

// say tells what happens after the search.
func (p *progress) say(what string) {
	if p.terminal && (p.quiet == nil || !p.quiet()) {
		p.rewrite(p.name + ": " + what)
	}
}

// rewrite shows a text in place of the one before. A line that wraps could not be
// rewritten, so it is cut on its left, where the name is.
func (p *progress) rewrite(text string) {
	if r := []rune(text); p.width > 1 && len(r) >= p.width {
		text = "…" + string(r[len(r)-p.width+2:])
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	p.shown = true
}

// clear removes the line from the terminal.
func (p *progress) clear() {
	if p.shown {
		io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}

func progressText(name string, s explore.Progress) string {
	text := fmt.Sprintf("%s: %d states, %d/s, depth %d, frontier %d, %s, %s",
		name, s.States, s.Rate, s.Depth, s.Frontier, sizeText(s.Bytes), time.Duration(s.Elapsed).Round(time.Second))
	if s.Estimate != nil {
		if e := s.Estimate(); e.Known() {
			text += ", " + (&report.Estimate{Left: e.Left, AtLeast: e.AtLeast, Seconds: float64(e.Time) / 1e9}).Words()
		}
	}
	return text
}

// sizeText prints bytes for a person.
func sizeText(n int64) string {
	unit := 0
	f := float64(n)
	for f >= 1024 && unit < 4 {
		f /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, [...]string{"", "KiB", "MiB", "GiB", "TiB"}[unit])
}
