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

// The format of Aldebaran (.aut) is what the tools of this field exchange:
//
//	des (0,2,3)
//	(0,"coin",1)
//	(1,"tea, hot",2)
//
// The first line has the initial state, the number of transitions and the number
// of states. Labels are in quotes, and have no way to hold one; we write a quote
// and the ends of lines as %22, %0A and %0D, and the % of what already looks like
// that as %25. A text without these is written as it is.

// WriteAut writes the graph as .aut.
func (g *Graph) WriteAut(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "des (%d,%d,%d)\n", g.Initial, len(g.Transitions), g.States)
	labels := make([]string, len(g.Labels))
	for i, text := range g.Labels {
		labels[i] = quoteAut(text)
	}
	var line []byte
	for _, t := range g.Transitions {
		line = append(line[:0], '(')
		line = strconv.AppendInt(line, int64(t.From), 10)
		line = append(line, ',', '"')
		line = append(line, labels[t.Label]...)
		line = append(line, '"', ',')
		line = strconv.AppendInt(line, int64(t.To), 10)
		line = append(line, ')', '\n')
		b.Write(line) // a Writer keeps its error for Flush
	}
	return b.Flush()
}

var autSpecial = map[byte]string{'"': "%22", '\n': "%0A", '\r': "%0D"}

func quoteAut(text string) string {
	if !strings.ContainsAny(text, "\"\n\r%") {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		code, special := autSpecial[text[i]]
		_, coded := autCode(text[i:])
		switch {
		case special:
			b.WriteString(code)
		case coded:
			b.WriteString("%25")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// autCode returns the character that a text starts with a code of.
func autCode(text string) (byte, bool) {
	if len(text) >= 3 {
		switch text[:3] {
		case "%22":
			return '"', true
		case "%0A":
			return '\n', true
		case "%0D":
			return '\r', true
		case "%25":
			return '%', true
		}
	}
	return 0, false
}

func unquoteAut(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if c, ok := autCode(text[i:]); ok {
			b.WriteByte(c)
			i += 3
			continue
		}
		b.WriteByte(text[i])
		i++
	}
	return b.String()
}

// ReadAut reads a graph. Labels without quotes and blanks between the parts are
// accepted; probabilities are not. States that are in no transition are accepted up to
// a number. The name is for errors.
func ReadAut(name string, r io.Reader) (*Graph, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	p := &autReader{name: name}
	for lines.Scan() {
		p.line++
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		var err error
		if !p.started {
			err = p.header(text)
		} else {
			err = p.transition(text)
		}
		if err != nil {
			return nil, err
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		p.line++
		return nil, p.errorf("line longer than %d bytes", 1<<24)
	case err != nil:
		return nil, err
	case !p.started:
		return nil, p.errorf("want des (initial,transitions,states), got nothing")
	case p.want != len(p.b.g.Transitions):
		return nil, p.errorf("got %d transitions, the first line says %d", len(p.b.g.Transitions), p.want)
	}
	return p.b.Graph(), nil
}

type autReader struct {
	name    string
	line    int
	started bool
	want    int // the number of transitions
	b       Builder
}

func (p *autReader) errorf(format string, args ...any) error {
	return diag.Sourcef(diag.Pos{File: p.name, Line: p.line}, format, args...)
}

// number reads a number below a limit.
func (p *autReader) number(text string, limit int) (int, error) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) >= limit {
		return 0, p.errorf("%q: want a number below %d", text, limit)
	}
	return int(n), nil
}

func (p *autReader) header(text string) error {
	inside, ok := strings.CutPrefix(text, "des")
	inside, open := strings.CutPrefix(strings.TrimSpace(inside), "(")
	inside, closed := strings.CutSuffix(inside, ")")
	parts := strings.Split(inside, ",")
	if !ok || !open || !closed || len(parts) != 3 {
		return p.errorf("%q: want des (initial,transitions,states)", text)
	}
	var err error
	if p.b.g.States, err = p.number(parts[2], maxStates); err != nil {
		return err
	}
	if p.want, err = p.number(parts[1], maxStates); err != nil {
		return err
	}
	if p.b.g.Initial, err = p.number(parts[0], p.b.g.States); err != nil {
		return err
	}
	if err := crowded(p.b.g.States, 0, p.want); err != nil {
		return p.errorf("%v", err)
	}
	p.started = true
	return nil
}

func (p *autReader) transition(text string) error {
	inside, open := strings.CutPrefix(text, "(")
	inside, closed := strings.CutSuffix(inside, ")")
	first, last := strings.Index(inside, ","), strings.LastIndex(inside, ",")
	if !open || !closed || first == last {
		return p.errorf(`%q: want (from,"label",to)`, text)
	}
	from, err := p.number(inside[:first], p.b.g.States)
	if err != nil {
		return err
	}
	to, err := p.number(inside[last+1:], p.b.g.States)
	if err != nil {
		return err
	}
	label := strings.TrimSpace(inside[first+1 : last])
	if strings.HasPrefix(label, `"`) {
		if len(label) < 2 || !strings.HasSuffix(label, `"`) {
			return p.errorf("label %s: want a quote at its end", label)
		}
		label = label[1 : len(label)-1]
	}
	p.b.g.Transitions = append(p.b.g.Transitions, Transition{int32(from), p.b.label(unquoteAut(label)), int32(to)})
	return nil
}
