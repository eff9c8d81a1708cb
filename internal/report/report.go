package report

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Verdict is what was shown about a target.
type Verdict string

// The verdicts.
const (
	Verified     Verdict = "verified"     // everything within the bounds was seen, nothing is wrong
	Violation    Verdict = "violation"    // something is wrong
	Inconclusive Verdict = "inconclusive" // nothing wrong was seen, but not everything was
	OnlyIgnored  Verdict = "ignored"      // everything within the bounds was seen, and all that is wrong is ignored
)

// A Claim is what was looked for and how.
type Claim struct {
	Bounds     []Setting  // what limits the claim "verified"
	Properties []Property // in the order in which they are named to the user
	Settings   []Setting  // how it was searched
}

// Equal reports whether two claims are the same.
func (c *Claim) Equal(o *Claim) bool {
	return slices.Equal(c.Bounds, o.Bounds) && slices.Equal(c.Properties, o.Properties) && slices.Equal(c.Settings, o.Settings)
}

// claim is what was looked for in a target and how.
func (run *Run) claim(r *Report) *Claim {
	c := &Claim{run.Bounds, run.Properties, run.Settings}
	if r.Own != nil {
		c = r.Own
	}
	if len(r.Met) == 0 {
		return c
	}
	return &Claim{slices.Concat(c.Bounds, r.Met), c.Properties, c.Settings}
}

// A Run is one use of the command: what holds for all its targets, and a report
// for each of them.
type Run struct {
	Command    string     // as typed
	Version    string     // of heddle
	Bounds     []Setting  // what limits the claim "verified"
	Properties []Property // in the order in which they are named to the user
	Settings   []Setting  // how it was searched
	Reports    []*Report
	Packages   []*Package     // of tests
	Coverage   *Profile       // nil if it was not asked for
	Unused     []diag.Finding // what was to be ignored and is not there
}

// A Setting is a name and a value, which is a string, a number or a bool.
type Setting struct {
	Name  string
	Value any
	Words string // for the verdict; if empty, name=value
	False bool   // it says that the target was told something that is not so: findings may come of that
}

// A Property is a kind of finding, looked for or not.
type Property struct {
	Name  string
	On    bool
	Extra bool // it is looked for only if somebody asks for it
}

// A Report is the result for one target: a program, a test or a model.
type Report struct {
	Target  string // as it is named to the user
	Package string // import path; empty for what is not a Go package
	Test    string // name of the test, or empty
	Verdict Verdict
	Counts
	Findings []Finding
	More     int64 // findings that were not kept
	Ignored  []Ignored
	// Stopped says that the search ended with its first finding, so that the
	// counts are of what was seen until then.
	Stopped bool
	// Skipped says that the target is a test that skips itself, whatever the
	// schedule.
	Skipped bool
	// SkipsSome says that a test, or one below it, is skipped in some schedules, if it is not Skipped.
	SkipsSome bool
	Namesakes
	// NotChecked is why the target was not even looked at, in a few words, or empty: an interrupt, say.
	NotChecked string
	Left       []Left
	// Estimate is how much is left of a search that was cut off, nil if that is not known.
	Estimate *Estimate
	// Executed is how much of the program was executed in a search that was cut off, its own package first.
	Executed []Executed
	Differ   []Varying
	// Advice is what else could be typed, a sentence each.
	Advice  []string
	Hunt    *Hunt    // nil if there was none
	Tests   *Tests   // that a model has led, nil if there were none
	Traffic *Traffic // nil if there were no peers
	// Outcomes are those that the program has told, in whatever runs.
	Outcomes []string
	// Own is what was looked for in this target and how, nil if that is as in the
	// others.
	Own *Claim
	// Met are the bounds that matter only because of what the target has done.
	Met []Setting
	// Err is why the target could not be checked at all. Its verdict is then
	// Inconclusive.
	Err error
}

// Namesakes are tests of one name: Functions is how many there are, in a package and in its tests outside, if they are more than one, and
// SkippedFunctions how many of them skip themselves, if the target is verified.
type Namesakes struct{ Functions, SkippedFunctions int }

