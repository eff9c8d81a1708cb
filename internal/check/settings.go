package check

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/nearest"
)

// A Setting is one of the things that a Spec says.
type Setting struct {
	Name    string // of the flag and in heddle.yaml
	Doc     string // for the help text; a setting without is no flag
	Default string
	// At returns a pointer to its value in a Spec, or a flag.Value.
	At func(s *Spec) any
	// Recipe is its name in traces and certificates, if the graph depends on it.
	Recipe string
	// Apply, if it is not nil, tells the machine, or refuses the value. It may write the value in a
	// form that is the same for all that mean the same.
	Apply func(s *Spec, e *execute.Settings) error
	// Bound, if it is not nil, returns what the claim "verified" leaves out because of it, or "".
	// Those of lower rank are told first.
	Bound func(s *Spec, e *execute.Settings) string
	Rank  int
	// Met, if it is not 0, is what a program has to meet for the bound to matter: it is told only then.
	Met drive.Met
	// Reported settings are told in reports.
	Reported bool
}

// maxChoose is the largest number of values of a random number that can all be tried.
const maxChoose = drive.MaxAlternatives

// maxPool is the largest number of items that a pool may keep: Get has an alternative for each, and one more.
const maxPool = drive.MaxAlternatives - 1

// maxTicks is the largest number of moves of the clock that anybody wants to wait for.
const maxTicks = 1<<16 - 2

// oneOf refuses values that are not in a list.
func oneOf(name, value string, list ...string) error {
	if !slices.Contains(list, value) {
		return diag.Usagef("-%s=%s%s say %s", name, value, nearest.Colon(value, list), either(list))
	}
	return nil
}

