package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/peer"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/settings"
)

func isList(v flag.Value) bool {
	_, ok := v.(*check.List)
	return ok
}

// A textList is a flag that may be repeated.
type textList = check.List

// A peerEntry is an element of the list peers in heddle.yaml.
type peerEntry struct {
	Server   string   `yaml:"server"`
	Client   string   `yaml:"client"`
	Args     []string `yaml:"args"`
	Name     string   `yaml:"name"`
	Count    int      `yaml:"count"`
	Env      []string `yaml:"env"`
	Dir      string   `yaml:"dir"`
	Ready    string   `yaml:"ready"`
	Answer   string   `yaml:"answer"`
	Patience string   `yaml:"patience"`
	Delay    string   `yaml:"delay"`
	Bytes    string   `yaml:"bytes"`
	Pieces   *bool    `yaml:"pieces"`
	Fixed    *bool    `yaml:"fixed"`
	Copies   *bool    `yaml:"copies"`
}

// fromYAML takes the list peers of a heddle.yaml. Commands run in its folder.
func (p *checkFlags) peersFromYAML(e settings.Entry, dir string) error {
	var list []peerEntry
	if err := e.Decode(&list); err != nil {
		return err
	}
	for i := range list {
		s, err := list[i].spec(dir)
		if err != nil {
			return diag.Sourcef(e.At, "peer %d: %v", i+1, err)
		}
		p.Peers.Declared = append(p.Peers.Declared, s)
	}
	return nil
}

// spec converts an entry.
func (e *peerEntry) spec(dir string) (peer.Spec, error) {
	role, text := peer.Server, e.Server
	switch {
	case (e.Server == "") == (e.Client == ""):
		return peer.Spec{}, fmt.Errorf("say either server or client, with a command")
	case e.Client != "":
		role, text = peer.Client, e.Client
	}
	s, err := peer.ParseSpec(role, text)
	if err != nil {
		return s, err
	}
	s.Name, s.Count, s.Env, s.Dir = e.Name, e.Count, e.Env, dir
	s.Whole = e.Pieces != nil && !*e.Pieces
	if e.Fixed != nil {
		s.Fixed, s.Free = *e.Fixed, !*e.Fixed
	}
	s.Copied = e.Copies != nil && *e.Copies
	s.Started = e.Copies != nil && !*e.Copies
	if e.Dir != "" {
		s.Dir = e.Dir
	}
	for _, d := range []struct {
		text string
		at   *time.Duration
	}{{e.Ready, &s.Ready}, {e.Answer, &s.Answer}, {e.Patience, &s.Patience}, {e.Delay, &s.Delay}} {
		if d.text != "" {
			if *d.at, err = time.ParseDuration(d.text); err != nil {
				return s, err
			}
		}
	}
	if e.Bytes != "" {
		var n check.Size
		if err := n.Set(e.Bytes); err != nil {
			return s, err
		}
		s.MaxBytes = int(n)
	}
	return s, nil
}

// A world is what a target talks to, while it is checked.
type world struct {
	*execute.World
	group *peer.Group
}

// begin begins to start the peers, so that they are ready by the time that the program
// is. What is wrong with them open will say. The group of peers is closed by abandon, if
// nobody opens it.
func (p *checkFlags) begin() {
	if specs, err := p.Peers.Specs(); err == nil && len(specs) > 0 {
		p.begun, _ = peer.Begin(specs)
	}
}

// abandon ends peers that nobody has opened.
func (p *checkFlags) abandon() {
	if p.begun != nil {
		p.begun.Close()
		p.begun = nil
	}
}

// group returns the peers that were begun, or begins.
func (p *checkFlags) group(specs []peer.Spec) (g *peer.Group, err error) {
	if g, p.begun = p.begun, nil; g == nil {
		if g, err = peer.Begin(specs); err != nil {
			return nil, err
		}
	}
	if err := g.Ready(); err != nil {
		g.Close()
		return nil, err
	}
	return g, nil
}

// A learned is what a search has found out about peers, for the next one.
type learned struct {
	depend []string // peers of which all connections are taken together, since they depend on each other
	vary   []string // peers that do not repeat themselves, so that their time and random numbers are fixed
}

// open starts the peers. Without any there is no world. If connections are known to
// depend on each other they are taken together.
func (t *target) open(workers int) (*world, error) {
	p, known := t.flags, &t.learned
	modes, orders, err := p.Peers.Modes()
	if err != nil {
		return nil, err
	}
	for _, name := range known.depend {
		modes = modes.With(name)
	}
	rules, err := p.Peers.Abstractions()
	if err != nil {
		return nil, err
	}
	specs, err := p.Peers.Specs()
	if err != nil || len(specs) == 0 {
		return nil, err
	}
	for i := range specs {
		specs[i].Fixed = specs[i].Fixed || slices.ContainsFunc(known.vary, func(name string) bool { return isOf(&specs[i], name) })
	}
	group, err := p.group(specs)
	if err != nil {
		return nil, err
	}
	w := &world{group: group, World: &execute.World{
		Cache: iocache.New(group, iocache.Options{Mode: modes.Mode, Together: modes.Together, Rules: rules, Live: workers, Orders: orders, Vary: t.mayVary}), Modes: modes,
	}}
	for _, info := range group.Peers() {
		w.Peers = append(w.Peers, sockets.Peer{Name: info.Name, Group: info.Group, Client: info.Role == peer.Client, Port: info.Port, UDP: info.UDP, Unix: info.Unix, First: info.First, Ports: info.Ports, Whole: modes.TakesTogether(info.Name)})
	}
	return w, nil
}

