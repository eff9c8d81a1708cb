package report

import (
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Format is a form of output.
type Format string

// The formats.
const (
	Text   Format = "text"
	JSON   Format = "json"   // one object, see docs/json.md
	JUnit  Format = "junit"  // XML
	SARIF  Format = "sarif"  // version 2.1.0
	Events Format = "events" // a JSON object a line, as of go test -json
	Cover  Format = "cover"  // a profile for go tool cover
)

// Stdout is the name of standard output where a file can be named.
const Stdout = "-"

// Writers write the reports of a run in several formats at once. If no format
// goes to standard output, text does.
//
//	w := &report.Writers{Run: &run, Stdout: os.Stdout}
//	w.Add(report.SARIF, "out.sarif")
//	w.Open()              // files are created before the search starts
//	w.Report(r)           // for each target, when it is done
//	w.Close()             // the rest
//
// Errors are usage errors that name the file, or defects of the caller. An output that cannot be written does not keep
// others from being written: Close says which it was.
type Writers struct {
	Run    *Run // its Reports are added by Report
	Stdout io.Writer
	Spare  io.Writer // where text goes if standard output does not take it; nil for nowhere
	Color  bool      // colour text on standard output
	Root   string    // directory that addresses in SARIF are relative to; absolute
	// Now gives events their times. Without it they have none, and equal runs
	// print equal events.
	Now func() time.Time
	// Tests says that the targets are tests of packages, of which Package tells the end: text is as that of go test. Verbose
	// text has a line for each of them.
	Tests, Verbose bool

	outs   []*out
	since  int  // reports before this are of packages that have ended
	legend bool // the marks of stories were explained
}

// An out is one of the outputs.
type out struct {
	format Format
	name   string
	w      io.Writer
	file   *os.File // nil for standard output
	events *eventWriter
	err    error // why it was given up
}

// Add asks for a format in a file, or on standard output if the name is "-". A
// file, and standard output, hold one format.
func (w *Writers) Add(f Format, name string) error {
	switch f {
	case Text, JSON, JUnit, SARIF, Events, Cover:
	default:
		return diag.Usagef("unknown format %q: say text, json, junit, sarif, events or cover", f)
	}
	if name == "" {
		return diag.Usagef("output as %s needs the name of a file, or - for standard output", f)
	}
	for _, o := range w.outs {
		if filepath.Clean(o.name) == filepath.Clean(name) {
			where := name
			if name == Stdout {
				where = "standard output"
			}
			return diag.Usagef("%s and %s cannot both go to %s: give one of them a file of its own", o.format, f, where)
		}
	}
	w.outs = append(w.outs, &out{format: f, name: name})
	return nil
}

// Has reports whether a format was asked for.
func (w *Writers) Has(f Format) bool {
	for _, o := range w.outs {
		if o.format == f {
			return true
		}
	}
	return false
}

// Open creates the files, so that a name that cannot be written to is known
// before anything is searched. What was in them is gone then: a file never shows
// the verdict of an earlier run.
func (w *Writers) Open() error {
	toStdout := false
	for _, o := range w.outs {
		toStdout = toStdout || o.name == Stdout
	}
	if !toStdout {
		w.outs = append(w.outs, &out{format: Text, name: Stdout})
	}
	for _, o := range w.outs {
		if o.w = w.Stdout; o.name != Stdout {
			f, err := os.Create(o.name)
			if err != nil {
				w.closeFiles()
				return diag.Usagef("cannot write %s: %v", o.format, err)
			}
			o.file, o.w = f, f
		}
		if o.format == Events {
			o.events = &eventWriter{w: o.w, now: w.Now}
		}
	}
	return nil
}

// Report adds the report on a target, and writes it where formats are written
// bit by bit.
func (w *Writers) Report(r *Report) error {
	if err := r.check(); err != nil {
		return err
	}
	w.Run.Reports = append(w.Run.Reports, r)
	for _, o := range w.outs {
		w.write(o, func(to io.Writer) error {
			switch o.format {
			case Text:
				if w.Tests {
					return w.writeTest(to, r, w.paint(o))
				}
				return writeText(to, w.Run, r, w.paint(o))
			case Events:
				return o.events.report(w.Run, r)
			}
			return nil
		})
	}
	return nil
}

// Shuffled tells with which seed the tests of the package that comes next are put in order, as those of go test are.
func (w *Writers) Shuffled(pkg, seed string) {
	for _, o := range w.outs {
		w.write(o, func(to io.Writer) error {
			line := "-test.shuffle " + seed + "\n"
			switch o.format {
			case Text:
				_, err := io.WriteString(to, line)
				return err
			case Events:
				o.events.begin(pkg)
				o.events.output("", line)
				return o.events.err
			}
			return nil
		})
	}
}

// Package tells that the reports since the last one were all those of a package of tests.
func (w *Writers) Package(p *Package) {
	p.reports = w.Run.Reports[w.since:]
	w.since = len(w.Run.Reports)
	w.Run.Packages = append(w.Run.Packages, p)
	for _, o := range w.outs {
		w.write(o, func(to io.Writer) error {
			switch o.format {
			case Text:
				return w.writePackage(to, p, w.paint(o))
			case Events:
				return o.events.end(w.Run, p)
			}
			return nil
		})
	}
}

// write writes to an output, unless that was given up. Text that standard output does not take goes elsewhere.
func (w *Writers) write(o *out, write func(to io.Writer) error) {
	if o.err == nil {
		if err := write(o.w); err != nil {
			o.err = o.failed(err)
		}
	}
	if o.err != nil && o.format == Text && w.Spare != nil {
		write(w.Spare) // there is nowhere else
	}
}

// Close writes what is left and closes the files. It writes all outputs that it
// can, and returns why it could not write others.
func (w *Writers) Close() (lost []error) {
	for _, o := range w.outs {
		w.write(o, func(to io.Writer) error { return w.finish(o, to) })
	}
	w.closeFiles()
	for _, o := range w.outs {
		if o.err == nil {
			continue
		}
		lost = append(lost, o.err)
		if o.name == Stdout && o.format != Text && w.Spare != nil {
			for _, r := range w.Run.Reports {
				writeText(w.Spare, w.Run, r, false)
			}
		}
	}
	return lost
}

func (w *Writers) finish(o *out, to io.Writer) error {
	switch o.format {
	case Text:
		if w.Tests {
			return w.writeTests(to, w.paint(o))
		}
		if len(w.Run.Reports) == 1 {
			return nil
		}
		_, err := io.WriteString(to, w.paint(o).verdict(w.Run.Verdict(), w.Run.Summary())+"\n")
		return err
	case JSON:
		return writeJSON(to, w.Run)
	case JUnit:
		return writeJUnit(to, w.Run)
	case SARIF:
		return writeSARIF(to, w.Run, w.Root)
	case Events:
		return o.events.endPackage()
	}
	if w.Run.Coverage == nil {
		return diag.Bugf("a coverage profile was asked for and is not there")
	}
	return w.Run.Coverage.Write(to)
}

func (w *Writers) closeFiles() {
	for _, o := range w.outs {
		if o.file == nil {
			continue
		}
		if err := o.file.Close(); err != nil && o.err == nil {
			o.err = o.failed(err)
		}
		o.file = nil
	}
}

func (w *Writers) paint(o *out) paint { return paint(w.Color && o.name == Stdout) }

// failed makes an error of writing one that says what could not be written.
func (o *out) failed(err error) error {
	if _, ok := err.(*diag.Error); ok {
		return err
	}
	return diag.Usagef("cannot write %s: %v", o.format, err)
}