// Settings are all settings of a check, in the order in which reports tell them.
var Settings = []Setting{
	// How to search.
	{Name: "search", Default: AutoSearch, Reported: true, At: func(s *Spec) any { return &s.Search.Order },
		Doc: "search in this `order`: auto (dfs, and beside it a hunt in all others but swarm), dfs (depth first), bfs (shortest counterexample), random, pct (random priorities), focus (on two goroutines), preemptions, delays (few of them first), own (few preemptions of the standard library first), swarm"},
	{Name: "reduce", Default: "true", Reported: true, At: func(s *Spec) any { return &s.Search.Reduce },
		Doc: "leave out orders of steps that make no difference"},
	{Name: "without", Reported: true, At: func(s *Spec) any { return (*names)(&s.Search.Without) },
		Doc: "reduce without the guesses and views in this `list`: " + strings.Join(execute.CanBeWithout(), ", "),
		Apply: func(s *Spec, e *execute.Settings) error {
			for _, name := range s.Search.Without {
				if err := oneOf("without", name, execute.CanBeWithout()...); err != nil {
					return err
				}
			}
			e.Without = s.Search.Without
			return nil
		}},
	{Name: "all", Default: "false", Reported: true, At: func(s *Spec) any { return &s.Search.All },
		Doc: "go on after the first finding"},
	{Name: "workers", Default: "1", Reported: true, At: func(s *Spec) any { return &s.Search.Workers },
		Doc: "search with `n` workers at once"},
	{Name: "states", Default: "0", Reported: true, At: func(s *Spec) any { return &s.Limits.States },
		Doc: "stop after `n` states; 0 means no limit"},
	{Name: "depth", Default: "0", Reported: true, At: func(s *Spec) any { return &s.Limits.Depth },
		Doc: "do not follow paths longer than `n` steps; 0 means no limit"},
	{Name: "timeout", Default: "0s", Reported: true, At: func(s *Spec) any { return &s.Limits.Timeout },
		Doc: "stop after duration `d`, as 90s or 10m; 0 means no limit"},
	{Name: "mem", Default: "0", Reported: true, At: func(s *Spec) any { return &s.Limits.Mem },
		Doc: "stop when heddle takes `size` bytes of memory, all in all, as 512MB, 2GiB or 3g; 0 means no limit"},
	{Name: "seed", Default: "0", Reported: true, At: func(s *Spec) any { return &s.Search.Seed },
		Doc: "of -search random, pct, focus and swarm: other ones for another `n`"},
	{Name: "runs", Default: "0", Reported: true, At: func(s *Spec) any { return &s.Search.Runs },
		Doc: "of -search random, pct, focus and swarm: `n` walks or members; 0 means 100 walks, 8 members, and a negative number walks without end"},
	{Name: "swarm", Default: "0", At: func(s *Spec) any { return &s.Search.Swarm },
		Doc: "search with a swarm of `n` members: -search swarm -runs n"},
	{Name: "preemptions", Default: "-1", Reported: true, At: func(s *Spec) any { return &s.Search.Preemptions },
		Doc: "of -search preemptions, delays and own: the largest `number` to try; -1 means all"},
	{Name: "store", Default: "fingerprint", Reported: true, At: func(s *Spec) any { return &s.Search.Store },
		Doc: "keep visited states as this `kind`: fingerprint, exact, disk, bitstate"},

	{Name: "baseline", At: func(s *Spec) any { return &s.Search.Baseline },
		Doc: "findings in this `file`, which -write-baseline has written, do not count"},
	{Name: "no-ignore", Default: "false", At: func(s *Spec) any { return &s.Search.NoIgnore },
		Doc: "all findings count, in spite of comments //heddle:ignore and -baseline"},

	// Which steps there are.
	{Name: "late", Default: drive.UsualLateness.String(), Recipe: "late", Reported: true, Rank: 3, At: func(s *Spec) any { return &s.Model.Late },
		Doc:   "keep goroutines that can run waiting for at most duration `d` while timers fire: 0 (timers fire only when all wait) up to inf (at any moment)",
		Met:   drive.MetLate,
		Apply: func(s *Spec, e *execute.Settings) error { e.Late = drive.Lateness(s.Model.Late); return nil },
		Bound: func(_ *Spec, e *execute.Settings) string { return e.Late.Words() }},
	{Name: "time", Reported: true, At: func(s *Spec) any { return olderTime{&s.Model.Late} },
		Doc: "the older form of -late: free is -late inf, quiescent is -late 0"},
	{Name: "ticks", Default: strconv.Itoa(drive.UsualTicks), Recipe: "ticks", Reported: true, Rank: 10, At: func(s *Spec) any { return &s.Model.Ticks },
		Doc: "let the clock move at most `n` times on a path once the program has looked at it; 0 means any number of times",
		Apply: func(s *Spec, e *execute.Settings) error {
			if e.Ticks = s.Model.Ticks; e.Ticks < 0 || e.Ticks > maxTicks {
				return diag.Usagef("-ticks %d: say a number from 0 to %d", e.Ticks, maxTicks)
			}
			return nil
		},
		Met: drive.MetTicks,
		Bound: func(_ *Spec, e *execute.Settings) string {
			return unless(e.Ticks == 0, fmt.Sprintf("the clock moves at most %d times where the program looks at it", e.Ticks))
		}},
	{Name: "interleave", Default: "sync", Recipe: "interleave", Reported: true, Rank: 7, At: func(s *Spec) any { return &s.Model.Interleave },
		Doc: "`where` goroutines alternate: sync (at operations that others can see) or access (at each access to shared memory, too)",
		Apply: func(s *Spec, e *execute.Settings) error {
			e.Access = s.Model.Interleave == "access"
			return oneOf("interleave", s.Model.Interleave, "sync", "access")
		},
		Bound: func(_ *Spec, e *execute.Settings) string {
			return unless(e.Properties.On(execute.Race) || e.Access, "goroutines alternate at synchronisation only")
		}},
	{Name: "faults", Recipe: "faults", Reported: true, Rank: 4, At: func(s *Spec) any { return &s.Model.Faults },
		Doc: "let connections fail: a `list` of reset, eof, refuse, short and timeout, each with how often on a path, as reset:1,short:2",
		Apply: func(s *Spec, e *execute.Settings) (err error) {
			e.Faults, err = sockets.ParseFaults(s.Model.Faults)
			return flagError("faults", err)
		},
		Bound: func(_ *Spec, e *execute.Settings) string {
			return unless(!e.Faults.Any(), "connections fail at most so often: "+e.Faults.String())
		}},
	{Name: "nonblocking", Default: "all", Recipe: "nonblocking", Reported: true, Rank: 5, At: func(s *Spec) any { return &s.Model.Nonblocking },
		Doc: "which `operations` on non-blocking sockets may find that it is too early: all, none, or some of accept, read, write, connect",
		Apply: func(s *Spec, e *execute.Settings) (err error) {
			if e.Delays, err = sockets.ParseDelays(s.Model.Nonblocking); err == nil {
				s.Model.Nonblocking = e.Delays.String()
			}
			return flagError("nonblocking", err)
		},
		Bound: func(_ *Spec, e *execute.Settings) string {
			if e.Delays == 0 {
				return "calls that do not wait are never early"
			}
			return unless(e.Delays == sockets.DelayAll, "of the calls that do not wait, only "+e.Delays.String()+" may be early")
		}},
	{Name: "partial", Default: "false", Recipe: "partial", Reported: true, At: func(s *Spec) any { return &s.Model.Partial },
		Doc:   "let reads and writes on non-blocking sockets transfer a part of the bytes: one, half of them, all but one; and any read from a peer any number of them",
		Apply: func(s *Spec, e *execute.Settings) error { e.Partial = s.Model.Partial; return nil }},
	{Name: "alone", Default: "false", Recipe: "alone", Reported: true, Rank: 8, At: func(s *Spec) any { return &s.Model.Alone },
		Doc:   "nobody outside ever talks to the program: who waits for that is blocked forever, and nobody else can be dialed",
		Apply: func(s *Spec, e *execute.Settings) error { e.Alone = s.Model.Alone; return nil },
		Bound: func(_ *Spec, e *execute.Settings) string { return unless(!e.Alone, "nobody outside talks to it") }},
	{Name: "signals", Default: "2", Recipe: "signals", Reported: true, Rank: 9, At: func(s *Spec) any { return &s.Model.Signals },
		Doc: "let at most `n` signals come from outside on a path, of those that the program asks for by package os/signal",
		Apply: func(s *Spec, e *execute.Settings) error {
			if e.Signals = s.Model.Signals; e.Signals < 0 {
				return diag.Usagef("-signals %d: say how many at most, 0 for none", e.Signals)
			}
			return nil
		}},
	{Name: "udp", Recipe: "udp", Reported: true, Rank: 6, At: func(s *Spec) any { return &s.Model.UDP },
		Doc: "let the network lose (0), duplicate (2) and reorder datagrams: `settings` as multiply=1,0,2 window=2 send.multiply=1 truncate unreachable",
		Apply: func(s *Spec, e *execute.Settings) (err error) {
			if e.UDP, err = datagram.Parse(s.Model.UDP); err == nil {
				s.Model.UDP = e.UDP.String()
			}
			return flagError("udp", err)
		},
		Bound: func(_ *Spec, e *execute.Settings) string {
			return unless(e.UDP.Reliable(), "what may happen to datagrams: "+e.UDP.String())
		}},
	{Name: "maporder", Default: "false", Recipe: "maporder", Reported: true, Rank: 1, Met: drive.MetMaps, At: func(s *Spec) any { return &s.Model.MapOrder },
		Doc:   "let iterations over maps begin anywhere, not in one order only",
		Apply: func(s *Spec, e *execute.Settings) error { e.MapOrder = s.Model.MapOrder; return nil },
		Bound: func(_ *Spec, e *execute.Settings) string { return unless(e.MapOrder, "one order of maps") }},
	{Name: "random", Default: "1", Recipe: "random", Reported: true, Rank: 2, Met: drive.MetRandom, At: func(s *Spec) any { return &s.Model.Random },
		Doc: "try `n` sequences of random numbers, not one only",
		Apply: func(s *Spec, e *execute.Settings) error {
			if e.Random = s.Model.Random; e.Random < 1 {
				return diag.Usagef("-random %d: at least one is needed", e.Random)
			}
			return nil
		},
		Bound: func(_ *Spec, e *execute.Settings) string {
			if e.Random > 1 {
				return fmt.Sprintf("%d sequences of random numbers", e.Random)
			}
			return "one sequence of random numbers"
		}},
	{Name: "choose", Default: "16", Recipe: "choose", Reported: true, At: func(s *Spec) any { return &s.Model.Choose },
		Doc: "try each value of a random number that has at most `n`: rand.Intn(4) is 0, 1, 2 and 3; 0 means none",
		Apply: func(s *Spec, e *execute.Settings) error {
			if e.Choose = s.Model.Choose; e.Choose < 0 || e.Choose > maxChoose {
				return diag.Usagef("-choose %d: say a number from 0 to %d", e.Choose, maxChoose)
			}
			return nil
		}},
	{Name: "pool", Default: "2", Recipe: "pool", Reported: true, Rank: 11, Met: drive.MetPool, At: func(s *Spec) any { return &s.Model.Pool },
		Doc: "let each sync.Pool keep at most `n` of what was put back, but for those of the standard library, and Get return any of that or nothing; 0 means that pools are always empty",
		Apply: func(s *Spec, e *execute.Settings) error {
			if e.Pool = s.Model.Pool; e.Pool < 0 || e.Pool > maxPool {
				return diag.Usagef("-pool %d: say a number from 0 to %d", e.Pool, maxPool)
			}
			return nil
		},
		Bound: func(_ *Spec, e *execute.Settings) string {
			switch e.Pool {
			case 0:
				return "pools are always empty"
			case 1:
				return "a pool keeps at most one item"
			}
			return fmt.Sprintf("a pool keeps at most %d items", e.Pool)
		}},
	{Name: "property", At: func(s *Spec) any { return (*names)(&s.Model.Only) },
		Doc: "look for these kinds of findings only: a `list` separated by commas",
		Apply: func(s *Spec, _ *execute.Settings) error {
			for _, name := range s.Model.Only {
				if !slices.Contains(execute.AllProperties, execute.Property(name)) {
					return diag.Usagef("unknown property %q%s say %s", name, nearest.Colon(name, propertyNames()), either(propertyNames()))
				}
			}
			return nil
		}},
	{Name: "properties", Recipe: "properties", At: func(s *Spec) any { return effective{&s.Model} },
		Apply: func(s *Spec, e *execute.Settings) error {
			e.Properties.Off = nil
			for _, p := range execute.AllProperties {
				if !s.Model.Looks(p) {
					e.Properties.Off = append(e.Properties.Off, p)
				}
			}
			return nil
		}},
	{Name: "views", Recipe: "views", At: func(s *Spec) any { return &s.Model.Views },
		Apply: func(s *Spec, e *execute.Settings) (err error) {
			e.Known.Views, err = drive.ParseViews(s.Model.Views)
			return flagError("views", err)
		}},

	// What is built and started.
	{Name: "dir", Recipe: "dir", At: func(s *Spec) any { return &s.Program.Dir },
		Apply: func(s *Spec, e *execute.Settings) error { e.Root = s.Program.Dir; return nil }},
	{Name: "C", Recipe: "C", At: func(s *Spec) any { return &s.Program.ChangeTo }},
	{Name: "packages", Recipe: "packages", At: func(s *Spec) any { return &s.Program.Packages }},
	{Name: "tags", Recipe: "tags", At: func(s *Spec) any { return &s.Program.Tags }},
	{Name: "args", Recipe: "args", At: func(s *Spec) any { return &s.Program.Args }},
	{Name: "env", Recipe: "env", At: func(s *Spec) any { return &s.Program.Env },
		Doc: "set a variable of the program's environment, which is the same on all machines, as `NAME=VALUE`; may be repeated",
		Apply: func(s *Spec, _ *execute.Settings) error {
			_, err := Environment(s.Program.Env, "")
			return err
		}},
	{Name: "test-name", Recipe: "test", At: func(s *Spec) any { return &s.Program.Test }},
	{Name: "test-args", Recipe: "test-args", At: func(s *Spec) any { return &s.Program.TestArgs }},
	{Name: "test-dir", Recipe: "test-dir", At: func(s *Spec) any { return &s.Program.TestDir }},
	{Name: "model", Recipe: "against", At: func(s *Spec) any { return &s.Program.Against }},
	{Name: "map", Recipe: "map", At: func(s *Spec) any { return &s.Program.Map }},

	// Whom it talks to.
	{Name: "server-package", Recipe: "server-packages", At: func(s *Spec) any { return &s.Program.Servers },
		Doc: "run this main `package` beside the program, in the checker, as a server that the program connects to; its arguments may follow it, in quotes where a shell needs them; may be repeated"},
	{Name: "server", At: func(s *Spec) any { return &s.Peers.Servers },
		Doc: "start this `command` as a server that the program connects to, or use the one at host:port; may be repeated"},
	{Name: "client", At: func(s *Spec) any { return &s.Peers.Clients },
		Doc: "launch this `command` as a client when the program is ready to accept; may be repeated"},
	{Name: "cache", Default: AutoCache, Recipe: "cache", At: func(s *Spec) any { return &s.Peers.Cache },
		Doc: "how what is said to peers is remembered, this `mode`: auto (tree, as long as servers answer in other orders what they answered before, and else process for those that do not), tree (each connection by itself, other requests in other schedules), linear (the same in all schedules) or process (all connections of a peer together); tree,process:db takes those of db together"},
	{Name: "orders", Default: "32", At: func(s *Spec) any { return &s.Peers.Orders },
		Doc: "with -cache auto, test in up to `n` orders of requests whether connections with a server are independent"},
	{Name: "pieces", Default: "true", At: func(s *Spec) any { return &s.Peers.Pieces },
		Doc: "a read may find what a peer has written first and not yet what it has written next; with -pieces=false an answer is there as a whole"},
	{Name: "fixed", Default: autoFixed, Recipe: "fixed", At: func(s *Spec) any { return &s.Peers.Fixed },
		Doc: "time and random numbers are the same in each run of a peer; by default if the peer has turned out not to repeat itself otherwise, and with -fixed=false never"},
	{Name: "copies", Default: "false", At: func(s *Spec) any { return &s.Peers.Copies },
		Doc: "a server that waits in one thread is copied, as it was when it was ready, instead of started again: docs/network.md says which must not be"},
	{Name: "host", Recipe: "hosts", At: func(s *Spec) any { return &s.Peers.Hosts },
		Doc: "a `name` that the program can look up, as NAME for this machine, or NAME=PEER for the peer of that name; may be repeated",
		Apply: func(s *Spec, e *execute.Settings) (err error) {
			e.Hosts, err = s.Peers.hosts()
			return err
		}},
	{Name: "delay", Default: "0s", At: func(s *Spec) any { return &s.Peers.Delay },
		Doc: "do not look at peers, but wait until they have said nothing for duration `d`"},
	{Name: "patience", Default: (2 * time.Second).String(), At: func(s *Spec) any { return &s.Peers.Patience },
		Doc: "wait for timers of peers up to duration `d`: one that waits for input no longer than that may be about to say something"},
	{Name: "answer", Default: (10 * time.Second).String(), At: func(s *Spec) any { return &s.Peers.Answer },
		Doc: "give up on a peer that has not come to rest after duration `d`"},
	{Name: "rule", Recipe: "rules", At: func(s *Spec) any { return &s.Peers.Rules },
		Doc: "an abstraction of messages, as 'request: PATTERN => REPLACEMENT' or the name of one that heddle rules lists: docs/network.md; may be repeated"},
	{Name: "peers", Recipe: "peers", At: func(s *Spec) any { return &s.Peers.Met }},
}

