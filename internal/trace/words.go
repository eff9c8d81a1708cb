package trace

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
)

func compareStrings(a, b string) int { return strings.Compare(a, b) }

func cleanPos(p diag.Pos) diag.Pos {
	p.File = plain.Line(p.File)
	return p
}

func cleanEvent(e lts.Event) lts.Event {
	e.Actor, e.Action, e.Pos = plain.Line(e.Actor), plain.Line(e.Action), cleanPos(e.Pos)
	e.Changed, e.Touched = slices.Clone(e.Changed), slices.Clone(e.Touched)
	for i, c := range e.Changed {
		e.Changed[i] = lts.Change{Name: plain.Line(c.Name), Old: plain.Line(c.Old), New: plain.Line(c.New)}
	}
	for i := range e.Touched {
		e.Touched[i].Thing = plain.Line(e.Touched[i].Thing)
	}
	e.Kept = slices.Clone(e.Kept)
	for i, name := range e.Kept {
		e.Kept[i] = plain.Line(name)
	}
	e.Messages = slices.Clone(e.Messages)
	for i, m := range e.Messages {
		e.Messages[i] = lts.Message{From: plain.Line(m.From), To: plain.Line(m.To), Text: plain.Line(m.Text)}
	}
	if len(e.Messages) == 0 {
		e.Messages = nil
	}
	if len(e.Changed) == 0 {
		e.Changed = nil
	}
	if len(e.Touched) == 0 {
		e.Touched = nil
	}
	return e
}

func cleanStack(s lts.Stack) lts.Stack {
	s.Actor, s.Action, s.Of, s.Frames, s.Started = plain.Line(s.Actor), plain.Line(s.Action), plain.Line(s.Of), cleanFrames(s.Frames), cleanFrames(s.Started)
	return s
}

func cleanFrames(list []lts.Frame) (out []lts.Frame) {
	for _, fr := range list {
		out = append(out, lts.Frame{Func: plain.Line(fr.Func), Pos: cleanPos(fr.Pos), Library: fr.Library})
	}
	return out
}

func cleanWaiting(w lts.Waiting) lts.Waiting {
	w.Actor, w.For, w.Pos = plain.Line(w.Actor), plain.Line(w.For), cleanPos(w.Pos)
	w.Releasers = slices.Clone(w.Releasers)
	for i, r := range w.Releasers {
		w.Releasers[i] = plain.Line(r)
	}
	if len(w.Releasers) == 0 {
		w.Releasers = nil
	}
	w.On = slices.Clone(w.On)
	for i, name := range w.On {
		w.On[i] = plain.Line(name)
	}
	return w
}

// place returns a position as file:line, a file of the standard library by its package.
func place(p diag.Pos) string {
	if at := strings.LastIndex(p.File, "/src/"); at >= 0 && path.IsAbs(p.File) {
		p.File = p.File[at+len("/src/"):]
	}
	p.Col = 0
	return p.String()
}

// shortPlace returns a position as file:line without folders.
func shortPlace(p diag.Pos) string {
	p.File = path.Base(slashed(p.File))
	return place(p)
}

// changes returns what changed as text.
func changes(list []lts.Change) string {
	var parts []string
	for _, c := range list {
		switch {
		case c.Old == "" && c.New == "":
			continue
		case c.Old == "":
			parts = append(parts, c.Name+" = "+c.New)
		case c.New == "":
			parts = append(parts, c.Name+" gone")
		default:
			parts = append(parts, c.Name+": "+c.Old+" → "+c.New)
		}
	}
	return strings.Join(parts, ", ")
}

// hasWord reports whether a name occurs in a text and is not part of a longer
// name.
func hasWord(text, name string) bool { return name != "" && nextName(text, name) >= 0 }

// nextName returns where a name first occurs in a text and is not part of a longer one, or -1.
func nextName(text, name string) int {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 {
			return -1
		}
		start, end := from+i, from+i+len(name)
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if (start == 0 || !inName(before)) && (end == len(text) || !inName(after)) {
			return start
		}
		from = start + 1
	}
}

func inName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_.#$*/", r)
}

// width returns how many columns a text takes, about.
func width(text string) int { return utf8.RuneCountInString(text) }

// pad fills a text up to n columns.
func pad(text string, n int) string {
	return text + strings.Repeat(" ", max(n-width(text), 0))
}

// count returns "1 step" or "2 steps".
func count(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "ch"):
		return strconv.Itoa(n) + " " + what + "es"
	}
	return strconv.Itoa(n) + " " + what + "s"
}
