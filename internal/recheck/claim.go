package recheck

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/lts"
)

// standard is the environment of every program that is checked.
var standard = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/root", "LANG=C.UTF-8"}

// A program is what is examined.
type program struct {
	name      string
	test      string           // the one that is examined, "" for none
	functions []string         // of the test: a package and its tests outside may both have one
	pkg, dir  string           // of tests: their package
	members   []execute.Member // one, unless there are several side by side
	notes     string           // what the verdict says besides
	settings  execute.Settings
}

// Build compiles programs. Tests of other packages have one library for all of theirs.
var Build = execute.Build

// build builds the programs, servers first, and says how they are started.
func (o *options) build() *program {
	p := &program{name: strings.Join(o.source, " ")}
	var sources [][]string
	var names []string
	for _, s := range o.server {
		p.name += " with " + s
		sources = append(sources, strings.Fields(s)[:1])
	}
	if strings.HasSuffix(o.source[0], ".go") {
		sources = append(sources, o.source)
	} else {
		sources = append(sources, slices.Collect(slices.Chunk(o.source, 1))...)
	}
	for i, files := range sources {
		code := must(Build(execute.Source{Patterns: files, Test: o.tests(), NoCache: true}))
		if slices.ContainsFunc(code.Funcs, func(f bytecode.Func) bool { return strings.HasSuffix(f.Native, "/heddle/verify.promise") }) {
			giveUp(p.name, "programs that call verify.Eventually or verify.Leads are not examined here")
		}
		name := strings.TrimSuffix(filepath.Base(files[0]), ".go")
		if abs, err := filepath.Abs(files[0]); err == nil && (name == "." || name == "..") {
			name = filepath.Base(abs)
		}
		process := execute.Process{Args: append([]string{name}, o.args...), Env: standard, Public: true}
		if i < len(o.server) {
			process.Args, process.Server = append([]string{name}, strings.Fields(o.server[i])[1:]...), true
		}
		names, p.members = append(names, name), append(p.members, execute.Member{Program: code, Process: process})
	}
	for i, name := range execute.MemberNames(names) {
		p.members[i].Name = name
	}
	if o.tests() {
		p.pkg, p.dir = packageOf(o.source[0])
	}
	return p
}

// claimed refuses a certificate of anything else than that all usual properties of the program hold, with the usual bounds, the given arguments and
// the standard environment.
func (p *program) claimed(c *certificate, o *options) {
	var identities []string
	for _, m := range p.members {
		identities = append(identities, identity(m.Program))
	}
	if setting(c.Header.Program, "identity") != strings.Join(identities, "+") {
		refuse("it is about another program")
	}
	c.claims(p, o)
	p.settings = usual()
	p.settings.Cover = p.test != "" // whether the test was run at all
	c.meet(p)
}

// usual returns the settings that heddle check has if nothing is said. Guesses are not made; keys of states have no digests in them.
func usual() (s execute.Settings) {
	s.Late, s.Ticks, s.Signals = drive.UsualLateness, drive.UsualTicks, 2
	s.Choices = execute.Choices{Random: 1, Choose: 16, Pool: 2}
	s.Properties.Off = execute.Optional
	s.Known, s.Exact = execute.Plain(), true
	s.Delays, s.UDP = must(sockets.ParseDelays("all")), must(datagram.Parse(""))
	return s
}

// properties are those that are examined: all but livelocks.
func properties() (list []string) {
	for _, p := range execute.AllProperties {
		if !slices.Contains(execute.Optional, p) {
			list = append(list, string(p))
		}
	}
	return list
}

