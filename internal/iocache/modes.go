package iocache

import (
	"fmt"
	"slices"
	"strings"
)

// Modes say how a cache remembers what was said to peers: in a mode, but for peers of which all connections are taken
// together, as in mode Process.
type Modes struct {
	Mode     Mode
	Together []string // the names of these peers, in order
}

// TakesTogether reports whether all connections of a peer are taken together.
func (m *Modes) TakesTogether(peer string) bool {
	return m.Mode == Process || slices.Contains(m.Together, peer)
}

// With returns the modes in which a peer is taken together, too.
func (m Modes) With(peer string) Modes {
	if !m.TakesTogether(peer) {
		m.Together = append(slices.Clone(m.Together), peer)
		slices.Sort(m.Together)
	}
	return m
}

// String writes them as "tree", or as "tree,process:db" where all connections of db are taken together.
func (m Modes) String() string {
	text := m.Mode.String()
	for _, peer := range m.Together {
		text += "," + Process.String() + ":" + peer
	}
	return text
}

// ParseModes reads what String writes.
func ParseModes(text string) (m Modes, err error) {
	mode, rest, more := strings.Cut(text, ",")
	if m.Mode, err = ParseMode(mode); err != nil {
		return m, err
	}
	for more {
		var one string
		one, rest, more = strings.Cut(rest, ",")
		peer, ok := strings.CutPrefix(one, Process.String()+":")
		if !ok || peer == "" {
			return m, fmt.Errorf("%q: want process: and the name of a peer", one)
		}
		m = m.With(peer)
	}
	return m, nil
}
