package cli

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/trace"
)

// trafficFile is the file about a violation that has what was said to peers and
// what they said, as far as the story goes: with it, replay needs no peers.
const trafficFile = "traffic.txt"

// setWorld notes whom the program talks to.
func (r *recipe) setWorld(p *peerFlags, w *world) {
	r.Cache, r.Rules, r.Peers = w.Mode.String(), p.rules, nil
	for _, p := range w.Peers {
		data, _ := json.Marshal(p) // strings, numbers and bools can be written
		r.Peers = append(r.Peers, string(data))
	}
}

// recordedWorld returns a world whose peers say what was recorded.
func (r *recipe) recordedWorld(file, text string) (*execute.World, error) {
	rec, err := iocache.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if r.Cache != rec.Mode().String() {
		return nil, diag.Usagef("%s: recorded with -cache %v, the trace with -cache %s", file, rec.Mode(), r.Cache)
	}
	rules, err := parseRules(r.Rules)
	if err != nil {
		return nil, err
	}
	w := &execute.World{Cache: iocache.New(iocache.NewReplay(rec, rules), iocache.Options{Mode: rec.Mode(), Rules: rules}), Mode: rec.Mode()}
	for _, text := range r.Peers {
		var p kernel.Peer
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			return nil, diag.Usagef("trace: setting peers: %v", err)
		}
		w.Peers = append(w.Peers, p)
	}
	return w, nil
}

// readTraffic returns the world of a trace, nil if it has none. The file lies
// beside the trace.
func (r *recipe) readTraffic(name string) (*execute.World, error) {
	if len(r.Peers) == 0 {
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
	return r.recordedWorld(file, string(data))
}

// traffic returns what was said along a trace, as text. Of all that the search
// knows, what the trace does not need is left out by going along it once more.
func (c *checker) traffic(t *target, s execute.Settings, tr *trace.Trace) (string, error) {
	all := t.process.World.Cache.Text()
	w, err := t.recipe.recordedWorld(trafficFile, all)
	if err != nil {
		return "", diag.Bugf("what was said to peers cannot be read again: %v", err)
	}
	p := &replayed{prog: t.prog, settings: s, rec: t.recipe, process: t.process}
	p.process.World = w
	if fits, _, err := p.compare(tr); err != nil || fits < len(tr.Path) {
		return all, nil
	}
	return w.Cache.Text(), nil
}
