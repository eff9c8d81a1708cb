package check

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/peer"
	"github.com/heddle-mc/heddle/internal/report"
)

// AutoCache is the cache mode that is tree as long as the connections with a server are
// independent as far as is known, and process if they turn out not to be.
const AutoCache = "auto"

// Modes returns how the cache is to begin: in tree mode with AutoCache, with the number of
// orders that are to be tried.
func (p *Peers) Modes() (m iocache.Modes, orders int, err error) {
	if p.Cache == AutoCache {
		return iocache.Modes{Mode: iocache.Tree}, p.Orders, nil
	}
	if m, err = iocache.ParseModes(p.Cache); err != nil {
		return m, 0, diag.Usagef("cache mode %q: want auto, or linear, tree or process, which ,process:PEER may follow", p.Cache)
	}
	specs, err := p.Specs()
	if err != nil {
		return m, 0, err
	}
	names := peerNames(specs)
	for _, name := range m.Together {
		if !slices.Contains(names, name) {
			return m, 0, diag.Usagef("cache mode %q: there is no peer %s: there are %s", p.Cache, name, strings.Join(names, ", "))
		}
	}
	return m, 0, nil
}

// peerNames returns by which names peers are known.
func peerNames(specs []peer.Spec) (names []string) {
	for i := range specs {
		names = append(names, specs[i].Name)
		for n := range specs[i].Count {
			names = append(names, fmt.Sprintf("%s.%d", specs[i].Name, n+1))
		}
	}
	return names
}

// Specs returns the peers of flags and heddle.yaml. Those of flags replace the
// others. The same command twice is two peers that are alike.
func (p *Peers) Specs() ([]peer.Spec, error) {
	list := slices.Clone(p.Declared)
	if len(p.Servers)+len(p.Clients) > 0 {
		list = nil
	}
	for _, role := range []peer.Role{peer.Server, peer.Client} {
		texts := p.Servers
		if role == peer.Client {
			texts = p.Clients
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
			s.Delay = p.Delay
		}
		s.Whole = s.Whole || !p.Pieces
		s.Fixed = s.Fixed || p.Fixed.On() && !s.Free
		s.Copied = s.Copied || p.Copies && !s.Started
		if s.Answer == 0 {
			s.Answer = p.Answer
		}
		if s.Patience == 0 {
			s.Patience = p.Patience
		}
		if s.Name == "" {
			s.Name = s.Role.String()
		}
		if n += max(s.Count, 1); n > sockets.MaxPeers {
			return nil, diag.Usagef("more than %d peers", sockets.MaxPeers)
		}
		if used[s.Name]++; used[s.Name] > 1 {
			s.Name += fmt.Sprint(used[s.Name])
		}
	}
	return list, nil
}

// Bounds says what the claim "verified" is worth: it is about what the peers have
// answered, not about what others could.
func (p *Peers) Bounds() []report.Setting {
	specs, err := p.Specs()
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
	words := fmt.Sprintf("peers: what %s answered (cache=%s", strings.Join(who, " and "), p.Cache)
	if p.Delay > 0 {
		words += fmt.Sprintf(", delay=%v", p.Delay)
	}
	list := []report.Setting{{Name: "peers", Value: servers + clients, Words: words + ")"}}
	if len(p.Rules) > 0 {
		list = append(list, report.Setting{Name: "rules", Value: len(p.Rules), Words: "messages that rules make equal are taken for the same"})
	}
	return list
}

// Abstractions returns the rules that make messages equal.
func (p *Peers) Abstractions() (iocache.Rules, error) {
	var rules iocache.Rules
	for _, text := range p.Rules {
		list, err := iocache.ParseRules(text)
		if err != nil {
			return nil, err
		}
		for _, r := range list {
			if r.Peer != "" {
				if err := p.known(r.Peer); err != nil {
					return nil, flagError("rule", fmt.Errorf("%s: %w", text, err))
				}
			}
		}
		rules = append(rules, list...)
	}
	return rules, nil
}

// known reports an error if there is no peer of a name. Those of a search that was made before are not looked for.
func (p *Peers) known(name string) error {
	if len(p.Met) > 0 {
		return nil
	}
	specs, err := p.Specs()
	if err != nil {
		return err
	}
	names := peerNames(specs)
	if !slices.Contains(names, name) {
		return fmt.Errorf("there is no peer of that name (%s)", cmp.Or(strings.Join(names, ", "), "there are none: say -server"))
	}
	return nil
}

// hosts returns the names that the program can look up.
func (p *Peers) hosts() (sockets.Hosts, error) {
	list, err := sockets.ParseHosts(p.Hosts)
	if err != nil {
		return nil, flagError("host", err)
	}
	for _, h := range list {
		if h.Peer != "" {
			if err := p.known(h.Peer); err != nil {
				return nil, flagError("host", fmt.Errorf("%s=%s: %w", h.Name, h.Peer, err))
			}
		}
	}
	return list, nil
}

// Meet notes whom the program talks to, and whether the time and random numbers of somebody are fixed.
func (p *Peers) Meet(w *execute.World, fixed bool) {
	p.Cache, p.Met = w.Modes.String(), nil
	if p.Fixed = autoFixed; fixed {
		p.Fixed = "true"
	}
	for _, who := range w.Peers {
		data, _ := json.Marshal(who) // strings, numbers and bools can be written
		p.Met = append(p.Met, string(data))
	}
}

// Recorded returns a world whose peers say what was recorded in the text of a file.
func (p *Peers) Recorded(file, text string) (*execute.World, error) {
	if len(p.Met) > sockets.MaxPeers { // somebody else may have written them
		return nil, diag.Usagef("more than %d peers", sockets.MaxPeers)
	}
	rec, err := iocache.Parse(file, text)
	if err != nil {
		return nil, err
	}
	modes := rec.Modes()
	if p.Cache != modes.String() {
		return nil, diag.Usagef("%s: recorded with -cache %v, the trace with -cache %s", file, modes, p.Cache)
	}
	rules, err := p.Abstractions()
	if err != nil {
		return nil, err
	}
	w := &execute.World{Cache: iocache.New(iocache.NewReplay(rec, rules), iocache.Options{Mode: modes.Mode, Together: modes.Together, Rules: rules}), Modes: modes}
	for _, text := range p.Met {
		var who sockets.Peer
		if err := json.Unmarshal([]byte(text), &who); err != nil {
			return nil, diag.Usagef("trace: setting peers: %v", err)
		}
		who.Whole = modes.TakesTogether(who.Name)
		w.Peers = append(w.Peers, who)
	}
	return w, nil
}
