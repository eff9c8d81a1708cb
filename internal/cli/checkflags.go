package cli

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/report"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// checkFlags are the settings of a search that flags and heddle.yaml can give:
// what is looked for, in which order, and how far.
type checkFlags struct {
	search      string
	reduce      bool
	all         bool
	workers     int
	states      int64
	depth       int
	timeout     time.Duration
	mem         size
	seed        uint64
	runs        int
	swarm       int
	preemptions int
	store       string
	time        string
	interleave  string
	mapOrder    bool
	random      int
	property    string
	properties  map[execute.Property]*bool
	faults      string
	nonblocking string
	partial     bool
	udp         string
	peers       peerFlags
	env         textList
	tags        tagList  // of the packages of heddle test
	args        []string // of the program
}

// propertyHelp says what each property is, for the help text.
var propertyHelp = map[execute.Property]string{
	execute.Deadlock:  "all goroutines are blocked, or main is for ever",
	execute.Leak:      "another goroutine is blocked for ever",
	execute.Panic:     "a panic that nobody recovers from",
	execute.Race:      "two accesses to memory that nothing orders",
	execute.Fatal:     "what the runtime throws: concurrent map access, unlock of an unlocked mutex",
	execute.Assert:    "verify.Assert fails",
	execute.Invariant: "verify.Always or verify.Step fails",
	execute.Exit:      "os.Exit with another code than 0, log.Fatal",
	execute.Test:      "t.Error, t.Fatal",
}

// declare declares the flags that may also stand in heddle.yaml.
func (c *checkFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&c.search, "search", "dfs", "search in this `order`: dfs, bfs (shortest counterexample), random, preemptions, swarm")
	fs.BoolVar(&c.reduce, "reduce", true, "leave out orders of steps that make no difference")
	fs.BoolVar(&c.all, "all", false, "go on after the first finding")
	fs.IntVar(&c.workers, "workers", 1, "search with `n` workers at once")
	fs.Int64Var(&c.states, "states", 0, "stop after `n` states; 0 means no limit")
	fs.IntVar(&c.depth, "depth", 0, "do not follow paths longer than `n` steps; 0 means no limit")
	fs.DurationVar(&c.timeout, "timeout", 0, "stop after duration `d`, as 90s or 10m; 0 means no limit")
	fs.Var(&c.mem, "mem", "stop when visited states take `size` bytes, as 512MB or 2GiB; 0 means no limit")
	fs.Uint64Var(&c.seed, "seed", 0, "of -search random and swarm: other ones for another `n`")
	fs.IntVar(&c.runs, "runs", 0, "of -search random and swarm: `n` walks or members; 0 means 100 walks, 8 members")
	fs.IntVar(&c.swarm, "swarm", 0, "search with a swarm of `n` members: -search swarm -runs n")
	fs.IntVar(&c.preemptions, "preemptions", -1, "of -search preemptions: the largest `number` to try; -1 means all")
	fs.StringVar(&c.store, "store", "fingerprint", "keep visited states as this `kind`: fingerprint, exact, disk, bitstate")
	fs.StringVar(&c.time, "time", "free", "`when` timers fire: free (at any moment that the program could observe) or quiescent (only when all goroutines wait)")
	fs.StringVar(&c.interleave, "interleave", "sync", "`where` goroutines alternate: sync (at operations that others can see) or access (at each access to shared memory, too)")
	fs.BoolVar(&c.mapOrder, "maporder", false, "let iterations over maps begin anywhere, not in one order only")
	fs.IntVar(&c.random, "random", 1, "try `n` sequences of random numbers, not one only")
	fs.StringVar(&c.property, "property", "", "look for these kinds of findings only: a `list` separated by commas")
	fs.StringVar(&c.faults, "faults", "", "let connections fail: a `list` of reset, eof, refuse, short and timeout, each with how often on a path, as reset:1,short:2")
	fs.StringVar(&c.nonblocking, "nonblocking", "all", "which `operations` on non-blocking sockets may find that it is too early: all, none, or some of accept, read, write, connect")
	fs.BoolVar(&c.partial, "partial", false, "let reads and writes on non-blocking sockets transfer a part of the bytes: one, half of them, all but one")
	fs.StringVar(&c.udp, "udp", "", "let the network lose (0), duplicate (2) and reorder datagrams: `settings` as multiply=1,0,2 window=2 send.multiply=1 truncate unreachable")
	c.peers.declare(fs)
	fs.Var(&c.env, "env", "set a variable of the program's environment, which is the same on all machines, as `NAME=VALUE`; may be repeated")
	c.properties = map[execute.Property]*bool{}
	for _, p := range execute.AllProperties {
		c.properties[p] = fs.Bool(string(p), true, "look for "+string(p)+": "+propertyHelp[p])
	}
}

