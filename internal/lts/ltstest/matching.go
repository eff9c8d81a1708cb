package ltstest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Matching goes through all states of a system, up to a limit, along all edges,
// and returns how its keys fail those who match states, "" if they do not. Keys
// must depend on states alone: whichever way led to a state, from there the same
// steps lead to the same keys. It is what makes the number of states that a search
// counts its own, whatever its order. The twin is another system of the same
// program, which comes to each state from the start.
func Matching(sys, twin lts.System, limit int) (states int, complaint string) {
	m := &matching{sys: sys, twin: twin, limit: limit, known: map[string]known{}}
	sys.Reset()
	m.visit(nil)
	return len(m.known), m.complaint
}

// known is what was seen of a state first.
type known struct {
	path lts.Path // the way to it
	next []string // the keys that its steps lead to
	view view
}

type matching struct {
	sys, twin lts.System
	limit     int
	known     map[string]known
	complaint string
}

// visit looks at the current state, and goes on from it if it is new.
func (m *matching) visit(path lts.Path) {
	v := viewOf(m.sys)
	mark := m.sys.Save()
	var next []string
	for _, s := range v.enabled {
		m.sys.Take(s)
		next = append(next, key(m.sys))
		m.sys.Restore(mark)
	}
	if got := key(m.sys); got != v.key {
		m.complain("path %v: restored to the key\n%x\nwant\n%x", path, got, v.key)
		return
	}
	if old, ok := m.known[v.key]; ok {
		m.compare(path, v, next, old)
		return
	}
	if len(m.known) >= m.limit {
		return
	}
	m.known[v.key] = known{slices.Clone(path), next, v}
	lts.MustReplay(m.twin, path)
	if got := key(m.twin); got != v.key {
		m.complain("path %v: the key is\n%x\nafter a replay, want\n%x", path, got, v.key)
	}
	for _, s := range v.enabled {
		if m.complaint != "" {
			return
		}
		m.sys.Take(s)
		m.visit(append(path, s))
		m.sys.Restore(mark)
	}
}

// compare holds a state against the one that had its key before.
func (m *matching) compare(path lts.Path, v view, next []string, old known) {
	if !v.equal(old.view) {
		m.complain("one key, two states:\n%v\n%+v\nand\n%v\n%+v", path, v, old.path, old.view)
		return
	}
	for i, s := range v.enabled {
		if next[i] != old.next[i] {
			m.complain("paths\n%s\nand\n%s\nlead to one key, then step %d (%s) leads to two", m.tell(path), m.tell(old.path), s, m.name(path, s))
			return
		}
	}
}

func (m *matching) complain(format string, args ...any) {
	if m.complaint == "" {
		m.complaint = fmt.Sprintf(format, args...)
	}
}

// tell prints a path in the words of the system, if it has some.
func (m *matching) tell(path lts.Path) string {
	m.twin.Reset()
	var words []string
	for _, s := range path {
		words = append(words, fmt.Sprint(s))
		if n, ok := m.twin.(lts.Namer); ok {
			words[len(words)-1] = n.LabelText(m.twin.Take(s))
		}
	}
	return strings.Join(words, ", ")
}

// name is the word for a step at the end of a path.
func (m *matching) name(path lts.Path, s lts.Step) string {
	text := m.tell(append(path, s))
	return text[strings.LastIndex(text, ", ")+1:]
}
