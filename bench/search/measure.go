package main

import (
	"context"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
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
	Start               float64 // CPU seconds until the program is built
	CPU                 float64 // CPU seconds of the check, from the start of the program on
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

// open loads a program of the folder of programs.
func open(program string) (*check.Code, error) {
	dir, err := filepath.Abs(filepath.Join("bench", "search", "programs", program))
	if err != nil {
		return nil, err
	}
	return check.Build(execute.Source{Dir: dir, Patterns: []string{"."}})
}

// search checks a program as the command does: it is started, it is found out what reduction may
// go by, and then all states are searched, or as many as the limit says.
func search(code *check.Code, p plan) (*check.Result, error) {
	s := check.New()
	s.Search.All, s.Search.Reduce, s.Limits.States = true, p.Reduce, p.Limit
	return check.Run(context.Background(), s, check.Hooks{Code: code})
}

// measure searches a program, several times if it is small.
func measure(program string, p plan) (f figures, err error) {
	code, err := open(program)
	if err != nil {
		return f, err
	}
	f.Start, _ = usage()
	for spent := 0.0; ; {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		t0, _ := usage()
		r, err := search(code, p)
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