// claims refuses a certificate with settings that are not those of the program.
func (c *certificate) claims(p *program, o *options) {
	process := p.members[len(p.members)-1].Process
	want := map[string]string{"args": list(o.args), "env": list(process.Env), "test": p.test, "test-args": "", "server-packages": list(o.server)}
	if p.test != "" {
		want["args"], want["test-args"] = setting(c.Header.Settings, "args"), list(process.Args) // which has them
	}
	for i, s := range c.Header.Settings {
		_, claimed := want[s.Name]
		switch {
		case slices.ContainsFunc(c.Header.Settings[:i], func(o pair) bool { return o.Name == s.Name }):
			refuse("setting %q is there twice", s.Name)
		case slices.Contains(ofPeers, s.Name) && o.allow == "":
			refuse("it rests on what peers said, which was recorded, and on what was taken for granted about them (-allow peers)")
		case !claimed && !slices.Contains(ofPeers, s.Name) && !slices.Contains(others, s.Name):
			refuse("setting %q is %q, which is not the usual one", s.Name, s.Value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		has, claimed := setting(c.Header.Settings, name), want[name]
		if name == "env" {
			has, claimed = withoutFolder(has), withoutFolder(claimed)
		}
		if has != claimed {
			refuse("it is a certificate of something else: setting %q is %q, and not %q", name, has, claimed)
		}
	}
}

// others are settings that say nothing about what is shown: what was built is in the identity, and how somebody else has searched does not matter.
var others = []string{"packages", "tags", "assume", "views", "properties"}

// setting returns the value of a name in a list, "" if it is not there.
func setting(list []pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// list returns a list as settings have it.
func list(l []string) string {
	if len(l) == 0 {
		return ""
	}
	data, _ := json.Marshal(l) // strings can be written
	return string(data)
}

// withoutFolder returns an environment without the folder that the program runs in.
func withoutFolder(text string) string {
	var env []string
	if json.Unmarshal([]byte(text), &env) != nil {
		return text
	}
	return list(slices.DeleteFunc(env, func(kv string) bool { return strings.HasPrefix(kv, "PWD=") }))
}

// identity is a hash of what is executed, without the folders of source files.
func identity(code *bytecode.Program) string {
	own := *code
	own.Files = make([]string, len(code.Files))
	for i, f := range code.Files {
		own.Files[i] = filepath.Base(f)
	}
	sum := sha256.Sum256(bytecode.Encode(&own))
	return hex.EncodeToString(sum[:16])
}

// system starts the program.
func (p *program) system() lts.System {
	switch first := p.members[0]; {
	case p.test != "":
		return must(execute.NewTestSystem(first.Program, first.Process, p.settings))
	case len(p.members) == 1:
		return must(execute.NewSystem(first.Program, first.Process, p.settings))
	}
	return must(execute.NewGroup(p.members, p.settings))
}

// ofPeers are settings about peers: how their answers are remembered, and what was taken for granted about them.
var ofPeers = []string{"cache", "fixed", "hosts", "rules", "peers"}

// meet has the program talk to peers who say what was recorded, if it has any. What they were not told then ends the search without a verdict.
func (c *certificate) meet(p *program) {
	list := func(name string) (list []string) {
		if text := setting(c.Header.Settings, name); text != "" && json.Unmarshal([]byte(text), &list) != nil {
			refuse("setting %q is %q, which is no list", name, text)
		}
		return list
	}
	peers, rules, hosts, cache := list("peers"), list("rules"), list("hosts"), setting(c.Header.Settings, "cache")
	if len(peers)+len(hosts) == 0 {
		return
	}
	p.notes = fmt.Sprintf("; if %d recorded peers say what is in the certificate: cache %q, rules %q, hosts %q, fixed %q",
		len(peers), cache, rules, hosts, setting(c.Header.Settings, "fixed"))
	p.settings.Hosts = accept(sockets.ParseHosts(hosts))
	if len(peers) == 0 {
		return
	}
	if len(p.members) > 1 || len(peers) > sockets.MaxPeers {
		refuse("it has %d peers, of %d programs: there cannot be so many", len(peers), len(p.members))
	}
	said := accept(iocache.Parse("traffic", string(c.unpack(maxPiece, c.traffic...))))
	modes := said.Modes()
	if cache != modes.String() {
		refuse("the traffic was recorded with -cache %v, and not %q", modes, cache)
	}
	var all iocache.Rules
	for _, text := range rules {
		all = append(all, accept(iocache.ParseRules(text))...)
	}
	w := &execute.World{Cache: iocache.New(iocache.NewReplay(said, all), iocache.Options{Mode: modes.Mode, Together: modes.Together, Rules: all}), Modes: modes}
	for _, text := range peers {
		var who sockets.Peer
		if err := json.Unmarshal([]byte(text), &who); err != nil {
			refuse("a peer is %q: %v", text, err)
		}
		who.Whole = modes.TakesTogether(who.Name)
		w.Peers = append(w.Peers, who)
	}
	p.members[0].Process.World = w
}
