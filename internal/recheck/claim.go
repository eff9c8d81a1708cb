package recheck

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/diag"
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
	name     string
	test     bool
	tests    []string // the functions of the test: a package and its tests outside may both have one
	members  []member // one, unless there are several side by side
	believed string   // what the verdict rests on besides
	settings execute.Settings
}

// A member is a program with how it is started.
type member struct {
	name    string
	code    *bytecode.Program
	process execute.Process
}

// program builds the program of the command line and refuses a certificate of anything else than that all
// usual properties hold, with the usual bounds, the given arguments and the standard environment.
func (c *certificate) program(o *options) (*program, error) {
	p := &program{name: strings.Join(o.source, " "), test: o.test != ""}
	if len(o.server) > 0 {
		p.name += " with " + o.server.String()
	}
	if err := p.build(o); err != nil {
		return nil, err
	}
	var identities []string
	for _, m := range p.members {
		identities = append(identities, identity(m.code))
		if slices.ContainsFunc(m.code.Funcs, func(f bytecode.Func) bool { return strings.HasSuffix(f.Native, "/heddle/verify.promise") }) {
			return nil, diag.Incompletef("programs that call verify.Eventually or verify.Leads are not examined here")
		}
	}
	if has := setting(c.Header.Program, "identity"); has != strings.Join(identities, "+") {
		return nil, refuse("it is about another program")
	}
	var err error
	if p.settings, err = usual(); err != nil {
		return nil, err
	}
	p.settings.Cover = p.test // whether the test was run at all
	if p.test {
		err = p.startTest(o)
	}
	if err == nil {
		err = c.claims(p, o)
	}
	if err == nil {
		err = c.meet(p)
	}
	return p, err
}

// build builds the programs, servers first, and says how they are started.
func (p *program) build(o *options) error {
	var sources [][]string
	for _, s := range o.server {
		sources = append(sources, strings.Fields(s)[:1])
	}
	if strings.HasSuffix(o.source[0], ".go") {
		sources = append(sources, o.source)
	} else {
		sources = append(sources, slices.Collect(slices.Chunk(o.source, 1))...)
	}
	for i, files := range sources {
		code, err := execute.Build(execute.Source{Patterns: files, Test: p.test, NoCache: true})
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(files[0]), ".go")
		if abs, err := filepath.Abs(files[0]); err == nil && (name == "." || name == "..") {
			name = filepath.Base(abs)
		}
		m := member{name, code, execute.Process{Args: append([]string{name}, o.args...), Env: standard, Public: true}}
		if i < len(o.server) {
			m.process.Args, m.process.Server = append([]string{name}, strings.Fields(o.server[i])[1:]...), true
		}
		p.members = append(p.members, m)
	}
	return nil
}

// usual returns the settings that heddle check has if nothing is said. Guesses are not made; keys of states
// have no digests in them.
func usual() (s execute.Settings, err error) {
	s.Late, s.Ticks, s.Signals = drive.UsualLateness, drive.UsualTicks, 2
	s.Choices = execute.Choices{Random: 1, Choose: 16, Pool: 2}
	s.Properties.Off = execute.Optional
	s.Known, s.Exact = execute.Plain(), true
	if s.Delays, err = sockets.ParseDelays("all"); err == nil {
		s.UDP, err = datagram.Parse("")
	}
	return s, err
}

