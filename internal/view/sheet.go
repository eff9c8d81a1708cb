package view

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

// add adds a section, unless it is empty.
func (s *Sheet) add(x Section) {
	if len(x.Rows)+len(x.Bars)+len(x.Lines) > 0 {
		s.Sections = append(s.Sections, x)
	}
}
