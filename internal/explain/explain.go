// Package explain has a text for each kind of finding and for each reason why a
// result is inconclusive: what it means, and what to do. It knows the words
// alone, and nothing of who finds what; a test looks in the source of all others
// for words that it does not know.
package explain

import (
	_ "embed"
	"strings"
)

//go:embed topics.md
var source string

// A Topic is a word of a report.
type Topic struct {
	Name  string
	Group string // what it is one of: Findings, …
	Short string // one sentence
	Text  string // all of it, the sentence first; ends with a newline
}

// Topics returns all of them, group by group.
func Topics() (list []Topic) {
	group := ""
	for part := range strings.SplitSeq("\n"+source, "\n#") {
		if title, ok := strings.CutPrefix(part, " "); ok {
			group = strings.TrimSpace(title)
			continue
		}
		head, text, ok := strings.Cut(part, "\n")
		if !ok {
			continue // before the first title
		}
		t := Topic{Name: strings.TrimPrefix(head, "# "), Group: group, Text: strings.TrimSpace(text) + "\n"}
		first, _, _ := strings.Cut(t.Text, "\n\n")
		t.Short, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(first), "\n", " "), ". ")
		t.Short = strings.TrimSuffix(t.Short, ".")
		list = append(list, t)
	}
	return list
}

// Lookup returns the topic of a name, nil if there is none.
func Lookup(name string) *Topic {
	for _, t := range Topics() {
		if t.Name == name {
			return &t
		}
	}
	return nil
}

// Markdown returns all topics as a page.
func Markdown() string {
	return "# What the words of reports mean\n\nWhat `heddle explain WORD` prints, of all words. This page is made from the code.\n\n" + strings.ReplaceAll("\n"+source, "\n#", "\n##")[1:]
}
