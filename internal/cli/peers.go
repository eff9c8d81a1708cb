package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/peer"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/settings"
)

// peerFlags say whom the program talks to.
type peerFlags struct {
	servers  textList
	clients  textList
	cache    string
	delay    time.Duration
	answer   time.Duration
	rules    textList
	declared []peer.Spec // in heddle.yaml
	begun    *peer.Group // see begin
}

func (p *peerFlags) declare(fs *flag.FlagSet) {
	fs.Var(&p.servers, "server", "start this `command` as a server that the program connects to, or use the one at host:port; may be repeated")
	fs.Var(&p.clients, "client", "launch this `command` as a client when the program is ready to accept; may be repeated")
	fs.StringVar(&p.cache, "cache", "tree", "how what is said to peers is remembered, this `mode`: tree (each connection by itself, other requests in other schedules), linear (the same in all schedules) or process (all connections of a peer together)")
	fs.DurationVar(&p.delay, "delay", 0, "do not look at peers, but wait until they have said nothing for duration `d`")
	fs.DurationVar(&p.answer, "answer", 10*time.Second, "give up on a peer that has not come to rest after duration `d`")
	fs.Var(&p.rules, "rule", "an abstraction of messages, as 'request: PATTERN => REPLACEMENT': docs/network.md; may be repeated")
}

// A textList is a flag that may be repeated.
type textList []string

func (l *textList) String() string { return strings.Join(*l, ", ") }

func isList(v flag.Value) bool {
	_, ok := v.(*textList)
	return ok
}

// Set adds a text.
func (l *textList) Set(s string) error {
	*l = append(*l, s)
	return nil
}

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
}

// fromYAML takes the list peers of a heddle.yaml. Commands run in its folder.
func (p *peerFlags) fromYAML(e settings.Entry, dir string) error {
	var list []peerEntry
	if err := e.Decode(&list); err != nil {
		return err
	}
	for i := range list {
		s, err := list[i].spec(dir)
		if err != nil {
			return diag.Sourcef(e.At, "peer %d: %v", i+1, err)
		}
		p.declared = append(p.declared, s)
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
		var n size
		if err := n.Set(e.Bytes); err != nil {
			return s, err
		}
		s.MaxBytes = int(n)
	}
	return s, nil
}

// specs returns the peers of flags and heddle.yaml. Those of flags replace the
// others. The same command twice is two peers that are alike.
func (p *peerFlags) specs() ([]peer.Spec, error) {
	list := p.declared
	if len(p.servers)+len(p.clients) > 0 {
		list = nil
	}
	for _, role := range []peer.Role{peer.Server, peer.Client} {
		texts := p.servers
		if role == peer.Client {
			texts = p.clients
		}
		for _, text := range texts {
			if i := slices.IndexFunc(list, func(s peer.Spec) bool { return s.Role == role && s.Command == text && text != "" }); i >= 0 {
				list[i].Count = max(list[i].Count, 1) + 1
				continue
			}
			s, err := peer.ParseSpec(role, text)
			if err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	used, n := map[string]int{}, 0
	for i := range list {
		s := &list[i]
		if s.Delay == 0 {
			s.Delay = p.delay
		}
		if s.Answer == 0 {
			s.Answer = p.answer
		}
		if s.Name == "" {
			s.Name = s.Role.String()
		}
		if n += max(s.Count, 1); n > kernel.MaxPeers {
			return nil, diag.Usagef("more than %d peers", kernel.MaxPeers)
		}
		if used[s.Name]++; used[s.Name] > 1 {
			s.Name += fmt.Sprint(used[s.Name])
		}
	}
	return list, nil
}

// bounds says what the claim "verified" is worth: it is about what the peers have
// answered, not about what others could.
func (p *peerFlags) bounds() []report.Setting {
	specs, err := p.specs()
	if err != nil || len(specs) == 0 {
		return nil // the error is told when they are started
	}
	servers, clients := 0, 0
	for _, s := range specs {
		if s.Role == peer.Client {
			clients += max(s.Count, 1)
		} else {
			servers += max(s.Count, 1)
		}
	}
	var who []string
	for _, part := range []struct {
		n    int
		what string
	}{{servers, "server"}, {clients, "client"}} {
		switch {
		case part.n == 1:
			who = append(who, "1 "+part.what)
		case part.n > 1:
			who = append(who, fmt.Sprintf("%d %ss", part.n, part.what))
		}
	}
	words := fmt.Sprintf("peers: what %s answered (cache=%s", strings.Join(who, " and "), p.cache)
	if p.delay > 0 {
		words += fmt.Sprintf(", delay=%v", p.delay)
	}
	list := []report.Setting{{Name: "peers", Value: servers + clients, Words: words + ")"}}
	if len(p.rules) > 0 {
		list = append(list, report.Setting{Name: "rules", Value: len(p.rules), Words: "messages that rules make equal are taken for the same"})
	}
	return list
}

// messageRules returns the abstractions.
func (p *peerFlags) messageRules() (iocache.Rules, error) {
	return parseRules(p.rules)
}

func parseRules(texts []string) (iocache.Rules, error) {
	var rules iocache.Rules
	for _, text := range texts {
		r, err := iocache.ParseRule(text)
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
	}
	return rules, nil
}

// A world is what a target talks to, while it is checked.
type world struct {
	*execute.World
	group *peer.Group
}

// begin begins to start the peers, so that they are ready by the time that the program
// is. What is wrong with them open will say. The group of peers is closed by abandon, if
// nobody opens it.
func (p *peerFlags) begin() {
	if specs, err := p.specs(); err == nil && len(specs) > 0 {
		p.begun, _ = peer.Begin(specs)
	}
}

// abandon ends peers that nobody has opened.
func (p *peerFlags) abandon() {
	if p.begun != nil {
		p.begun.Close()
		p.begun = nil
	}
}

// group returns the peers that were begun, or begins.
func (p *peerFlags) group(specs []peer.Spec) (g *peer.Group, err error) {
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

// open starts the peers. Without any there is no world.
func (p *peerFlags) open(workers int) (*world, error) {
	mode, err := iocache.ParseMode(p.cache)
	if err != nil {
		return nil, err
	}
	rules, err := p.messageRules()
	if err != nil {
		return nil, err
	}
	specs, err := p.specs()
	if err != nil || len(specs) == 0 {
		return nil, err
	}
	group, err := p.group(specs)
	if err != nil {
		return nil, err
	}
	w := &world{group: group, World: &execute.World{
		Cache: iocache.New(group, iocache.Options{Mode: mode, Rules: rules, Live: workers}), Mode: mode,
	}}
	for _, info := range group.Peers() {
		w.Peers = append(w.Peers, kernel.Peer{Name: info.Name, Group: info.Group, Client: info.Role == peer.Client, Port: info.Port, UDP: info.UDP})
	}
	return w, nil
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
		BytesOut: c.BytesOut, BytesIn: c.BytesIn, WaitSeconds: g.Waited.Seconds(), LookSeconds: g.Looked.Seconds(), Launches: g.Launches,
		Notes: append([]string{}, w.group.Notes()...), Runs: []report.PeerRun{},
	}
	for _, r := range w.group.Runs() {
		t.Runs = append(t.Runs, report.PeerRun{Peer: r.Peer, Number: r.Number, Status: r.Status, Output: r.Output})
	}
	return t
}