// isSetting reports whether heddle.yaml may have a name.
func (c *checkFlags) isSetting(name string) bool {
	own := flag.NewFlagSet("", flag.ContinueOnError)
	new(checkFlags).declare(own)
	return own.Lookup(name) != nil || name == "tags" || name == "args"
}

// model returns which steps the program has.
func (c *checkFlags) model() (execute.Settings, error) {
	var s execute.Settings
	switch c.time {
	case "free":
	case "quiescent":
		s.Quiescent = true
	default:
		return s, diag.Usagef("-time=%s: say free or quiescent", c.time)
	}
	switch c.interleave {
	case "sync":
	case "access":
		s.Access = true
	default:
		return s, diag.Usagef("-interleave=%s: say sync or access", c.interleave)
	}
	var err error
	if s.Faults, err = kernel.ParseFaults(c.faults); err != nil {
		return s, diag.Usagef("-faults: %v", err)
	}
	if s.Delays, err = kernel.ParseDelays(c.nonblocking); err != nil {
		return s, diag.Usagef("-nonblocking: %v", err)
	}
	s.Partial = c.partial
	if s.UDP, err = datagram.Parse(c.udp); err != nil {
		return s, diag.Usagef("-udp: %v", err)
	}
	if c.random < 1 {
		return s, diag.Usagef("-random %d: at least one is needed", c.random)
	}
	s.MapOrder, s.Random = c.mapOrder, c.random
	return s, nil
}

// system returns the settings of the program's state space.
func (c *checkFlags) system() (execute.Settings, error) {
	s, err := c.model()
	if err != nil {
		return s, err
	}
	only, err := c.only()
	if err != nil {
		return s, err
	}
	if _, err := environment(c.env, ""); err != nil {
		return s, err
	}
	for _, p := range execute.AllProperties {
		if !*c.properties[p] || only != nil && !slices.Contains(only, p) {
			s.Properties.Off = append(s.Properties.Off, p)
		}
	}
	return s, nil
}

// only returns the kinds that -property lists, nil without it.
func (c *checkFlags) only() ([]execute.Property, error) {
	if c.property == "" {
		return nil, nil
	}
	var only []execute.Property
	for name := range strings.SplitSeq(c.property, ",") {
		p := execute.Property(strings.TrimSpace(name))
		if !slices.Contains(execute.AllProperties, p) {
			return nil, diag.Usagef("unknown property %q: say %s", p, propertyNames())
		}
		only = append(only, p)
	}
	return only, nil
}

