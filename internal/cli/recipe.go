package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
)

// A recipe is what is needed to get at the same state space again. It is kept in
// trace.json.
type recipe struct {
	Dir        string   // the working directory
	ChangeTo   string   // -C
	Packages   []string // or files
	Tags       []string
	Args       []string // of the program
	Test       string   // the test, or ""
	RunArgs    []string // of the test binary
	WorkDir    string   // of the test binary
	Env        []string // of the program
	Time       string
	Interleave string
	MapOrder   string   // "true" or ""
	Faults     string   // see kernel.ParseFaults
	Delays     string   // see kernel.ParseDelays; those of a trace without are none
	Partial    string   // "true" or ""
	UDP        string   // see datagram.Parse
	Random     string   // a number, or "" for 1
	Properties []string // those that are looked for
	Cache      string   // the mode, or "" without peers
	Rules      []string
	Peers      []string // each a kernel.Peer as JSON
	Model      string   // that the program is held against, or ""
	Map        string   // which operations are which actions
	Ordered    string   // "true" if the program orders those itself: see drive.Assumptions
}

func (r *recipe) lists() map[string]*[]string {
	return map[string]*[]string{"packages": &r.Packages, "tags": &r.Tags, "args": &r.Args, "test-args": &r.RunArgs, "properties": &r.Properties,
		"rules": &r.Rules, "peers": &r.Peers, "env": &r.Env}
}

func (r *recipe) texts() map[string]*string {
	return map[string]*string{"dir": &r.Dir, "C": &r.ChangeTo, "test": &r.Test, "test-dir": &r.WorkDir, "time": &r.Time, "interleave": &r.Interleave,
		"maporder": &r.MapOrder, "faults": &r.Faults, "nonblocking": &r.Delays, "partial": &r.Partial, "udp": &r.UDP, "random": &r.Random, "cache": &r.Cache,
		"against": &r.Model, "map": &r.Map, "ordered": &r.Ordered}
}

// settings returns the recipe as the settings of a trace. Lists are written as
// JSON.
func (r *recipe) settings() map[string]string {
	m := map[string]string{}
	for name, s := range r.texts() {
		if *s != "" {
			m[name] = *s
		}
	}
	for name, l := range r.lists() {
		if len(*l) > 0 {
			data, _ := json.Marshal(*l) // strings can be written
			m[name] = string(data)
		}
	}
	return m
}

// readRecipe reads the settings of a trace.
func readRecipe(m map[string]string) (recipe, error) {
	var r recipe
	texts, lists := r.texts(), r.lists()
	for name, value := range m {
		switch {
		case texts[name] != nil:
			*texts[name] = value
		case lists[name] != nil:
			if err := json.Unmarshal([]byte(value), lists[name]); err != nil {
				return r, diag.Usagef("trace: setting %s: %v", name, err)
			}
		default:
			return r, diag.Usagef("trace: unknown setting %q", name)
		}
	}
	if len(r.Packages) == 0 {
		return r, diag.Usagef("trace: it does not say which package was checked")
	}
	return r, nil
}

// hash identifies the state space, for checkpoints: what it depends on besides
// the program.
func (r *recipe) hash() string {
	own := *r
	own.Dir, own.ChangeTo, own.Packages = "", "", nil
	data, _ := json.Marshal(own) // strings can be written
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:4])
}

// setSettings fills in what shapes the state space.
func (r *recipe) setSettings(c *checkFlags, s execute.Settings) {
	r.Env, _ = environment(c.env, r.WorkDir) // was asked before
	r.Time, r.Interleave, r.Args, r.Faults = c.time, c.interleave, c.args, c.faults
	r.Delays, r.UDP = s.Delays.String(), s.UDP.String()
	if c.partial {
		r.Partial = "true"
	}
	if c.mapOrder {
		r.MapOrder = "true"
	}
	if c.random > 1 {
		r.Random = strconv.Itoa(c.random)
	}
	r.Properties = nil
	for _, p := range execute.AllProperties {
		if s.Properties.On(p) {
			r.Properties = append(r.Properties, string(p))
		}
	}
}

// system returns the settings of the state space.
func (r *recipe) system() (execute.Settings, error) {
	c := checkFlags{time: r.Time, interleave: r.Interleave, mapOrder: r.MapOrder == "true", faults: r.Faults, nonblocking: r.Delays, partial: r.Partial == "true", udp: r.UDP, random: 1}
	if r.Random != "" {
		c.random, _ = strconv.Atoi(r.Random) // 0 is refused below
	}
	s, err := c.model()
	if err != nil {
		return s, err
	}
	for _, p := range execute.AllProperties {
		if !slices.Contains(r.Properties, string(p)) {
			s.Properties.Off = append(s.Properties.Off, p)
		}
	}
	return s, nil
}