// startTest says how a test is started.
func (p *program) startTest(o *options) error {
	pkg, dir, err := packageOf(o.source[0])
	if err != nil {
		return err
	}
	p.name += "." + o.test
	p.members[0].process = execute.Process{
		Args: append([]string{path.Base(pkg) + ".test", "-test.paniconexit0", "-test.v=true", "-test.parallel=1000", "-test.run=^" + o.test + "$"}, o.args...),
		Env:  append(slices.Clone(standard), "PWD="+dir), Dir: dir,
	}
	names := []string{pkg + "." + o.test, pkg + "_test." + o.test, "main." + o.test, "main_test." + o.test} // a package main is called so
	code := p.members[0].code
	for _, f := range code.Funcs {
		if slices.Contains(names, f.Name) && strings.HasSuffix(code.Files[f.File], "_test.go") {
			p.tests = append(p.tests, f.Name)
		}
	}
	if o.test == "TestMain" || len(p.tests) == 0 {
		return refuse("%s has no test %s", pkg, o.test)
	}
	return nil
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
func (c *certificate) claims(p *program, o *options) error {
	process := p.members[len(p.members)-1].process
	want := map[string]string{"args": list(o.args), "env": list(process.Env), "test": o.test, "test-args": "", "server-packages": list(o.server)}
	if p.test {
		want["args"], want["test-args"] = setting(c.Header.Settings, "args"), list(process.Args) // which has them
	}
	seen := map[string]bool{}
	for _, s := range c.Header.Settings {
		if seen[s.Name] {
			return refuse("setting %q is there twice", s.Name)
		}
		seen[s.Name] = true
		_, claimed := want[s.Name]
		switch {
		case slices.Contains(ofPeers, s.Name):
			if !o.peers {
				return refuse("it rests on what peers said, which was recorded, and on what was taken for granted about them (-allow peers)")
			}
		case !claimed && !slices.Contains(others, s.Name):
			return refuse("setting %q is %q, which is not the usual one", s.Name, s.Value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		has, claimed := setting(c.Header.Settings, name), want[name]
		if name == "env" {
			has, claimed = withoutFolder(has), withoutFolder(claimed)
		}
		if has != claimed {
			return refuse("it is a certificate of something else: setting %q is %q, and not %q", name, has, claimed)
		}
	}
	return nil
}

// others are settings that say nothing about what is shown: what was built is in the identity, and how somebody else has
// searched, and what for, does not matter here.
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
func (p *program) system() (lts.System, error) {
	first := p.members[0]
	if p.test {
		return execute.NewTestSystem(first.code, first.process, p.settings)
	}
	if len(p.members) == 1 {
		return execute.NewSystem(first.code, first.process, p.settings)
	}
	var names []string
	for _, m := range p.members {
		names = append(names, m.name)
	}
	var group []execute.Member
	for i, name := range execute.MemberNames(names) {
		group = append(group, execute.Member{Name: name, Program: p.members[i].code, Process: p.members[i].process})
	}
	return execute.NewGroup(group, p.settings)
}

// packageOf returns the import path and the folder of the package of a test.
func packageOf(pattern string) (pkg, dir string, err error) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\n{{.Dir}}", pattern).CombinedOutput()
	if err != nil {
		return "", "", diag.Usagef("go list: %s", strings.TrimSpace(string(out)))
	}
	pkg, dir, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if dir == "" || strings.Contains(dir, "\n") {
		return "", "", diag.Usagef("%s: name the one package that has the test", pattern)
	}
	return pkg, dir, nil
}

// ofPeers are settings about peers: how their answers are remembered, and what was taken for granted about them.
var ofPeers = []string{"cache", "fixed", "hosts", "rules", "peers"}

// meet has the program talk to peers who say what was recorded, if it has any. What they were not told in the recording they do not
// answer: that ends the search without a verdict.
func (c *certificate) meet(p *program) error {
	var lists [3][]string
	for i, name := range []string{"peers", "rules", "hosts"} {
		if text := setting(c.Header.Settings, name); text != "" && json.Unmarshal([]byte(text), &lists[i]) != nil {
			return refuse("setting %q is %q, which is no list", name, text)
		}
	}
	peers, rules, hosts := lists[0], lists[1], lists[2]
	if len(peers)+len(hosts) == 0 {
		return nil
	}
	p.believed = fmt.Sprintf("; if %d recorded peers say what is in the certificate: cache %q, rules %q, hosts %q", len(peers), setting(c.Header.Settings, "cache"), rules, hosts)
	if len(peers) > 0 && len(p.members) > 1 {
		return diag.Incompletef("several programs with peers are not examined here")
	}
	names, err := sockets.ParseHosts(hosts)
	if p.settings.Hosts = names; err == nil && len(peers) > 0 {
		p.members[0].process.World, err = c.world(peers, rules)
	}
	if err != nil {
		return refuse("%v", err)
	}
	return nil
}

// world returns the peers.
func (c *certificate) world(peers, rules []string) (*execute.World, error) {
	text, err := c.unpack(maxPiece, c.traffic...)
	if err != nil {
		return nil, err
	}
	said, err := iocache.Parse("traffic", string(text))
	if err != nil {
		return nil, err
	}
	modes := said.Modes()
	if cache := setting(c.Header.Settings, "cache"); cache != modes.String() {
		return nil, fmt.Errorf("the traffic was recorded with -cache %v, and not %q", modes, cache)
	}
	var all iocache.Rules
	for _, text := range rules {
		list, err := iocache.ParseRules(text)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	w := &execute.World{Cache: iocache.New(iocache.NewReplay(said, all), iocache.Options{Mode: modes.Mode, Together: modes.Together, Rules: all}), Modes: modes}
	for i, text := range peers {
		var who sockets.Peer
		if err := json.Unmarshal([]byte(text), &who); err != nil || i >= sockets.MaxPeers {
			return nil, fmt.Errorf("peer %d is damaged, or there are too many", i)
		}
		who.Whole = modes.TakesTogether(who.Name)
		w.Peers = append(w.Peers, who)
	}
	return w, nil
}
