package distribute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/trace"
)

// maxMember is how large the result of a member may be.
const maxMember = 64 << 20

// A memberText is the result of a member as JSON.
type memberText struct {
	Failure     string         `json:"failure,omitempty"`
	States      int64          `json:"states"`
	Transitions int64          `json:"transitions"`
	Revisited   int64          `json:"revisited"`
	MaxDepth    int            `json:"depth"`
	Bytes       int64          `json:"bytes"`
	More        int64          `json:"more"`
	Findings    []memberFound  `json:"findings"`
	Left        []explore.Left `json:"left"`
	Certificate []byte         `json:"certificate,omitempty"` // if it saw everything, and nothing is wrong
}

// maxMemberProof is how large a certificate in the result of a member may be: there it is written in base64.
const maxMemberProof = maxMember / 2

type memberFound struct {
	Finding diag.Finding `json:"finding"`
	View    string       `json:"view,omitempty"`
	Path    []byte       `json:"path"`
}

func newMemberText(r *explore.Result) *memberText {
	m := &memberText{States: r.States, Transitions: r.Transitions, Revisited: r.Revisited, MaxDepth: r.MaxDepth, Bytes: r.Bytes, More: r.More, Left: r.Left}
	for _, f := range r.Findings {
		m.Findings = append(m.Findings, memberFound{f.Finding, f.View, f.Path.AppendBinary(nil)})
	}
	return m
}

// result returns the result, without a verdict: that is for all members together.
func (m *memberText) result() (*explore.Result, error) {
	r := &explore.Result{States: m.States, Transitions: m.Transitions, Revisited: m.Revisited, MaxDepth: m.MaxDepth, Bytes: m.Bytes, More: m.More, Bound: -1}
	for _, l := range m.Left {
		if !slices.Contains(reasons, l.Reason) {
			return nil, fmt.Errorf("it has left something out for no reason that is known here")
		}
		r.Left = append(r.Left, explore.Left{Reason: l.Reason, Count: l.Count, Text: plain.Short(l.Text, longestText), Path: l.Path})
	}
	for _, f := range m.Findings {
		path, rest, err := lts.CutPath(f.Path)
		if err != nil || len(rest) > 0 {
			return nil, fmt.Errorf("the way to a finding is damaged")
		}
		r.Findings = append(r.Findings, explore.Found{Finding: f.Finding, Path: path, View: f.View})
	}
	return r, nil
}

// reasons are those for which a search leaves something out.
var reasons = []explore.Reason{
	explore.LimitStates, explore.LimitDepth, explore.LimitTime, explore.LimitMemory, explore.LimitPreemptions,
	explore.Interrupted, explore.Store, explore.SystemBound, explore.Sample,
}

// Members has the members of a swarm searched by others. In text is what workers have
// to know of the program, and one makes a system of this process that looks at states as a member did who
// has found something, with what closes it. Prove examines the certificate of a member that says that it saw everything.
// The verdict is that of all members together, also if ctx ends before they do.
func Members(ctx context.Context, o *Options, one func(view string) (sys lts.System, done func(), err error), prove Prover, text Job) (*explore.Result, error) {
	d := &swarmCoordinator{all: text.All, one: one, prove: prove}
	return d.search(ctx, o, text)
}

// A Prover examines a certificate that somebody has sent, and returns what was seen. An error of a search that was not complete says that
// nothing is known; any other one is why the certificate is refused.
type Prover func(certificate []byte) (*explore.Result, error)

// A swarmCoordinator has the members of a swarm searched by others. The first one
// that finds something, or says that it saw everything, ends the swarm. A finding is shown
// again by this process before it counts. That a member saw everything is shown by its
// certificate, which is examined here; without one the verdict is that nothing is known, and who says what.
type swarmCoordinator struct {
	coordinator
	all     bool
	prove   Prover
	one     func(view string) (sys lts.System, done func(), err error)
	results []*explore.Result // nil for members that have not ended
	ended   int
}

func memberName(n int) string { return "member-" + strconv.Itoa(n) }

// memberNumber returns the number of a member by its name, 0 if there is none.
func memberNumber(name string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "member-"))
	return n
}