// isOf reports whether a peer is one of those that a spec is about.
func isOf(s *peer.Spec, name string) bool {
	number, ok := strings.CutPrefix(name, s.Name)
	return ok && (number == "" || s.Count > 1 && strings.HasPrefix(number, "."))
}

// believed returns what the search has taken for granted of peers, and the verdict says. With an error after which
// target.again is true the search was in vain. What it has found is a finding, also if a peer did not repeat itself
// later.
func (w *world) believed(t *target, found bool, stop func() bool) ([]report.Setting, error) {
	if w == nil {
		return nil, nil
	}
	if err := w.Failed(); !found && t.varying(err) != "" && !t.depends(err) {
		return nil, err
	}
	if found {
		if err := w.Cache.Linger(); err != nil {
			return nil, err
		}
	}
	list, err := w.independent(t, stop)
	return append(append(list, w.whole()...), w.fixed()...), err
}

// fixed says of which peers time and random numbers are fixed.
func (w *world) fixed() []report.Setting {
	list := w.group.Fixed()
	if len(list) == 0 {
		return nil
	}
	return []report.Setting{{Name: "fixed", Value: true, Words: "time and random numbers of " + strings.Join(list, ", ") + " are fixed"}}
}

// independent tests whether the connections with servers are independent, as the search believed,
// if nobody has told it to. It returns what the verdict says of that. With an error for which
// iocache.Depends has words the search was in vain.
func (w *world) independent(t *target, stop func() bool) ([]report.Setting, error) {
	if t.flags.Peers.Cache != check.AutoCache {
		return nil, nil
	}
	words, doubt := "", false
	n, err := w.Cache.TryOrders(stop)
	switch failed := w.Failed(); {
	case t.depends(failed):
		return nil, failed
	case err != nil:
		return nil, err
	case n.Untried == "" && t.flags.Peers.Orders <= 0:
		words, doubt = "connections with a server are taken to be independent (-orders 0)", true
	case n.Untried != "":
		words, doubt = "connections with a server are taken to be independent ("+n.Untried+")", true
	case n.All > 0:
		of := ""
		if n.More {
			of = "more than "
		}
		words = fmt.Sprintf("independence of connections held in %d of %s%d orders", n.Tried, of, n.All)
	}
	if list := t.learned.depend; len(list) > 0 {
		words = strings.TrimSuffix("all connections of "+strings.Join(list, ", ")+" together, "+words, ", ")
	}
	if words == "" {
		return nil, nil
	}
	return []report.Setting{{Name: "orders", Value: n.Tried, Words: words, False: doubt}}, nil
}

// whole says of which peers each answer is taken to arrive as a whole.
func (w *world) whole() []report.Setting {
	list := w.group.Whole()
	if len(list) == 0 {
		return nil
	}
	return []report.Setting{{Name: "pieces", Value: false, Words: "each answer of " + strings.Join(list, ", ") + " arrives as a whole"}}
}

// close ends all peers.
func (w *world) close() {
	if w != nil {
		w.Cache.Close()
		w.group.Close()
	}
}

// end ends all peers and returns the time that was spent waiting for them, from the
// first one's start to the last one's end.
func (w *world) end() time.Duration {
	w.close()
	return w.group.Stats().Waited
}

// traffic tells what went between the program and its peers.
func (w *world) traffic() *report.Traffic {
	if w == nil {
		return nil
	}
	c, g := w.Cache.Stats(), w.group.Stats()
	t := &report.Traffic{
		Peers: len(w.Peers), Connections: c.Connections, Hits: c.Hits, Misses: c.Misses, Restarts: c.Restarts, Replays: c.Replays,
		BytesOut: c.BytesOut, BytesIn: c.BytesIn, WaitSeconds: g.Waited.Seconds(), LookSeconds: g.Looked.Seconds(), Launches: g.Launches, Copies: g.Copies, Uncopied: append([]string{}, w.group.Uncopied()...),
		Notes: append([]string{}, w.group.Notes()...), Runs: []report.PeerRun{},
	}
	for _, r := range w.group.Runs() {
		t.Runs = append(t.Runs, report.PeerRun{Peer: r.Peer, Number: r.Number, Status: r.Status, Output: r.Output})
	}
	return t
}
