package distribute

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
	"github.com/heddle-mc/heddle/internal/trace"
)

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
}

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
	r := &explore.Result{States: m.States, Transitions: m.Transitions, Revisited: m.Revisited, MaxDepth: m.MaxDepth, Bytes: m.Bytes, More: m.More, Left: m.Left, Bound: -1}
	for _, f := range m.Findings {
		path, rest, err := lts.CutPath(f.Path)
		if err != nil || len(rest) > 0 {
			return nil, fmt.Errorf("the way to a finding is damaged")
		}
		r.Findings = append(r.Findings, explore.Found{Finding: f.Finding, Path: path, View: f.View})
	}
	return r, nil
}

// Members has the members of a swarm searched by others. In text is what workers have
// to know of the program, and one makes a system of this process that looks at states as a member did who
// has found something, with what closes it.
// The verdict is that of all members together, also if ctx ends before they do.
func Members(ctx context.Context, o *Options, one func(view string) (sys lts.System, done func(), err error), text Job) (*explore.Result, error) {
	d := &swarmCoordinator{all: text.All, one: one}
	return d.search(ctx, o, text)
}

// A swarmCoordinator has the members of a swarm searched by others. The first one
// that finds something, or sees everything, ends the swarm. A finding is shown again
// by this process before it counts. That a member saw everything is believed.
type swarmCoordinator struct {
	coordinator
	all     bool
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
		add: d.addMembers, number: memberNumber, take: d.takeMember,
		finish: func(_ context.Context, err error) error { return err },
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

// addMembers adds a task for each member that has not ended.
func (d *swarmCoordinator) addMembers(ctx context.Context, answered map[string]bool) error {
	for n := 1; n <= d.total; n++ {
		if name := memberName(n); !answered[name] {
			if err := d.job.Add(ctx, name, nil); err != nil {
				return ofQueue(err)
			}
		}
	}
	return nil
}

// takeMember looks at the result of a member.
func (d *swarmCoordinator) takeMember(_ context.Context, r queue.Result) error {
	n := memberNumber(r.Task)
	res, err := d.judge(n, r)
	if err != nil {
		return err
	}
	d.results[n-1] = res
	if d.ended++; d.ended == d.total || explore.Decides(res, d.all) {
		return errDone
	}
	return nil
}

// judge returns the result of a member that counts.
func (d *swarmCoordinator) judge(n int, r queue.Result) (*explore.Result, error) {
	if r.Failed != "" {
		return &explore.Result{Left: []explore.Left{{Reason: explore.Sample, Count: 1, Text: "searches of the swarm were given up: " + r.Failed}}}, nil
	}
	var m memberText
	if err := json.Unmarshal(r.Data, &m); err != nil {
		return nil, errLie(r.Worker, n, "it cannot be read")
	}
	if m.Failure != "" {
		return nil, diag.Bugf("worker %s, search %d of the swarm: %s", r.Worker, n, m.Failure)
	}
	res, err := m.result()
	if err != nil {
		return nil, errLie(r.Worker, n, "%v", err)
	}
	for i, f := range res.Findings {
		if res.Findings[i], err = d.confirm(f); err != nil {
			return nil, errLie(r.Worker, n, "it says %q, which does not show here: %v", f.Error(), err)
		}
	}
	return res, nil
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
