package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A result is what heddle check -json prints, as far as it is shown.
type result struct {
	Heddle   string          `json:"heddle"`
	Command  string          `json:"command"`
	Verdict  string          `json:"verdict"`
	ExitCode int             `json:"exit_code"`
	Bounds   json.RawMessage `json:"bounds"`
	Props    json.RawMessage `json:"properties"`
	Settings json.RawMessage `json:"settings"`
	Findings []struct {
		Target, Kind, Message, Cause, Folder string
		Pos                                  position
		Trace                                []json.RawMessage
	} `json:"findings"`
	Ignored []struct {
		Target, Kind, Message, Reason, In string
		Pos                               position
	} `json:"ignored"`
	Left    []struct{ Target, Reason, Text string } `json:"left"`
	Targets []struct {
		Target, Verdict, Sentence, Error string
		Counts
		Bounds, Properties json.RawMessage
		Advice             []string
		Outcomes           []string
		Differ             []struct {
			Name   string
			Values float64
		}
		Executed []struct {
			Package    string
			Statements float64
			Executed   float64
		}
		Estimate *struct {
			Left    float64 `json:"left"`
			AtLeast bool    `json:"at_least"`
			Seconds float64 `json:"seconds"`
		}
		Hunt *struct {
			Searches []struct {
				Search      string
				States      float64
				Transitions float64
				Found       bool
			} `json:"searches"`
		}
	} `json:"targets"`
}

// Counts are the numbers of a target.
type Counts struct {
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Revisited   int64   `json:"revisited"`
	Depth       int     `json:"depth"`
	Seconds     float64 `json:"seconds"`
	CPU         float64 `json:"cpu_seconds"`
	Peak        int64   `json:"peak_bytes"`
}

type position struct {
	File      string
	Line, Col int
}

func (p position) String() string { return diag.Pos{File: p.File, Line: p.Line, Col: p.Col}.String() }

// ResultSheet makes a sheet of what heddle check -json, or heddle test -json, has printed.
func ResultSheet(name string, data []byte) (*Sheet, error) {
	var r result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("not what -json prints: %v", err)
	}
	if r.Verdict == "" || r.Targets == nil {
		return nil, fmt.Errorf("not what -json prints: it has no verdict, or no targets")
	}
	s := &Sheet{Title: plain.Line(name), Kind: "result", Verdict: plain.Line(r.Verdict), Headline: plain.Line(r.Command), Notes: []string{}}
	if len(r.Targets) == 1 {
		s.Notes = append(s.Notes, plain.Line(r.Targets[0].Sentence))
	}
	s.add(Section{Title: "Run", Rows: [][2]string{{"verdict", r.Verdict}, {"exit code", fmt.Sprint(r.ExitCode)}, {"command", r.Command}, {"heddle", r.Heddle}}})
	if len(r.Targets) > 1 {
		x := Section{Title: fmt.Sprintf("Targets (%d)", len(r.Targets))}
		for _, t := range r.Targets {
			x.Lines = append(x.Lines, t.Target+": "+t.Sentence)
		}
		s.add(x)
	}
	r.findings(s)
	for _, t := range r.Targets {
		of := ""
		if len(r.Targets) > 1 {
			of = ": " + t.Target
		}
		s.add(Section{Title: "Size" + of, Rows: [][2]string{
			{"states", fmt.Sprint(t.States)}, {"transitions", fmt.Sprint(t.Transitions)}, {"to states seen before", fmt.Sprint(t.Revisited)},
			{"depth", fmt.Sprint(t.Depth)}, {"time", fmt.Sprintf("%.2f s, %.2f s of CPU", t.Seconds, t.CPU)}, {"memory", fmt.Sprintf("%d MB", t.Peak>>20)}}})
		if e := t.Estimate; e != nil {
			x := Section{Title: "What is left, as far as can be guessed" + of}
			words := "about "
			if e.AtLeast {
				words = "at least "
			}
			x.Bars = []Bar{{Name: "seen", Value: float64(t.States), Of: float64(t.States) + e.Left, Text: fmt.Sprint(t.States, " states")}, {Name: "left", Value: e.Left, Of: float64(t.States) + e.Left, Text: words + roughly(e.Left) + " states"}}
			if e.Seconds > 0 {
				x.Note = fmt.Sprintf("It would take %.0f s more.", e.Seconds)
			}
			s.add(x)
		}
		cover := Section{Title: "Statements that were executed" + of}
		for _, e := range t.Executed {
			cover.Bars = append(cover.Bars, Bar{Name: e.Package, Value: e.Executed, Of: e.Statements, Text: fmt.Sprintf("%.0f of %.0f", e.Executed, e.Statements)})
		}
		s.add(cover)
		differ := Section{Title: "What makes states differ" + of, Note: "Number of distinct values."}
		for _, d := range t.Differ {
			differ.Bars = append(differ.Bars, Bar{Name: d.Name, Value: d.Values, Text: fmt.Sprintf("%.0f", d.Values)})
		}
		s.add(differ)
		if t.Hunt != nil {
			hunt := Section{Title: "Searches beside this one" + of}
			for _, m := range t.Hunt.Searches {
				text := fmt.Sprintf("%.0f states, %.0f transitions", m.States, m.Transitions)
				if m.Found {
					text += ", found it"
				}
				hunt.Bars = append(hunt.Bars, Bar{Name: m.Search, Value: m.Transitions, Text: text})
			}
			s.add(hunt)
		}
		s.add(Section{Title: "Outcomes" + of, Lines: t.Outcomes})
		s.add(Section{Title: "What to try" + of, Lines: t.Advice})
		if t.Bounds != nil {
			s.add(Section{Title: "Bounds of the claim" + of, Rows: members(t.Bounds)})
		}
	}
	if len(r.Targets) != 1 || r.Targets[0].Bounds == nil {
		s.add(Section{Title: "Bounds of the claim", Rows: members(r.Bounds)})
	}
	s.add(Section{Title: "What was looked for", Rows: members(r.Props)})
	s.add(Section{Title: "Settings", Rows: members(r.Settings)})
	return s, nil
}

