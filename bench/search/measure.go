package main

import (
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A plan says how a program is to be searched.
type plan struct {
	Reduce  bool
	Limit   int64
	Seconds float64
}

// Figures are what a measurement tells.
type figures struct {
	States, Transitions int64
	Verdict             string
	Start               float64 // CPU seconds up to the initial state
	CPU                 float64 // CPU seconds of the search
	RSS                 int64   // most memory of the process, in bytes
	Allocs              uint64  // objects that the search has allocated
}

func (f figures) rate() float64 { return float64(f.States) / f.CPU }

func usage() (cpu float64, rss int64) {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0, 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, u.Maxrss << 10
}

// open loads a program of the folder of programs and brings it to its initial
// state.
func open(program string) (*execute.System, error) {
	dir, err := filepath.Abs(filepath.Join("bench", "search", "programs", program))
	if err != nil {
		return nil, err
	}
	prog, err := execute.Build(execute.Source{Dir: dir, Patterns: []string{"."}})
	if err != nil {
		return nil, err
	}
	return execute.NewSystem(prog, execute.Process{}, execute.Settings{})
}

// search searches all states, or as many as the limit says.
func search(sys *execute.System, p plan) (*explore.Result, error) {
	return explore.Run(func() (lts.System, error) { return sys, nil },
		explore.Options{All: true, Reduce: p.Reduce, Limits: explore.Limits{States: p.Limit}})
}

// measure searches a program, several times if it is small.
func measure(program string, p plan) (f figures, err error) {
	sys, err := open(program)
	if err != nil {
		return f, err
	}
	defer sys.Close()
	f.Start, _ = usage()
	for spent := 0.0; ; {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		t0, _ := usage()
		r, err := search(sys, p)
		if err != nil {
			return f, err
		}
		t1, rss := usage()
		runtime.ReadMemStats(&after)
		if f.States == 0 || t1-t0 < f.CPU {
			f.CPU, f.Allocs = t1-t0, after.Mallocs-before.Mallocs
		}
		f.States, f.Transitions, f.Verdict, f.RSS = r.States, r.Transitions, string(r.Verdict), rss
		if spent += t1 - t0; spent >= p.Seconds {
			return f, nil
		}
	}
}