// search runs the swarm.
func (d *swarmCoordinator) search(ctx context.Context, o *Options, text Job) (*explore.Result, error) {
	text.Kind = kindSwarm
	d.results = make([]*explore.Result, text.Members)
	d.coordinator = coordinator{
		o: o, text: text, total: len(d.results),
		put: func(context.Context) error { return nil }, ready: func() {},
		name: memberName, number: memberNumber, limit: func(int) int64 { return maxMember }, keep: func(context.Context, int) error { return nil },
		take: d.takeMember, finish: func(err error) error { return err },
	}
	err := d.run(ctx)
	var stopped errInterrupted
	if err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	res := explore.Gather(d.results, d.all)
	if err != nil && res.Verdict == explore.Inconclusive {
		res.Left = append(res.Left, explore.Left{Reason: explore.Interrupted, Count: int64(d.total - d.ended), Text: err.Error() + ": members of the swarm that have not ended"})
	}
	return res, nil
}

// takeMember looks at what is said about a member.
func (d *swarmCoordinator) takeMember(n int, a answer) error {
	res, certificate, why := d.judge(n, a)
	if why == "" && len(res.Left) == 0 && (len(res.Findings) == 0 || d.all) {
		res, why = d.examine(n, a.worker, res, certificate)
	}
	if why != "" {
		res = &explore.Result{Left: []explore.Left{{Reason: explore.Sample, Count: 1, Text: "searches of the swarm of which nothing is known: " + why}}}
	}
	d.results[n-1] = res
	decides := explore.Decides(res, d.all) || slices.ContainsFunc(res.Left, func(l explore.Left) bool { return l.Reason == explore.Claimed })
	if d.ended++; d.ended == d.total || decides {
		return errDone
	}
	return nil
}

// examine returns what counts of a member that says that it saw everything: what its certificate shows, or that it says so.
// It returns why nothing does if the certificate is refused.
func (d *swarmCoordinator) examine(n int, worker string, res *explore.Result, certificate []byte) (*explore.Result, string) {
	why := "which nobody has examined: a certificate shows it (check -cert there, certify here)"
	if len(certificate) > 0 && len(res.Findings) == 0 {
		seen, err := d.prove(certificate)
		switch {
		case err == nil && len(seen.Findings) > 0:
			d.expel(worker, n, "it says that nothing is wrong, which is not so")
			return seen, ""
		case err == nil:
			d.view.Say(fmt.Sprintf("worker %s says that search %d of the swarm saw everything: its certificate was examined here, %d transitions", worker, n, seen.Transitions))
			return seen, ""
		case diag.ExitCode(err) != diag.ExitIncomplete:
			d.expel(worker, n, "its certificate is refused: %v", err)
			return nil, "its worker has lied"
		}
		why = "and its certificate was not examined to the end: " + err.Error()
	}
	res.Left = []explore.Left{{Reason: explore.Claimed, Text: fmt.Sprintf("worker %s says that search %d of the swarm saw everything, %d states, %s", worker, n, res.States, why)}}
	return res, ""
}

// judge returns the result of a member that counts with its certificate, or why there is none.
func (d *swarmCoordinator) judge(n int, a answer) (*explore.Result, []byte, string) {
	if a.err != nil {
		return nil, nil, a.err.Error()
	}
	if d.out[a.worker] {
		return nil, nil, "its worker has lied"
	}
	lie := func(format string, args ...any) (*explore.Result, []byte, string) {
		d.expel(a.worker, n, format, args...)
		return nil, nil, "its worker has lied"
	}
	var m memberText
	if err := json.Unmarshal(a.data, &m); err != nil {
		return lie("it cannot be read")
	}
	if m.Failure != "" {
		return nil, nil, fmt.Sprintf("worker %s says %q", a.worker, m.Failure)
	}
	res, err := m.result()
	if err != nil {
		return lie("%v", err)
	}
	for i, f := range res.Findings {
		if res.Findings[i], err = d.confirm(f); err != nil {
			return lie("it says %q, which does not show here: %v", f.Error(), err)
		}
	}
	return res, m.Certificate, ""
}

// confirm goes the way to a finding and returns what shows here.
func (d *swarmCoordinator) confirm(f explore.Found) (explore.Found, error) {
	sys, done, err := d.one(f.View)
	if err != nil {
		return f, err
	}
	defer done()
	m, err := trace.Minimise(sys, f.Path, func(g diag.Finding) bool { return g.Kind == f.Kind }, 1)
	if err != nil {
		return f, err
	}
	return explore.Found{Finding: m.Finding, Path: m.Path, View: f.View}, nil
}
