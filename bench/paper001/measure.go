package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/heddle-mc/heddle/internal/explore"
)

// limits end a search.
type limits struct {
	time    time.Duration
	memory  int64 // GiB
	workers int
}

// Figures are what is known of one configuration.
type figures struct {
	Verdict     string
	States      int64
	Transitions int64
	Depth       int
	Seconds     float64 // of the search, with reading and linearisation
	CPU         float64 // seconds of the process
	RSS         int64   // bytes of the process at most
	Set         int64   // bytes of visited states and stack at the end
	Workers     int
	Left        string `json:",omitempty"` // what ended a search that is not complete
}

// measure searches one configuration in this process.
func measure(model string, c config, lim limits) (figures, error) {
	began := time.Now()
	clock := func() int64 { return int64(time.Since(began)) }
	debug.SetMemoryLimit(lim.memory << 30 * 9 / 10)
	l, err := load(model, c, nil)
	if err != nil {
		return figures{}, err
	}
	r, err := search(l, explore.Options{
		Clock: clock, Workers: lim.workers,
		// Caches and the stack need memory, too.
		Limits: explore.Limits{Time: int64(lim.time), Memory: lim.memory << 30 / 2},
	})
	if err != nil {
		return figures{}, err
	}
	f := figures{Verdict: string(r.Verdict), States: r.States, Transitions: r.Transitions, Depth: r.MaxDepth,
		Seconds: time.Since(began).Seconds(), Set: r.Bytes, Workers: lim.workers}
	if len(r.Left) > 0 {
		f.Left = string(r.Left[0].Reason)
	}
	return f, nil
}

// child measures one configuration in another process.
func child(model string, c config, l limits) (figures, error) {
	self, err := os.Executable()
	if err != nil {
		return figures{}, err
	}
	cmd := exec.Command(self, "-model", model, "-one", c.String(), "-time", l.time.String(),
		"-mem", fmt.Sprint(l.memory), "-workers", fmt.Sprint(l.workers))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return figures{}, fmt.Errorf("%v: %v", c, err)
	}
	var f figures
	if err := json.Unmarshal(out, &f); err != nil {
		return figures{}, fmt.Errorf("%v: %v", c, err)
	}
	f.CPU = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		f.RSS = u.Maxrss << 10
	}
	return f, nil
}

// readFigures reads what earlier runs have measured.
func readFigures(file string) (map[string]figures, error) {
	known := map[string]figures{}
	if file == "" {
		return known, nil
	}
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return known, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &known)
	}
	return known, err
}

func writeFigures(file string, known map[string]figures) error {
	if file == "" {
		return nil
	}
	text, err := json.MarshalIndent(known, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o666)
}
