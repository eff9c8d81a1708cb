package view

import "github.com/heddle-mc/heddle/internal/plain"

// A Sheet is a page that is not about one path: a graph, a certificate, or the result of a check. It is told in the form
// in which the page's program reads it (web/src/sheet.ts).
type Sheet struct {
	Title    string    `json:"title"`
	Kind     string    `json:"kind"`
	Headline string    `json:"headline"`
	Verdict  string    `json:"verdict,omitempty"` // of a result, for its colour
	Notes    []string  `json:"notes"`
	Sections []Section `json:"sections"`
	Graph    *Net      `json:"graph,omitempty"`
}

// A Section is a table, or bars, with a title.
type Section struct {
	Title string      `json:"title"`
	Note  string      `json:"note,omitempty"`
	Rows  [][2]string `json:"rows,omitempty"`
	Bars  []Bar       `json:"bars,omitempty"`
	Lines []string    `json:"lines,omitempty"`
}

// A Bar is a number among others. Of, if it is not 0, is what it is a part of; otherwise the largest is.
type Bar struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Of    float64 `json:"of,omitempty"`
	Text  string  `json:"text"`
}

// add adds a section, unless it is empty. Its texts may be of others: each becomes one line of what can be seen.
func (s *Sheet) add(x Section) {
	if len(x.Rows)+len(x.Bars)+len(x.Lines) == 0 {
		return
	}
	x.Title, x.Note = plain.Line(x.Title), plain.Line(x.Note)
	for i, r := range x.Rows {
		x.Rows[i] = [2]string{plain.Line(r[0]), plain.Line(r[1])}
	}
	for i := range x.Bars {
		b := &x.Bars[i]
		b.Name, b.Text = plain.Line(b.Name), plain.Line(b.Text)
	}
	for i, l := range x.Lines {
		x.Lines[i] = plain.Line(l)
	}
	s.Sections = append(s.Sections, x)
}
