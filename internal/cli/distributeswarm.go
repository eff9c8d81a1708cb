package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A searchText is how the members of a swarm search.
type searchText struct {
	Reduce  bool          `json:"reduce"`
	States  int64         `json:"states"`
	Depth   int           `json:"depth"`
	Timeout time.Duration `json:"timeout"`
	Mem     size          `json:"mem"`
	Seed    uint64        `json:"seed"`
	Runs    int           `json:"runs"`
	Store   string        `json:"store"`
}

func (c *checkFlags) searchText(o *explore.Options) *searchText {
	return &searchText{o.Reduce, c.states, c.depth, c.timeout, c.mem, c.seed, o.Members(), c.store}
}

// options returns the options of a member.
func (s *searchText) options(all bool) (explore.Options, error) {
	c := checkFlags{
		search: explore.Swarm.String(), reduce: s.Reduce, all: all, workers: 1, states: s.States, depth: s.Depth,
		timeout: s.Timeout, mem: s.Mem, seed: s.Seed, runs: s.Runs, store: s.Store,
	}
	return c.options()
}

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
	Path    []byte       `json:"path"`
}

func newMemberText(r *explore.Result) *memberText {
	m := &memberText{States: r.States, Transitions: r.Transitions, Revisited: r.Revisited, MaxDepth: r.MaxDepth, Bytes: r.Bytes, More: r.More, Left: r.Left}
	for _, f := range r.Findings {
		m.Findings = append(m.Findings, memberFound{f.Finding, f.Path.AppendBinary(nil)})
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
		r.Findings = append(r.Findings, explore.Found{Finding: f.Finding, Path: path})
	}
	return r, nil
}

// distributed looks whether the flags of a check go together with -distribute. It
// returns nil without that.
func (p *programChecker) distributed(run *report.Run) (*distributeFlags, error) {
	if err := p.distribute.check(); err != nil || !p.distribute.on {
		return nil, err
	}
	run.Settings = append(run.Settings, report.Setting{Name: "distribute", Value: true})
	switch {
	case p.flags.search != explore.Swarm.String() || p.flags.workers > 1:
		return nil, diag.Usagef("-distribute is for a swarm: say -swarm n, and start heddle worker for each that is to search")
	case p.lts != "" || p.checkpoint != "" || p.resume != "" || p.cert.file != "" || p.out.cover != "":
		return nil, diag.Usagef("-distribute: graph, checkpoint, certificate and coverage are made by a search of this process")
	case len(p.flags.peers.declared) > 0:
		return nil, diag.Usagef("-distribute: live peers are those of one process: certify a certificate, which has what they said, or run all sides in the machine")
	}
	return &p.distribute, nil
}

// distributed does the same for models.
func (m *modelChecker) distributed(run *report.Run) error {
	if err := m.distribute.check(); err != nil || !m.distribute.on {
		return err
	}
	run.Settings = append(run.Settings, report.Setting{Name: "distribute", Value: true})
	switch {
	case m.flags.search != explore.Swarm.String() || m.flags.workers > 1:
		return diag.Usagef("-distribute is for a swarm: say -swarm n, and start heddle worker for each that is to search")
	case m.cert.file != "":
		return diag.Usagef("-distribute: a certificate is made by a search of this process")
	}
	return nil
}

// swarm has the members of a swarm searched by others.
func (c *checker) swarm(t *target, pool *systems, o explore.Options) (*explore.Result, error) {
	own := t.recipe
	own.Dir, own.ChangeTo = "", ""
	d := &swarmCoordinator{all: o.All, one: pool.one}
	return d.search(c.app, c.distribute, t.name, o, jobText{
		Identity: t.prog.Identity, Packages: t.recipe.Packages, Tags: t.recipe.Tags, Settings: own.settings(), Search: t.flags.searchText(&o),
	})
}

// swarm does the same for models.
func (m *modelChecker) swarm(t *target, o explore.Options) (*explore.Result, error) {
	settings := map[string]string{}
	for name, value := range m.recipe {
		if name != "dir" {
			settings[name] = value
		}
	}
	d := &swarmCoordinator{all: o.All, one: func() (lts.System, error) { return m.one(), nil }}
	return d.search(m.app, &m.distribute, t.name, o, jobText{
		Identity: m.model.identity(), Model: m.model.name, Settings: settings, Search: m.flags.searchText(&o),
	})
}

// A swarmCoordinator has the members of a swarm searched by others. The first one
// that finds something, or sees everything, ends the swarm. A finding is shown again
// by this process before it counts. That a member saw everything is believed.
type swarmCoordinator struct {
	coordinator
	all     bool
	one     func() (lts.System, error) // a system of this process
	results []*explore.Result          // nil for members that have not ended
	ended   int
}

func memberName(n int) string { return "member-" + strconv.Itoa(n) }

// memberNumber returns the number of a member by its name, 0 if there is none.
func memberNumber(name string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "member-"))
	return n
}

// search runs the swarm.
func (d *swarmCoordinator) search(app *App, flags *distributeFlags, name string, o explore.Options, text jobText) (*explore.Result, error) {
	text.Heddle, text.Kind, text.All = version(), jobSwarm, o.All
	d.results = make([]*explore.Result, text.Search.Runs)
	d.coordinator = coordinator{
		app: app, flags: flags, name: name, what: "searches", text: text, total: len(d.results),
		put: func(context.Context) error { return nil }, ready: func() {},
		add: d.addMembers, number: memberNumber, take: d.takeMember,
		finish: func(_ context.Context, err error) error { return err },
	}
	err := d.run(context.Background())
	var stopped errInterrupted
	if err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	res := explore.Gather(d.results, o.All)
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
	sys, err := d.one()
	if err != nil {
		return f, err
	}
	m, err := trace.Minimise(sys, f.Path, func(g diag.Finding) bool { return g.Kind == f.Kind }, 1)
	if err != nil {
		return f, err
	}
	return explore.Found{Finding: m.Finding, Path: m.Path}, nil
}
