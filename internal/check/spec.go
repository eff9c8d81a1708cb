package check

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/peer"
)

// A Spec says what is checked, and how. New returns one with the usual settings.
type Spec struct {
	Program Program `json:"program"`
	Model   Model   `json:"model"`
	Search  Search  `json:"search"`
	Limits  Limits  `json:"limits"`
	Peers   Peers   `json:"peers"`
}

// A Program is what is built and started.
type Program struct {
	Dir      string `json:"dir,omitempty"`      // the working directory
	ChangeTo string `json:"changeTo,omitempty"` // where packages are looked for, relative to it
	Packages List   `json:"packages,omitempty"` // or files; several packages run side by side
	Servers  List   `json:"servers,omitempty"`  // the first packages are servers: each with its arguments, as it was typed
	Tags     List   `json:"tags,omitempty"`
	Args     List   `json:"args,omitempty"`
	Env      List   `json:"env,omitempty"`
	Test     string `json:"test,omitempty"` // the test, or "" for a main package
	TestArgs List   `json:"testArgs,omitempty"`
	TestDir  string `json:"testDir,omitempty"`
	Against  string `json:"against,omitempty"` // a model that the program is held against, or ""
	Map      string `json:"map,omitempty"`     // which operations are which actions of it
}

// A Model says which steps the program has, and what counts as wrong: it shapes the graph.
type Model struct {
	Late        Late   `json:"late"`
	Ticks       int    `json:"ticks"`
	Interleave  string `json:"interleave"`
	Faults      string `json:"faults,omitempty"`
	Nonblocking string `json:"nonblocking"`
	Partial     bool   `json:"partial,omitempty"`
	Alone       bool   `json:"alone,omitempty"`
	Signals     int    `json:"signals"`
	UDP         string `json:"udp,omitempty"`
	MapOrder    bool   `json:"maporder,omitempty"`
	Random      int    `json:"random"`
	Choose      int    `json:"choose"`
	Pool        int    `json:"pool"`
	Only        List   `json:"only,omitempty"`  // the properties that are looked for, nil for all
	Off         List   `json:"off,omitempty"`   // those that are not, of them
	Views       string `json:"views,omitempty"` // how states are looked at: see drive.Views
}

// A Search says in which order states are looked at. All orders see the same states.
type Search struct {
	Order       string `json:"order"`
	Reduce      bool   `json:"reduce"`
	Without     List   `json:"without,omitempty"` // guesses and views of the reduction that are not made
	All         bool   `json:"all,omitempty"`
	Workers     int    `json:"workers"`
	Seed        uint64 `json:"seed,omitempty"`
	Runs        int    `json:"runs,omitempty"`
	Swarm       int    `json:"swarm,omitempty"`
	Preemptions int    `json:"preemptions"`
	Store       string `json:"store"`
	Baseline    string `json:"baseline,omitempty"` // a file of findings that do not count
	NoIgnore    bool   `json:"noIgnore,omitempty"` // all findings count
}

// Limits end a search. 0 means none.
type Limits struct {
	States  int64         `json:"states,omitempty"`
	Depth   int           `json:"depth,omitempty"`
	Timeout time.Duration `json:"timeout,omitempty"`
	Mem     Size          `json:"mem,omitempty"`
}

// Peers are those whom the program talks to.
type Peers struct {
	Servers  List          `json:"servers,omitempty"`
	Clients  List          `json:"clients,omitempty"`
	Cache    string        `json:"cache"`
	Orders   int           `json:"orders,omitempty"` // in which independence is tested, with AutoCache
	Pieces   bool          `json:"pieces,omitempty"` // answers come in pieces, one for each write
	Fixed    Fixing        `json:"fixed,omitempty"`  // time and random numbers are the same in each run of a peer
	Copies   bool          `json:"copies,omitempty"` // servers are copied, if they can be, instead of started again
	Delay    time.Duration `json:"delay,omitempty"`
	Patience time.Duration `json:"patience,omitempty"`
	Answer   time.Duration `json:"answer,omitempty"`
	Rules    List          `json:"rules,omitempty"`
	Hosts    List          `json:"hosts,omitempty"`
	Declared []peer.Spec   `json:"declared,omitempty"` // in heddle.yaml
	Met      List          `json:"met,omitempty"`      // those that there were: each a sockets.Peer as JSON
}

// New returns a Spec with the default of each setting.
func New() *Spec {
	s := new(Spec)
	for i := range Settings {
		if err := Settings[i].reset(s); err != nil {
			panic(diag.Bugf("default of setting %s: %v", Settings[i].Name, err))
		}
	}
	return s
}

// Clone returns a copy that shares nothing.
func (s *Spec) Clone() *Spec {
	c := *s
	for _, l := range []*List{&c.Program.Packages, &c.Program.Servers, &c.Program.Tags, &c.Program.Args, &c.Program.Env, &c.Program.TestArgs,
		&c.Model.Only, &c.Model.Off, &c.Peers.Servers, &c.Peers.Clients, &c.Peers.Rules, &c.Peers.Hosts, &c.Peers.Met} {
		*l = slices.Clone(*l)
	}
	c.Peers.Declared = slices.Clone(c.Peers.Declared)
	return &c
}

// Text writes a Spec down. Equal ones have equal texts.
func (s *Spec) Text() []byte {
	data, err := json.Marshal(s)
	if err != nil {
		panic(diag.Bugf("a spec cannot be written: %v", err))
	}
	return data
}

// Read reads what Text has written.
func Read(data []byte) (*Spec, error) {
	s := new(Spec)
	if err := json.Unmarshal(data, s); err != nil {
		return nil, diag.Usagef("spec: %v", err)
	}
	return s, nil
}

// Looks reports whether a property is looked for.
func (m *Model) Looks(p execute.Property) bool {
	if slices.Contains(execute.Optional, p) { // it is off unless it is asked for
		return slices.Contains(m.Only, string(p)) || !slices.Contains(m.Off, string(p))
	}
	return (m.Only == nil || slices.Contains(m.Only, string(p))) && !slices.Contains(m.Off, string(p))
}

// Properties lists the properties that are looked for.
func (m *Model) Properties() (list List) {
	for _, p := range execute.AllProperties {
		if m.Looks(p) {
			list = append(list, string(p))
		}
	}
	return list
}

// NotLookedFor lists those that are not.
func (m *Model) NotLookedFor() (list List) {
	for _, p := range execute.AllProperties {
		if !m.Looks(p) {
			list = append(list, string(p))
		}
	}
	return list
}

// LookFor sets which properties are looked for.
func (m *Model) LookFor(list []string) {
	m.Only, m.Off = nil, nil
	for _, p := range execute.AllProperties {
		if !slices.Contains(list, string(p)) {
			m.Off = append(m.Off, string(p))
		}
	}
}

// Limited reports whether the search may be cut off.
func (l *Limits) Limited() bool { return l.States > 0 || l.Depth > 0 || l.Timeout > 0 || l.Mem > 0 }

// Several reports whether several programs run side by side.
func (s *Spec) Several() bool { return len(s.Program.Packages) > 1 && !isFile(s.Program.Packages[0]) }

func isFile(name string) bool { return len(name) > 3 && name[len(name)-3:] == ".go" }
