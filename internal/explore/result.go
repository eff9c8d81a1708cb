package explore

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Verdict is what a search may say at its end.
type Verdict string

// The verdicts.
const (
	Verified     Verdict = "verified"     // every state was seen, none is wrong
	Violation    Verdict = "violation"    // something is wrong
	Inconclusive Verdict = "inconclusive" // nothing wrong was seen, but not everything was
)

// A Result is what a search found. Numbers of states, transitions and revisited
// states of a complete search depend on the system and its reduction alone.
type Result struct {
	Verdict     Verdict
	States      int64 // distinct states; of a swarm, the sum of its members
	Transitions int64 // steps taken, without those to come back to a state
	Revisited   int64 // transitions to states seen before
	// MaxDepth is the length of the longest path the search was on. It depends
	// on the order of search, and is 0 for a depth-first one with several
	// workers, which has no fixed order.
	MaxDepth int
	Bytes    int64 // memory of the visited states and the frontier at the end
	Findings []Found
	More     int64 // findings beyond the first maxFindings, not kept
	Left     []Left
	// Estimate is about the states that a depth-first search with one worker has not seen when it was cut off.
	Estimate Estimate
	// Bound is the largest number of preemptions, or delays, for which everything was
	// searched, or -1. It is for searches with such bounds.
	Bound int
	// Walks says how many walks there were, and what that is worth.
	Walks Walks
	// Unsaved is why a checkpoint could not be written, nil if it was.
	Unsaved error
}

// A Found is a finding and the way to it.
type Found struct {
	diag.Finding
	Path lts.Path
	// Loop is how many steps at the end of the path go around for ever, 0 if the finding is about where it ends.
	Loop int
	// View says how the system looked at states, if it can be made to look at them in
	// several ways: the path is one of a system that does it in the same way. A
	// search does not know, so it is for who made the system to fill in.
	View string
}

// maxFindings bounds what a search with Options.All keeps.
const maxFindings = 1000

// A Reason is why something was left out.
type Reason string

// The reasons.
const (
	LimitStates      Reason = "states"
	LimitDepth       Reason = "depth"
	LimitTime        Reason = "time"
	LimitMemory      Reason = "memory"
	LimitPreemptions Reason = "preemptions"
	Interrupted      Reason = "interrupted"
	Store            Reason = "store"   // the set of visited states lost some
	SystemBound      Reason = "bound"   // the system refused to go on
	Sample           Reason = "sample"  // the strategy does not cover everything
	Claimed          Reason = "claimed" // somebody else says that there is nothing, and nobody has examined it
)

// A Left says what was not covered and why.
type Left struct {
	Reason Reason
	// Count is how many states (reasons depth and bound, and all of a
	// breadth-first search) or steps were not followed, as far as known.
	Count int64
	Text  string // one line for the user
	// Path leads to the first of the states, for the reason bound. It is nil for
	// depth-first searches with several workers.
	Path lts.Path
}

// endsSearch reports whether l is about where the search was ended, and not
// about single states that it passed by.
func (l Left) endsSearch() bool {
	switch l.Reason {
	case LimitStates, LimitTime, LimitMemory, Interrupted, Store:
		return true
	}
	return false
}

// A tally counts and collects while a search runs.
type tally struct {
	all         bool
	enough      int // so many findings are enough, if not 0
	transitions int64
	maxDepth    int
	findings    []Found
	more        int64
	left        []Left
	bound       int
	walks       Walks
	unsaved     error
	estimated   Estimate
}

// sameFinding reports whether two findings are shown once.
func sameFinding(a, b *diag.Finding) bool {
	return a.Kind == b.Kind && a.Message == b.Message && a.Pos == b.Pos
}

// find keeps a finding if there is none like it. The way to it is computed only
// then.
func (t *tally) find(f diag.Finding, path func() lts.Path) {
	if t.decided() {
		return // what comes after the last that is wanted
	}
	for i := range t.findings {
		if sameFinding(&t.findings[i].Finding, &f) {
			return
		}
	}
	if len(t.findings) == maxFindings {
		t.more++
		return
	}
	t.findings = append(t.findings, Found{Finding: f, Path: path()})
}

