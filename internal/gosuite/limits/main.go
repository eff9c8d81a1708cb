// Limits runs heddle on programs and models that are made to be slow, with limits of time and of memory, and
// interrupts it at random moments. The answer has to come in time, and is never verified.
//
//	slow programs, slow models ──► -timeout │ -mem │ SIGINT or SIGTERM ──► heddle check ──► code, seconds, bytes
//
// The page that is made of what was measured is docs/results/limits.md.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// What is allowed.
const (
	answer    = 2 * time.Second // after the limit or the interrupt
	tolerance = 1.2             // of the limit of memory
)

// A settings says what is done.
type settings struct {
	heddle     string
	timeout    time.Duration
	mem        int64
	interrupts int
	seed       uint64
	only       string
}

func main() {
	log.SetFlags(0)
	var s settings
	flag.StringVar(&s.heddle, "heddle", "bin/heddle", "the command as `file`")
	flag.DurationVar(&s.timeout, "timeout", 2*time.Second, "the limit of time")
	flag.Int64Var(&s.mem, "mem", 400e6, "the limit of memory in `bytes`")
	flag.IntVar(&s.interrupts, "interrupts", 200, "interrupt it so `many` times")
	flag.Uint64Var(&s.seed, "seed", 1, "which moments are chosen")
	flag.StringVar(&s.only, "only", "", "only programs and models with this `text` in their names")
	page := flag.String("page", "", "write the page to this `file`")
	commit := flag.String("commit", "", "the `version` that the page names")
	flag.Parse()
	heddle, err := filepath.Abs(s.heddle)
	if err != nil {
		log.Fatal(err)
	}
	s.heddle = heddle
	runs, err := s.all()
	if err != nil {
		log.Fatal(err)
	}
	text, wrong := report(&s, runs, *commit)
	if *page == "" {
		fmt.Print(text)
	} else if err := os.WriteFile(*page, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}
	if wrong > 0 {
		log.Fatalf("%d answers are wrong or late", wrong)
	}
}

// A run is one call of the command.
type run struct {
	what  string // timeout, mem or interrupt
	of    *slow
	flags []string
	when  time.Duration // of the limit or the interrupt; 0 for mem
	code  int
	wall  time.Duration
	late  time.Duration // behind when
	peak  int64
	last  string // line of output
	tries int
}

// wrong says what is wrong with a run, "" if nothing is.
func (r *run) wrong(mem int64) string {
	switch {
	case r.code == 0 && r.what != "interrupt" || r.code > 3 || r.code == 2:
		return fmt.Sprintf("exit code %d: %s", r.code, r.last)
	case r.what != "mem" && r.late > answer:
		return fmt.Sprintf("the answer is %.1f s late", r.late.Seconds())
	case r.what == "mem" && float64(r.peak) > tolerance*float64(mem):
		return fmt.Sprintf("%d MB were taken", r.peak/1e6)
	}
	return ""
}

func (s *settings) all() ([]*run, error) {
	dir, err := os.MkdirTemp("", "limits")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	list := slices.DeleteFunc(all(), func(x slow) bool { return !strings.Contains(x.name, s.only) })
	if err := write(dir, list); err != nil {
		return nil, err
	}
	var runs []*run
	do := func(r *run) error {
		for r.tries = 1; ; r.tries++ {
			if err := s.do(dir, r); err != nil {
				return fmt.Errorf("%s, %s: %w", r.of.name, r.what, err)
			}
			if r.what == "mem" || r.late <= answer || r.tries == 3 {
				break // one that is late may be so because the machine is busy
			}
		}
		log.Printf("%s %s %v: exit %d, %.2fs, %d MB %s", r.what, r.of.name, r.flags, r.code, r.wall.Seconds(), r.peak/1e6, r.wrong(s.mem))
		runs = append(runs, r)
		return nil
	}
	for i := range list {
		for _, r := range []*run{
			{what: "timeout", of: &list[i], flags: []string{"-timeout", s.timeout.String()}, when: s.timeout},
			{what: "mem", of: &list[i], flags: []string{"-mem", fmt.Sprint(s.mem), "-timeout", "8s"}},
		} {
			if err := do(r); err != nil {
				return nil, err
			}
		}
	}
	dice := rand.New(rand.NewPCG(s.seed, 0))
	orders := []string{"dfs", "bfs", "preemptions", "random", "swarm"}
	for range s.interrupts {
		x := &list[dice.IntN(len(list))]
		r := &run{what: "interrupt", of: x, when: time.Duration(dice.Float64() * dice.Float64() * 4e9)}
		if order := orders[dice.IntN(len(orders))]; !x.model || order != "preemptions" {
			r.flags = []string{"-search", order}
		}
		if dice.IntN(4) == 0 && !x.model {
			r.flags = append(r.flags, "-nocache")
		}
		if err := do(r); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// do runs the command.
func (s *settings) do(dir string, r *run) error {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.heddle, append(append([]string{"check"}, r.flags...), r.of.file())...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return err
	}
	if r.what == "interrupt" {
		defer time.AfterFunc(r.when, func() { cmd.Process.Signal(syscall.SIGINT) }).Stop()
	}
	err := cmd.Wait()
	r.wall = time.Since(began)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if r.code = cmd.ProcessState.ExitCode(); r.code < 0 && r.what == "interrupt" && out.Len() == 0 {
		r.code = 3 // it was not there yet to answer, and has said nothing
	}
	if r.late = r.wall - r.when; r.what == "mem" {
		r.late = 0
	}
	r.peak = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
	lines := strings.Split(strings.TrimSpace(out.String()+errs.String()), "\n")
	r.last = lines[len(lines)-1]
	return nil
}