// roughly writes a number that is guessed, with two digits.
func roughly(n float64) string {
	if n < 100 {
		return strconv.FormatFloat(math.Round(n), 'f', -1, 64)
	}
	unit := math.Pow(10, math.Floor(math.Log10(n))-1)
	return strconv.FormatFloat(math.Round(n/unit)*unit, 'f', 0, 64)
}

// findings adds what is wrong, and what was not covered.
func (r *result) findings(s *Sheet) {
	found := Section{Title: fmt.Sprintf("Findings (%d)", len(r.Findings))}
	for _, f := range r.Findings {
		text := fmt.Sprintf("%v: %s: %s", f.Pos, f.Kind, f.Message)
		if f.Cause != "" {
			text += ". " + f.Cause
		}
		text += fmt.Sprintf(" (%d steps)", len(f.Trace))
		if f.Folder != "" {
			text += ". heddle view " + f.Folder
		}
		found.Lines = append(found.Lines, text)
	}
	s.add(found)
	ignored := Section{Title: fmt.Sprintf("Findings that are ignored (%d)", len(r.Ignored))}
	for _, f := range r.Ignored {
		ignored.Lines = append(ignored.Lines, fmt.Sprintf("%v: %s: %s. %s: %s", f.Pos, f.Kind, f.Message, f.In, f.Reason))
	}
	s.add(ignored)
	left := Section{Title: "Not covered"}
	for _, l := range r.Left {
		left.Lines = append(left.Lines, l.Reason+": "+l.Text)
	}
	s.add(left)
}

// members lists the members of an object in their order. A value is shown as it is written, but for a text, which has no quotes.
func members(data json.RawMessage) (rows [][2]string) {
	d := json.NewDecoder(strings.NewReader(string(data)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return rows
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return rows
		}
		rows = append(rows, [2]string{fmt.Sprint(name), written(value)})
	}
	return rows
}

// written returns a value of JSON as text.
func written(value json.RawMessage) string {
	var text string
	if value[0] == '"' && json.Unmarshal(value, &text) == nil {
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return string(value)
	}
	return b.String()
}