// propertyHelp says what each property is, for the help text.
var propertyHelp = map[execute.Property]string{
	execute.Deadlock:  "main is blocked forever, or all goroutines are",
	execute.Leak:      "another goroutine is blocked forever",
	execute.Panic:     "a panic that nobody recovers from",
	execute.Race:      "two accesses to memory that nothing orders",
	execute.Fatal:     "what the runtime throws: concurrent map access, unlock of an unlocked mutex",
	execute.Assert:    "verify.Assert fails",
	execute.Invariant: "verify.Always or verify.Step fails",
	execute.Exit:      "os.Exit with another code than 0, log.Fatal",
	execute.Test:      "t.Error, t.Fatal",
	execute.Liveness:  "verify.Eventually or verify.Leads fails",
	execute.Livelock:  "goroutines go around in a loop and get nowhere; this needs a search of all orders of steps",
}

func init() {
	for _, p := range execute.AllProperties {
		Settings = append(Settings, Setting{
			Name: string(p), Default: strconv.FormatBool(!slices.Contains(execute.Optional, p)), Doc: "look for " + string(p) + ": " + propertyHelp[p],
			At: func(s *Spec) any { return looked{&s.Model.Off, string(p)} },
		})
	}
}

func propertyNames() (list []string) {
	for _, p := range execute.AllProperties {
		list = append(list, string(p))
	}
	return list
}