// add keeps what another search has found.
func (t *tally) add(f Found) {
	n := len(t.findings)
	t.find(f.Finding, func() lts.Path { return f.Path })
	if len(t.findings) > n {
		t.findings[n].View, t.findings[n].Loop = f.View, f.Loop
	}
}

// decided reports whether the search may stop because of what it found.
func (t *tally) decided() bool {
	n := len(t.findings)
	return n > 0 && (!t.all || n == t.enough)
}

// leave adds to what is not covered. The text of each reason is kept once, with
// the first path.
func (t *tally) leave(l Left) {
	if len(t.left) >= maxFindings {
		l.Text, l.Path = "and other texts", nil
	}
	for i := range t.left {
		if o := &t.left[i]; o.Reason == l.Reason && o.Text == l.Text {
			o.Count += l.Count
			return
		}
	}
	t.left = append(t.left, l)
}

// merge adds what another worker has counted.
func (t *tally) merge(o *tally) {
	t.transitions += o.transitions
	t.maxDepth = max(t.maxDepth, o.maxDepth)
	t.more += o.more
	for _, f := range o.findings {
		t.add(f)
	}
	for _, l := range o.left {
		t.leave(l)
	}
}

// Keep adds the findings of another search of the same system, which may have left
// out other steps. If r has left nothing, those of its own kinds are enough: a race
// may be known by other accesses there.
func (r *Result) Keep(other []Found) {
	t := tally{all: true, findings: r.Findings}
	for _, f := range other {
		if len(r.Left) > 0 || !slices.ContainsFunc(r.Findings, func(own Found) bool { return own.Kind == f.Kind }) {
			t.add(f)
		}
	}
	r.Findings, r.More = t.findings, r.More+t.more
	if len(r.Findings) > 0 {
		r.Verdict = Violation
	}
}

// Conclude adds what was found and left when the graph of a search was looked at as a whole, and gives the verdict anew.
func (r *Result) Conclude(found []Found, left []Left) {
	t := tally{all: true, findings: r.Findings, left: r.Left}
	for _, f := range found {
		t.add(f)
	}
	for _, l := range left {
		t.leave(l)
	}
	r.Findings, r.More, r.Left = t.findings, r.More+t.more, t.left
	switch {
	case len(r.Findings) > 0:
		r.Verdict = Violation
	case len(r.Left) > 0:
		r.Verdict = Inconclusive
	}
}

// result ends a search: the one place where a verdict is given.
func (s *search) result() *Result {
	if err := s.set.Err(); err != nil {
		s.leave(Left{Reason: Store, Text: err.Error()})
	} else if s.set.Lossy() {
		s.leave(Left{Reason: Store, Text: "the store of visited states may have taken new ones for old"})
	}
	slices.SortStableFunc(s.left, func(a, b Left) int {
		return cmp.Or(strings.Compare(string(a.Reason), string(b.Reason)), strings.Compare(a.Text, b.Text))
	})
	r := &Result{
		Verdict:     Verified,
		States:      s.states(),
		Transitions: s.transitions,
		MaxDepth:    s.maxDepth,
		Bytes:       s.bytes(),
		Findings:    s.findings,
		More:        s.more,
		Left:        s.left,
		Bound:       s.bound,
		Walks:       s.walks,
		Unsaved:     s.unsaved,
		Estimate:    s.estimated,
	}
	r.Revisited = r.Transitions - max(r.States-1, 0)
	switch {
	case len(r.Findings) > 0:
		r.Verdict = Violation
	case len(r.Left) > 0:
		r.Verdict = Inconclusive
	}
	return r
}

// String prints the result in one line, and one for each finding and each thing
// left.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d states, %d transitions, %d revisited, depth %d\n",
		r.Verdict, r.States, r.Transitions, r.Revisited, r.MaxDepth)
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "%s [%s]\n", f.Error(), f.Path)
	}
	for _, l := range r.Left {
		fmt.Fprintf(&b, "left: %s: %d: %s\n", l.Reason, l.Count, l.Text)
	}
	return b.String()
}