// A Traffic is what went between a program and its peers.
type Traffic struct {
	Peers       int       `json:"peers"`
	Connections int64     `json:"connections"` // that were really made
	Hits        int64     `json:"hits"`        // requests that the cache knew
	Misses      int64     `json:"misses"`      // requests that a peer had to be told
	Restarts    int64     `json:"restarts"`
	Replays     int64     `json:"replays"` // requests that a peer was told again
	BytesOut    int64     `json:"bytes_out"`
	BytesIn     int64     `json:"bytes_in"`
	WaitSeconds float64   `json:"wait_seconds"` // the time that peers were waited for
	LookSeconds float64   `json:"look_seconds"` // the time of looks that found a peer quiet
	Launches    int64     `json:"launches"`
	Copies      int64     `json:"copies"`   // runs that were copied instead
	Uncopied    []string  `json:"uncopied"` // why servers were not
	Notes       []string  `json:"notes"`
	Runs        []PeerRun `json:"runs"`
}

// A PeerRun is one launch of a peer's command.
type PeerRun struct {
	Peer   string `json:"peer"`
	Number int    `json:"number"`
	Status string `json:"status"`
	Output string `json:"output"`
}

// Counts are the numbers of a search.
type Counts struct {
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Revisited   int64   `json:"revisited"`
	Depth       int     `json:"depth"` // 0 with more than one state: not known
	Seconds     float64 `json:"seconds"`
	CPUSeconds  float64 `json:"cpu_seconds"`
	PeakBytes   int64   `json:"peak_bytes"`
	// Symbolic is there if states were found as sets. Transitions are not counted then.
	Symbolic *Symbolic `json:"symbolic,omitempty"`
}

// Symbolic are the numbers of a search that finds states as sets.
type Symbolic struct {
	States  string `json:"states"`  // all digits
	Nodes   int    `json:"nodes"`   // of the set
	Steps   int64  `json:"steps"`   // of summands, for what they read
	Partial bool   `json:"partial"` // there may be more states
}

// A Finding is something wrong with the target, and how it comes about.
type Finding struct {
	Kind    string // one lower-case word
	Message string // one line
	Told    string // the message as a person reads it, if that is something else
	Cause   string // how it came to that, one line, or empty: who holds what and wants what, who came in between
	Pos     diag.Pos
	Before  []Step // what went between actors and others before the first step, not numbered
	Steps   []Step
	Loop    int // the number of the step with which a loop begins that goes on for ever, 0 for none
	Blocked []Blocked
	Stacks  []Stack // where the sides of it came from, who has ended the program, or who is blocked
	// Story is the steps and the blocked actors as text, if somebody has told
	// them already. If it is empty, they are told here.
	Story  string
	Replay string   // the command that shows it again, or empty
	Folder string   // where its files are, or empty
	See    []string // commands that show more of it, for people
	// Evidence is why a formula does not hold, nil if there is none.
	Evidence *Evidence
}

// A Step is one step of the way to a finding.
type Step struct {
	N          int // counts from 1
	Actor      string
	Pos        diag.Pos
	Action     string
	Messages   []Message // what went between the actor and others
	Changed    []Change
	Switch     bool   // another actor than in the step before
	Preemption bool   // and that one could have gone on
	Matters    string // why the finding depends on it, or empty
}

// A Message went between an actor and another, or somebody outside.
type Message struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
}

// A Change is a value before and after a step; empty if there is none.
type Change struct {
	Name string `json:"name"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// A Blocked is an actor that cannot go on at the end.
type Blocked struct {
	Actor     string
	For       string // what it waits for, in words
	Pos       diag.Pos
	Releasers []string // who could have let it go on; none if nobody can
}

// A Stack is where an actor stood when it did something.
type Stack struct {
	Actor   string
	Action  string  // read, write
	Frames  []Frame // the innermost first
	Started []Frame // where the actor was started; empty if that is not known
}

// A Frame is a function and where it stands.
type Frame struct {
	Func string
	Pos  diag.Pos
}

// A Left says what was not covered and why.
type Left struct {
	Reason string // one word
	Count  int64  // how much, as far as known
	Text   string // one line
	// Story is how the program comes to where it cannot be followed, as text, or
	// empty. Folder and Replay are as of a Finding.
	Story, Folder, Replay string
	See                   []string
	// Of a peer that has answered otherwise: where the two answers differ, in some lines, the rules that
	// make them equal, and if there are none, perhaps why.
	Diff  string
	Rules []string
	Why   string
}

// A Varying is a variable or field that makes states differ.
type Varying struct {
	Name   string `json:"name"`
	Values int64  `json:"values"` // number of distinct ones
}

// check returns an error, a defect of the caller, if the verdict does not go
// with the rest of the report.
func (r *Report) check() error {
	switch r.Verdict {
	case Verified:
		if len(r.Findings) > 0 || len(r.Ignored) > 0 || len(r.Left) > 0 || r.Err != nil {
			return diag.Bugf("%s: verified with %d findings, %d ignored, %d things left and error %v", r.Target, len(r.Findings), len(r.Ignored), len(r.Left), r.Err)
		}
	case OnlyIgnored:
		if len(r.Findings) > 0 || len(r.Ignored) == 0 || len(r.Left) > 0 || r.Err != nil {
			return diag.Bugf("%s: ignored with %d findings, %d ignored, %d things left and error %v", r.Target, len(r.Findings), len(r.Ignored), len(r.Left), r.Err)
		}
	case Violation:
		if len(r.Findings) == 0 || r.Err != nil || r.Skipped {
			return diag.Bugf("%s: violation with %d findings, skipped %v and error %v", r.Target, len(r.Findings), r.Skipped, r.Err)
		}
	case Inconclusive:
		if len(r.Findings) > 0 || len(r.Left) == 0 && r.Err == nil {
			return diag.Bugf("%s: inconclusive with %d findings, %d things left and error %v", r.Target, len(r.Findings), len(r.Left), r.Err)
		}
	default:
		return diag.Bugf("%s: verdict %q", r.Target, r.Verdict)
	}
	return nil
}

// ExitCode returns the exit code of the command for one report.
func (r *Report) ExitCode() int {
	switch {
	case r.Verdict == Violation:
		return diag.ExitFinding
	case r.Err != nil:
		return diag.ExitCode(r.Err)
	case r.Verdict == Verified || r.Verdict == OnlyIgnored:
		return diag.ExitOK
	}
	return diag.ExitIncomplete
}

// ExitCode returns the exit code of the command: 1 if there is a violation, and
// otherwise the highest of its reports. Where nothing was checked, nothing is
// verified: that is 3.
func (run *Run) ExitCode() int {
	if len(run.Reports) == 0 {
		return diag.ExitIncomplete
	}
	code := diag.ExitOK
	for _, r := range run.Reports {
		c := r.ExitCode()
		if c == diag.ExitFinding {
			return c
		}
		code = max(code, c)
	}
	return code
}

// Verdict returns the worst verdict of the reports.
func (run *Run) Verdict() Verdict {
	switch run.ExitCode() {
	case diag.ExitOK:
		if slices.ContainsFunc(run.Reports, func(r *Report) bool { return r.Verdict == OnlyIgnored }) {
			return OnlyIgnored
		}
		return Verified
	case diag.ExitFinding:
		return Violation
	}
	return Inconclusive
}

// total adds up the counts: the largest depth and memory, and the sums of the
// others.
func (run *Run) total() Counts {
	var t Counts
	for _, r := range run.Reports {
		t.States += r.States
		t.Transitions += r.Transitions
		t.Revisited += r.Revisited
		t.Depth = max(t.Depth, r.Depth)
		t.Seconds += r.Seconds
		t.CPUSeconds += r.CPUSeconds
		t.PeakBytes = max(t.PeakBytes, r.PeakBytes)
	}
	return t
}
