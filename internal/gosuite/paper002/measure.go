package main

import (
	"bytes"
	"log"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/certify"
	door "github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A subject is a program with what its reduction assumes.
type subject struct {
	row
	prog   *bytecode.Program
	known  execute.Known
	rounds int // each time is the least of so many
}

// load builds a program.
func load(dir string, r row, rounds int) *subject {
	prog, err := execute.Build(execute.Source{Dir: dir, Patterns: []string{source(dir, r.folder, r.constants)}})
	check(err)
	return &subject{row: r, prog: prog, rounds: rounds}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// search explores the program and insists that it is verified. With reduction it
// finds out what that may assume, as the command does.
func (s *subject) search(reduce bool) (res *explore.Result) {
	run := func(known execute.Known) (found []*execute.Found, done bool) {
		sys := s.system(known)
		res = s.explore(sys, reduce, nil)
		found = append(found, sys.Found())
		check(sys.Close())
		s.known = known
		return found, false
	}
	if reduce {
		door.Settle(execute.Unknown(), run)
	} else {
		door.Settle(execute.Plain(), run)
	}
	return res
}

// process has nothing of the machine's: the order of a search, and so the size of its
// script, may depend on how many variables the environment has.
var process = execute.Process{Args: []string{"program"}, Env: []string{}, Dir: "/"}

func (s *subject) system(known execute.Known) *execute.System {
	sys, err := execute.NewSystem(s.prog, process, execute.Settings{Known: known})
	check(err)
	return sys
}

func (s *subject) explore(sys lts.System, reduce bool, o explore.Observer) *explore.Result {
	res, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{Reduce: reduce, Observer: o})
	check(err)
	if res.Verdict != explore.Verified {
		log.Fatalf("%s: %s", s.folder, res)
	}
	return res
}

// times returns the least time of the processor that each of some things took, and the
// least time by the clock. They are done in turns, so that what else the machine does is the same for all of them,
// and short ones more often.
func (s *subject) times(list ...func(sys *execute.System)) (best, clock []time.Duration) {
	best, clock = make([]time.Duration, len(list)), make([]time.Duration, len(list))
	var sum time.Duration
	for n := 0; n < s.rounds || n < 20*s.rounds && sum < enough; n++ {
		for i, f := range list {
			sys := s.system(s.known)
			runtime.GC()
			from, start := cpu(), time.Now()
			f(sys)
			took, passed := cpu()-from, time.Since(start)
			sum += took
			if n == 0 {
				best[i], clock[i] = took, passed
			}
			best[i], clock[i] = min(best[i], took), min(clock[i], passed)
			check(sys.Close())
		}
	}
	return best, clock
}

// enough is how long things are repeated, if once does not take longer.
const enough = 8 * time.Second

// cpu returns the time of the processor that this process has used.
func cpu() time.Duration {
	var u unix.Rusage
	check(unix.Getrusage(unix.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// record searches with a recorder.
func (s *subject) record(sys lts.System, kind cert.Kind) []byte {
	var out bytes.Buffer
	w, err := cert.NewWriter(&out, s.header(kind))
	check(err)
	r := cert.NewRecorder(w)
	s.explore(sys, true, r)
	check(r.Close(nil))
	return out.Bytes()
}

// header is that of the certificate which the command writes of the program.
func (s *subject) header(kind cert.Kind) cert.Header {
	spec := door.New()
	spec.Program.Packages = door.List{"./examples/" + s.folder}
	spec.Program.Env = door.StandardEnv
	p := certify.Program{Name: spec.Program.Packages[0], Package: "github.com/heddle-mc/heddle/examples/" + s.folder, Code: door.Compiled(s.prog, false), Spec: spec}
	h := p.Header("heddle devel", true)
	h.Kind = kind
	h.Settings = append(h.Settings, cert.Pair{Name: "assume", Value: s.known.Text()}, cert.Pair{Name: "views", Value: s.known.Views.String()})
	return h
}

func open(data []byte) *cert.Reader {
	c, err := cert.Open(bytes.NewReader(data), int64(len(data)))
	check(err)
	return c
}

// certify examines the program.
func (s *subject) certify(sys lts.System, data []byte, trustful bool) {
	res, err := certcheck.Check(open(data), func() (lts.System, error) { return sys, nil }, trustful, certcheck.Options{Seed: 1})
	check(err)
	if len(res.Findings) > 0 {
		log.Fatalf("%s: %v", s.folder, res.Findings)
	}
}

// A partition is what is known of the parts of a certificate.
type partition struct {
	parts   int
	largest float64       // its share of all transitions, or of all states if trustful
	slowest time.Duration // the time that the slowest part takes
	around  time.Duration // that of cutting and of comparing
	way     float64       // steps to the beginning of a part, on average
	longest int
}

// partition cuts a certificate into k parts and examines them one by one. Each time is the least of some, as in times.
func (s *subject) partition(data []byte, k int, greedy, trustful bool) partition {
	c := open(data)
	var p partition
	var total, largest uint64
	var list []*cert.Part
	p.around = s.least(func() {
		var err error
		list = nil
		if greedy {
			list, err = c.Parts(c.Subgraphs.Greedy(k, c.Counts.Transitions))
		} else {
			err = c.Cut(k, func(part *cert.Part) error {
				list = append(list, part)
				return nil
			})
		}
		check(err)
	})
	sys := s.system(s.known)
	var results []*certcheck.PartResult
	for _, part := range list {
		var r *certcheck.PartResult
		took := s.least(func() {
			var err error
			r, err = certcheck.CheckPart(part, sys, true, trustful, certcheck.Options{Seed: 1})
			check(err)
		})
		size := r.Counts.Transitions
		if trustful {
			size = uint64(r.Counts.States)
		}
		total += size
		largest = max(largest, size)
		p.slowest = max(p.slowest, took)
		way := part.Steps()
		p.way += float64(way)
		p.longest = max(p.longest, way)
		results = append(results, r)
	}
	p.around += s.least(func() {
		all := certcheck.NewCollector(trustful)
		for _, r := range results {
			check(all.Add(r))
		}
		_, err := all.Result(c)
		check(err)
	})
	check(sys.Close())
	p.parts = len(list)
	p.way /= float64(max(len(list), 1))
	p.largest = float64(largest) / float64(max(total, 1))
	return p
}

// least returns the least time of the processor that something took. What was not needed any more before is none of it.
func (s *subject) least(do func()) (best time.Duration) {
	for n := range s.rounds {
		runtime.GC()
		from := cpu()
		do()
		if took := cpu() - from; n == 0 || took < best {
			best = took
		}
	}
	return best
}
