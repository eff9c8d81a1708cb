package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The elements that readers of JUnit's format agree on. A violation is a failure;
// a target that was not covered or not checked is an error, so that no reader
// takes it for passed.
type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Properties []junitProperty `xml:"properties>property,omitempty"`
	Cases      []junitCase     `xml:"testcase"`
	seconds    float64
}

type junitCounts struct {
	Tests    int    `xml:"tests,attr"`
	Failures int    `xml:"failures,attr"`
	Errors   int    `xml:"errors,attr"`
	Skipped  int    `xml:"skipped,attr"`
	Time     string `xml:"time,attr"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
	Out     *junitText    `xml:"system-out"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",cdata"`
}

type junitText struct {
	Text string `xml:",cdata"`
}

// writeJUnit writes a suite for each package and a case for each target.
func writeJUnit(w io.Writer, run *Run) error {
	out := junitSuites{Name: run.Command}
	suites := map[string]*junitSuite{}
	for _, r := range run.Reports {
		name := suiteName(r)
		s := suites[name]
		if s == nil {
			s = &junitSuite{Name: name, Properties: run.junitProperties(r)}
			suites[name] = s
			out.Suites = append(out.Suites, s)
		}
		s.add(run.junitCase(r, name), r.Seconds)
	}
	for _, s := range out.Suites {
		s.Time = seconds(s.seconds)
		out.Tests += s.Tests
		out.Failures += s.Failures
		out.Errors += s.Errors
		out.Skipped += s.Skipped
	}
	out.Time = seconds(run.total().Seconds)
	b, err := xml.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(b)+"\n")
	return err
}

func suiteName(r *Report) string {
	if r.Package != "" {
		return r.Package
	}
	return r.Target
}

func (s *junitSuite) add(c junitCase, seconds float64) {
	s.Cases = append(s.Cases, c)
	s.seconds += seconds
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (run *Run) junitCase(r *Report, class string) junitCase {
	name := r.Test
	if name == "" {
		name = r.Target
	}
	c := junitCase{Class: class, Name: name, Time: seconds(r.Seconds)}
	var b strings.Builder
	writeText(&b, run, r, false) // a Builder does not fail
	text, sentence := xmlText(b.String()), run.Sentence(r)
	switch {
	case r.Verdict == Violation:
		// Readers look at one failure only, so all findings are in its text.
		f := &r.Findings[0]
		message := oneLine((&diag.Finding{Kind: f.Kind, Message: f.Headline(), Pos: f.Pos}).Error())
		if more := int64(len(r.Findings)-1) + r.More; more > 0 {
			message += fmt.Sprintf(" (and %d more)", more)
		}
		c.Failure = &junitMessage{message, f.Kind, text}
	case r.Verdict == Inconclusive:
		kind := string(Inconclusive)
		if r.Err != nil {
			kind = "not checked"
		}
		c.Error = &junitMessage{sentence, kind, text}
	case r.Skipped:
		c.Skipped = &junitMessage{Message: sentence}
	default:
		c.Out = &junitText{text}
	}
	return c
}

// xmlText replaces what XML cannot hold. Elsewhere package xml does so, but not
// in CDATA sections.
func xmlText(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r >= ' ' && r != 0xfffe && r != 0xffff {
			return r
		}
		return utf8.RuneError
	}, s)
}

// junitProperties lists bounds, properties and settings of a target. Those of one
// package have the same.
func (run *Run) junitProperties(r *Report) []junitProperty {
	out, claim := []junitProperty{{"heddle", run.Version}}, run.claim(r)
	for _, b := range claim.Bounds {
		out = append(out, junitProperty{"bound." + b.Name, fmt.Sprint(b.Value)})
	}
	for _, p := range claim.Properties {
		out = append(out, junitProperty{"property." + p.Name, fmt.Sprint(p.On)})
	}
	for _, s := range claim.Settings {
		out = append(out, junitProperty{"setting." + s.Name, fmt.Sprint(s.Value)})
	}
	return out
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }
