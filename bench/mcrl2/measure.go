package main

import (
	"fmt"
	"syscall"
	"time"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// figures are what one search gives.
type figures struct {
	States, Transitions int64
	Linear, CPU, Wall   float64 // seconds
	Bytes               int64   // of the set of visited states
}

func (f *figures) rate() float64 { return float64(f.States) / max(f.CPU, 1e-6) }

// A sized set notes its size when it is closed.
type sized struct {
	*stateset.Fingerprints
	bytes *int64
}

// Close notes the size.
func (s sized) Close() error {
	*s.bytes = s.Bytes()
	return s.Fingerprints.Close()
}

// A calm system has no deadlocks: a search with several workers begins again if it
// finds one.
type calm struct{ *state.System }

// Final reports that this is a good end.
func (calm) Final() bool { return true }

// measure searches a model.
func measure(name string, workers int) (f figures, err error) {
	for i := range benches {
		if b := &benches[i]; b.name == name {
			text, err := b.text()
			if err != nil {
				return f, err
			}
			began := time.Now()
			l, err := process(b.file, text)
			if err != nil {
				return f, err
			}
			f.Linear = time.Since(began).Seconds()
			err = search(l, workers, &f)
			return f, err
		}
	}
	return f, fmt.Errorf("no model %q", name)
}

// process returns the linear process of a text, as heddle check has it.
func process(file string, text []byte) (*spec.LPS, error) {
	s, err := types.Load(file, text)
	if err != nil {
		return nil, err
	}
	l, err := linear.Linearise(s)
	if err != nil {
		return nil, err
	}
	e, err := data.New(l.Data, data.Options{})
	if err != nil {
		return nil, err
	}
	return transform.Apply(l, []string{"rewr", "sumelm", "deadelm", "constelm", "equalelm", "liveelm", "constelm", "parelm"}, transform.NewTools(e, l.Lib))
}

// search searches all of a process.
func search(l *spec.LPS, workers int, f *figures) error {
	var list []lts.System
	for range workers {
		sys, err := state.New(l, state.Options{})
		if err != nil {
			return err
		}
		list = append(list, calm{sys})
	}
	given := 0
	began, cpu := time.Now(), cpuSeconds()
	r, err := explore.Run(func() (lts.System, error) {
		given++
		return list[given-1], nil
	}, explore.Options{
		All: true, Workers: workers,
		NewSet: func() stateset.Set { return sized{stateset.NewFingerprints(), &f.Bytes} },
	})
	if err != nil {
		return err
	}
	if len(r.Left) > 0 {
		return fmt.Errorf("not everything was searched: %s", r.Left[0].Text)
	}
	f.Wall, f.CPU = time.Since(began).Seconds(), cpuSeconds()-cpu
	f.States, f.Transitions = r.States, r.Transitions
	return nil
}

// cpuSeconds returns what the process has used of all processors.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
