package diag

import "fmt"

// A Finding is a result about the program under test: a deadlock, a panic, a
// violated property. It is data, handed over with the trace that leads to it,
// and becomes an error only for the exit code.
type Finding struct {
	Kind    string // one lower-case word: "panic", "deadlock", "exit", …
	Message string // one line
	Pos     Pos    // where the program was, if there is one such place
	Trace   []Step // how it got there, oldest first; nil if not recorded
}

// A Step is one entry of a finding's trace.
type Step struct {
	Who  string // the goroutine or process that moved
	What string // what it did, one line
	Pos  Pos
}

// String prints the step as position, actor and action.
func (s Step) String() string {
	return fmt.Sprintf("%v: %s: %s", s.Pos, s.Who, s.What)
}

// Error returns the finding as one line with the position first.
func (f *Finding) Error() string {
	if f.Pos.IsValid() {
		return fmt.Sprintf("%v: %s: %s", f.Pos, f.Kind, f.Message)
	}
	return f.Kind + ": " + f.Message
}

// ExitCode returns 1.
func (f *Finding) ExitCode() int { return ExitFinding }