func propertyNames() string {
	var names []string
	for _, p := range execute.AllProperties {
		names = append(names, string(p))
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// options returns how to search. Clock, interrupt and the like are the caller's.
func (c *checkFlags) options() (explore.Options, error) {
	if c.swarm < 0 {
		return explore.Options{}, diag.Usagef("-swarm %d: at least one member is needed", c.swarm)
	}
	if c.swarm > 0 {
		c.search, c.runs = explore.Swarm.String(), c.swarm
	}
	o := explore.Options{
		Reduce: c.reduce, All: c.all, Workers: c.workers,
		Seed: c.seed, Runs: c.runs, MaxPreemptions: c.preemptions,
		Limits: explore.Limits{States: c.states, Depth: c.depth, Time: int64(c.timeout), Memory: int64(c.mem)},
	}
	var err error
	if o.Strategy, err = explore.ParseStrategy(c.search); err != nil {
		return o, err
	}
	switch {
	case c.workers < 1:
		return o, diag.Usagef("-workers %d: at least one is needed", c.workers)
	case c.states < 0 || c.depth < 0 || c.timeout < 0 || c.runs < 0:
		return o, diag.Usagef("a limit is negative: 0 means none")
	}
	switch c.store {
	case "fingerprint":
	case "exact":
		o.NewSet = func() stateset.Set { return stateset.NewExact() }
	case "disk":
		// The limit is what the set keeps in memory before it turns to the disk.
		limit := int64(c.mem)
		if limit == 0 {
			limit = 1 << 30
		}
		o.Limits.Memory = 0
		o.NewSet = func() stateset.Set { return stateset.NewDisk(os.TempDir(), limit) }
	case "bitstate":
		limit := int64(c.mem)
		if limit == 0 {
			limit = 64 << 20
		}
		o.Limits.Memory = 0
		o.NewSet = func() stateset.Set { return stateset.NewBitstate(limit) }
	default:
		return o, diag.Usagef("-store=%s: say fingerprint, exact, disk or bitstate", c.store)
	}
	return o, nil
}

// limited reports whether the search may be cut off.
func (c *checkFlags) limited() bool { return c.states > 0 || c.depth > 0 || c.timeout > 0 || c.mem > 0 }

// describe fills in what a report says about the search: what limits the claim
// "verified", what was looked for, and how.
func (c *checkFlags) describe(run *report.Run, s execute.Settings) {
	run.Bounds = nil
	if !s.MapOrder {
		run.Bounds = append(run.Bounds, report.Setting{Name: "maporder", Value: false, Words: "one order of maps"})
	}
	words := "one sequence of random numbers"
	if s.Random > 1 {
		words = fmt.Sprintf("%d sequences of random numbers", s.Random)
	}
	run.Bounds = append(run.Bounds, report.Setting{Name: "random", Value: s.Random, Words: words})
	if s.Quiescent {
		run.Bounds = append(run.Bounds, report.Setting{Name: "time", Value: c.time, Words: "timers fire only when all goroutines wait"})
	}
	if s.Faults.Any() {
		run.Bounds = append(run.Bounds, report.Setting{Name: "faults", Value: s.Faults.String(), Words: "connections fail at most so often: " + s.Faults.String()})
	}
	if s.Delays != kernel.DelayAll {
		words := "of the calls that do not wait, only " + s.Delays.String() + " may be early"
		if s.Delays == 0 {
			words = "calls that do not wait are never early"
		}
		run.Bounds = append(run.Bounds, report.Setting{Name: "nonblocking", Value: s.Delays.String(), Words: words})
	}
	if !s.UDP.Reliable() {
		run.Bounds = append(run.Bounds, report.Setting{Name: "udp", Value: s.UDP.String(), Words: "what may happen to datagrams: " + s.UDP.String()})
	}
	if !s.Properties.On(execute.Race) && !s.Access {
		run.Bounds = append(run.Bounds, report.Setting{Name: "interleave", Value: c.interleave, Words: "goroutines alternate at synchronisation only"})
	}
	run.Bounds = append(run.Bounds, c.peers.bounds()...)
	run.Properties = nil
	for _, p := range execute.AllProperties {
		run.Properties = append(run.Properties, report.Property{Name: string(p), On: s.Properties.On(p)})
	}
	run.Settings = []report.Setting{
		{Name: "search", Value: c.search}, {Name: "reduce", Value: c.reduce}, {Name: "all", Value: c.all},
		{Name: "workers", Value: c.workers}, {Name: "states", Value: c.states}, {Name: "depth", Value: c.depth},
		{Name: "timeout", Value: c.timeout.String()}, {Name: "mem", Value: int64(c.mem)}, {Name: "seed", Value: c.seed},
		{Name: "runs", Value: c.runs}, {Name: "preemptions", Value: c.preemptions}, {Name: "store", Value: c.store},
		{Name: "time", Value: c.time}, {Name: "interleave", Value: c.interleave},
		{Name: "faults", Value: c.faults}, {Name: "nonblocking", Value: c.nonblocking}, {Name: "partial", Value: c.partial},
		{Name: "udp", Value: s.UDP.String()}, {Name: "maporder", Value: c.mapOrder}, {Name: "random", Value: c.random},
	}
}

// A size is a number of bytes that is typed as 512MB or 2GiB.
type size int64

var sizeUnits = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

func (s *size) String() string { return strconv.FormatInt(int64(*s), 10) }

// Set reads a size.
func (s *size) Set(text string) error {
	digits, unit := text, int64(1)
	for _, u := range sizeUnits {
		if d, ok := strings.CutSuffix(text, u.suffix); ok {
			digits, unit = strings.TrimSpace(d), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > 1<<62/unit {
		return fmt.Errorf("not a size: say 512MB or 2GiB")
	}
	*s = size(n * unit)
	return nil
}
