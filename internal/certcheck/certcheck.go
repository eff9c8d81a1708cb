// Package certcheck examines a state space again, as a certificate directs
// (paper 002, section 2.2).
//
//	script: a step leads to a new state ── is there such a step?
//	                 │                          no: it does not exist
//	                 ▼
//	       the steps before it, which the script leaves out, are taken: they lead to
//	       states that were found before ── no: a false claim
//	                 │
//	                 ▼
//	       it is taken: the state was not found before ── no: it is not new;
//	       it gets the next number, and is examined
//
// It believes nothing that a certificate says about the graph: each step is
// taken, each state is examined, and what a certificate can do wrong it can only
// do by being refused. It has no code in common with the search, and knows
// neither Go nor mCRL2.
//
// Several workers examine parts of the script; each one tells which states it has
// found, and which it came to that it has not found: some other part has to have
// those. What steps are called, how many there are and which states they lead to is
// compared in sums at the end.
//
// A trustful examination goes to each state once and believes that there are no
// others. It is for certificates from somebody who is trusted.
package certcheck

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Options say how to examine.
type Options struct {
	// Seed makes fingerprints others. One that the author of the certificate could
	// not know keeps him from preparing two states with one fingerprint.
	Seed uint64
	// Workers is how many systems are examined at once; 0 means 1.
	Workers int
	// Slice is how many transitions a worker examines at a time; 0 means some
	// thousands.
	Slice uint64
	// All goes on after the first finding.
	All bool
	// Interrupt is asked now and then, by several workers at once, whether to
	// stop.
	Interrupt func() bool
	// Observe is told each transition, if it is not nil, with the numbers of states and in the order of the
	// script. There has to be one worker then.
	Observe func(from, to uint32, s lts.Step, l lts.Label)
	// Progress is called now and then with the transitions examined so far, by
	// one goroutine at a time.
	Progress func(transitions uint64)
}

// A Result is what an examination that ended found.
type Result struct {
	Counts   cert.Counts
	Findings []Found
	// Trusted says that only the states that the certificate names were seen.
	Trusted bool
	// Others says what was examined by others, and how sure it is that they have not lied;
	// empty if all was examined by this process.
	Others string
}

// A Found is a finding and the way to it.
type Found struct {
	diag.Finding
	Path lts.Path
}

// A Reason is how a certificate deviates from the system.
type Reason string

// The reasons. The first three are the deviations of paper 002, section 2.
const (
	NoSuchStep   Reason = "a transition that does not exist"
	Omitted      Reason = "a transition is omitted"
	FalseSeen    Reason = "a false claim of a state visited before"
	FalseFresh   Reason = "a state visited before is called new"
	WrongName    Reason = "a transition with another name"
	WrongState   Reason = "a transition leads to another state"
	Disagreement Reason = "parts disagree about a state"
	Unexpected   Reason = "a part does not end where it should"
)

// A Deviation is what a certificate was refused for.
type Deviation struct {
	Reason Reason
	State  uint32   // the number of the state where it was noticed
	Path   lts.Path // the steps to it
	Text   string
	// States are those that parts disagree about, or that are one.
	States []uint32
}

func (d *Deviation) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", d.Reason, d.Text)
	if d.State != 0 {
		fmt.Fprintf(&b, " (in state %d, %d steps from the start)", d.State, len(d.Path))
	}
	return b.String()
}

// Stopped is the error of an examination that was interrupted.
var Stopped = diag.Incompletef("interrupted: the certificate was not examined to its end")

// Check examines all transitions of a full certificate, or follows that of a tree
// if trustful is set; of a full one it then follows the tree in it.
func Check(c *cert.Reader, newSystem func() (lts.System, error), trustful bool, o Options) (*Result, error) {
	if c.Header.Kind == cert.Tree && !trustful {
		return nil, diag.Usagef("the certificate has the way to each state only: it can be examined by who trusts it, or not at all")
	}
	if o.Observe != nil && (o.Workers > 1 || trustful) {
		return nil, diag.Bugf("transitions are observed that nobody sees, or several")
	}
	if o.Workers > 1 {
		return parallel(c, newSystem, trustful, o)
	}
	sys, err := newSystem()
	if err != nil {
		return nil, err
	}
	w := newWalker(sys, c.Reduced(), trustful, o)
	err = w.begin(&cert.Part{Way: []cert.Way{{State: 1}}})
	if err == nil {
		script := readAhead(c.Script())
		err = w.walk(script, true)
		script.Close()
	}
	if err == nil && !w.enough() {
		err = compareSums(w.sums, c, trustful)
	}
	if err != nil {
		return nil, err
	}
	return &Result{Counts: w.counts, Findings: w.findings, Trusted: trustful}, nil
}

// compareSums looks whether sums are those of a certificate.
func compareSums(got cert.Sums, c *cert.Reader, trustful bool) error {
	want := c.Sums
	if !trustful {
		var err error
		if want.Blocks, err = c.BlockSum(); err != nil {
			return err
		}
	}
	switch {
	case got.Fresh != want.Fresh:
		return &Deviation{Reason: WrongName, Text: "the sum over the names of transitions to new states is not that of the script"}
	case trustful:
		return nil
	case got.Seen != want.Seen:
		return &Deviation{Reason: WrongName, Text: "the sum over the names of transitions to states found before is not that of the script"}
	case got.Blocks != want.Blocks:
		return &Deviation{Reason: Omitted, Text: "there are as many transitions as the script says, but elsewhere"}
	case got.States != want.States:
		return &Deviation{Reason: WrongState, Text: "the sum over the numbers of states that transitions lead to is not that of the script"}
	}
	return nil
}
