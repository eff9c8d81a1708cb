package report

import (
	"regexp"
	"strings"
)

// A stepLine of a story has a mark for a change of who moves, a number, and a mark for how much the step matters.
var stepLine = regexp.MustCompile(`^([>! ])( +[0-9]+ )([* -])( .*)$`)

// story colours the lines of a story: marks, and what does not matter.
func (p paint) story(text string) string {
	if !p {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		line, end := strings.TrimSuffix(line, "\n"), "\n"
		switch m := stepLine.FindStringSubmatch(line); {
		case m != nil && m[3] == "-":
			b.WriteString(p.with("2", line))
		case m != nil:
			b.WriteString(p.mark(m[1], "36") + m[2] + p.mark(m[3], "33") + m[4])
		case line == "blocked:":
			b.WriteString(p.bold(line))
		default:
			b.WriteString(line)
		}
		b.WriteString(end)
	}
	return b.String()
}

// mark colours a mark, if there is one.
func (p paint) mark(s, code string) string {
	if s == " " {
		return s
	}
	return p.with(code, s)
}