// either writes a list of which one is to be said.
func either(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// unless returns words unless something is so.
func unless(is bool, words string) string {
	if is {
		return ""
	}
	return words
}

// flagError says of which flag an error is.
func flagError(name string, err error) error {
	if err != nil {
		return diag.Usagef("-%s: %v", name, err)
	}
	return nil
}

// System returns the settings of the machine: which graph is searched.
func (s *Spec) System() (e execute.Settings, err error) {
	for i := range Settings {
		if apply := Settings[i].Apply; apply != nil {
			if err := apply(s, &e); err != nil {
				return e, err
			}
		}
	}
	return e, nil
}

// strategy returns the order of the search, with what -swarm means.
func (s *Search) strategy() (explore.Strategy, error) {
	if s.Swarm < 0 {
		return 0, diag.Usagef("-swarm %d: at least one member is needed", s.Swarm)
	}
	if s.Swarm > 0 {
		s.Order, s.Runs = explore.Swarm.String(), s.Swarm
	}
	if s.Order == AutoSearch {
		return explore.DepthFirst, nil
	}
	order, err := explore.ParseStrategy(s.Order)
	if err != nil {
		return 0, diag.Usagef("unknown search %q: say auto, dfs, bfs, random, pct, focus, preemptions, delays, own or swarm", s.Order)
	}
	return order, nil
}

// AutoSearch is the order of a search that goes depth first, with a hunt beside it: see Task.
const AutoSearch = "auto"
