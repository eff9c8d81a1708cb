package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/trace"
)

// trafficFile is the file about a violation that has what was said to peers and
// what they said, as far as the story goes: with it, replay needs no peers.
const trafficFile = "traffic.txt"

// readTraffic returns the world of a trace, nil if it has none. The file lies
// beside the trace.
func readTraffic(spec *check.Spec, name string) (*execute.World, error) {
	if len(spec.Peers.Met) == 0 {
		return nil, nil
	}
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		name = filepath.Dir(name)
	}
	file := filepath.Join(name, trafficFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, diag.Usagef("%s is missing: it has what the peers said, without which the trace cannot be replayed", file)
	} else if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	return spec.Peers.Recorded(file, string(data))
}

// tellPeer tells how the program comes to where a peer has failed. The search has
// ended there, which nobody has asked for.
func (c *checker) tellPeer(t *target, s execute.Settings, res *explore.Result, r *report.Report, failed error) error {
	r.Left = slices.DeleteFunc(r.Left, func(l report.Left) bool {
		return l.Reason == string(explore.Interrupted) && !c.interrupt.poll() || l.Text == execute.ErrAfter.Error()
	})
	i := slices.IndexFunc(res.Left, func(l explore.Left) bool { return l.Reason == explore.SystemBound && l.Text == failed.Error() })
	at := slices.IndexFunc(r.Left, func(l report.Left) bool {
		return l.Reason == string(explore.SystemBound) && i >= 0 && l.Text == c.near(res.Left[i].Text)
	})
	if at < 0 {
		r.Left = append(r.Left, report.Left{Text: c.near(failed.Error())})
		at = len(r.Left) - 1
	}
	left := &r.Left[at]
	left.Reason, left.Count = peerTrouble, 0
	var other *iocache.Nondeterminism
	if errors.As(failed, &other) {
		left.Diff = other.Diff()
		left.Rules, left.Why = other.Cover()
	}
	if i < 0 || res.Left[i].Path == nil && t.flags.Search.Workers > 1 {
		return nil // several workers have not noted the way
	}
	all := t.process.World.Cache.Text()
	w, err := t.spec.Peers.Recorded(trafficFile, all)
	if err != nil {
		return diag.Bugf("what was said to peers cannot be read again: %v", err)
	}
	p := &replayed{prog: t.prog, settings: s, spec: t.spec, process: t.process}
	p.process.World = w
	sys, done, err := p.start(nil)
	if err != nil {
		return err
	}
	defer done()
	tr, err := trace.Record(sys, res.Left[i].Path, diag.Finding{})
	if err != nil {
		return nil // what the peer said when it failed is not known, so the way cannot be gone again
	}
	tr.Finding = diag.Finding{Kind: peerTrouble, Message: left.Text}
	tr.Program, tr.Settings = t.prog.Identity, t.spec.Under(s.Known.Views.String()).Recipe()
	left.Story = story(tr, c.columns, false, false)
	if left.Folder = t.folder; len(res.Findings) > 0 {
		left.Folder = filepath.Join(t.folder, peerTrouble)
	}
	left.Replay, left.See = "heddle replay "+quoteArg(left.Folder), see(left.Folder, peerTrouble, t.spec.Program.Against == "")
	files, err := tr.Files()
	if err != nil {
		return diag.Bugf("a trace cannot be written: %v", err)
	}
	if err := writeFiles(left.Folder, append(files, trace.File{Name: trafficFile, Data: []byte(w.Cache.Text())})); err != nil {
		c.lose(err)
		left.Folder, left.Replay, left.See = "", "", nil
	}
	return nil
}

// peerTrouble is the reason why a search ends where a peer has failed.
const peerTrouble = "peer"

// traffic returns what was said along a trace, as text. Of all that the search
// knows, what the trace does not need is left out by going along it once more.
func (c *checker) traffic(t *target, s execute.Settings, tr *trace.Trace) (string, error) {
	all := t.process.World.Cache.Text()
	w, err := t.spec.Peers.Recorded(trafficFile, all)
	if err != nil {
		return "", diag.Bugf("what was said to peers cannot be read again: %v", err)
	}
	p := &replayed{prog: t.prog, settings: s, spec: t.spec, process: t.process}
	p.process.World = w
	if fits, _, err := p.compare(tr); err != nil || fits < len(tr.Path) {
		return all, nil
	}
	return w.Cache.Text(), nil
}
