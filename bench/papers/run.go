package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Limits are what a row may take.
type limits struct {
	time   time.Duration
	memory int64
}

// Figures are what heddle says of one part of a row.
type figures struct {
	Verdict   string   `json:"verdict"` // verified, violation, inconclusive, or failed
	Kinds     []string `json:"kinds"`   // of what was found, each once
	Why       string   `json:"why"`     // if it is not verified
	States    int64    `json:"states"`
	Revisited int64    `json:"revisited"`
	Seconds   float64  `json:"seconds"` // from the start of the process to its end
	Search    float64  `json:"search"`  // those of the search alone
	Memory    int64    `json:"memory"`  // most memory of the process, in bytes
	Traffic   *traffic `json:"traffic,omitempty"`
}

// Traffic is what heddle says of the peers.
type traffic struct {
	Connections int64   `json:"connections"`
	Hits        int64   `json:"hits"`
	Misses      int64   `json:"misses"`
	Restarts    int64   `json:"restarts"`
	WaitSeconds float64 `json:"wait_seconds"`
	LookSeconds float64 `json:"look_seconds"`
}

// A report is the part of what heddle check -json prints that is used here.
type report struct {
	Verdict   string  `json:"verdict"`
	States    int64   `json:"states"`
	Revisited int64   `json:"revisited"`
	Seconds   float64 `json:"seconds"`
	Findings  []struct {
		Kind    string `json:"kind"`
		Message string `json:"message"`
	} `json:"findings"`
	Left []struct {
		Text string `json:"text"`
	} `json:"left"`
	Targets []struct {
		Error   string   `json:"error"`
		Traffic *traffic `json:"traffic"`
	} `json:"targets"`
}

// kinds are the kinds of findings, each once and in order.
func (r *report) kinds() []string {
	var kinds []string
	for _, f := range r.Findings {
		kinds = append(kinds, f.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// why tells in a few words why a program was not verified.
func (r *report) why() string {
	text := r.kinds()
	for _, l := range r.Left {
		text = append(text, l.Text)
	}
	for _, t := range r.Targets {
		if t.Error != "" {
			text = append(text, t.Error)
		}
	}
	return strings.Join(text, "; ")
}

// check runs heddle. The limits hold for the whole process: one that takes more
// time or memory, in spite of the flags that say so, is killed.
func check(heddle string, args []string, l limits) figures {
	flags := []string{"check", "-json", "-timeout", l.time.String(), "-mem", strconv.FormatInt(l.memory, 10)}
	var out, errs bytes.Buffer
	cmd := exec.Command(heddle, append(flags, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return figures{Verdict: "failed", Why: err.Error()}
	}
	ended := make(chan struct{})
	killed := make(chan string, 1)
	go watch(cmd.Process, l, ended, killed)
	err := cmd.Wait()
	close(ended)
	f := figures{Seconds: time.Since(start).Seconds(), Memory: peak(cmd.ProcessState)}
	if why := <-killed; why != "" {
		f.Verdict, f.Why = "inconclusive", why
		return f
	}
	var r report
	if jsonErr := json.Unmarshal(out.Bytes(), &r); jsonErr != nil {
		f.Verdict, f.Why = "failed", complaint(errs.String())
		if f.Why == "" {
			f.Why = fmt.Sprintf("%v, and what it prints is no JSON: %v", err, jsonErr)
		}
		return f
	}
	f.Verdict, f.Kinds, f.Why, f.States, f.Revisited, f.Search = r.Verdict, r.kinds(), r.why(), r.States, r.Revisited, r.Seconds
	if len(r.Targets) == 1 {
		f.Traffic = r.Targets[0].Traffic
	}
	return f
}

// complaint finds the line in which heddle says what is wrong: not those that tell
// of progress before it, nor those of a stack after it.
func complaint(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, l := range lines {
		if strings.HasPrefix(l, "heddle") {
			return l
		}
	}
	return lines[len(lines)-1]
}

// peak is the most memory that a process had.
func peak(s *os.ProcessState) int64 {
	if u, ok := s.SysUsage().(*syscall.Rusage); ok {
		return u.Maxrss << 10
	}
	return 0
}

// watch looks at a process twice a second, kills it if it takes too much, and
// says why, or nothing.
func watch(p *os.Process, l limits, ended <-chan struct{}, killed chan<- string) {
	tick := time.NewTicker(time.Second / 2)
	defer tick.Stop()
	late := time.After(l.time + l.time/10)
	for {
		why := ""
		select {
		case <-ended:
			killed <- ""
			return
		case <-late:
			why = "more than " + l.time.String()
		case <-tick.C:
			if resident(p.Pid) > l.memory {
				why = "more than " + size(l.memory)
			}
		}
		if why != "" {
			p.Kill()
			killed <- why
			return
		}
	}
}

// resident is the memory that a process has now.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

// newBuilder returns a builder that puts binaries into a folder, each once.
func newBuilder(dir string) builder {
	built := map[string]string{}
	return func(folder string) (string, error) {
		if bin, ok := built[folder]; ok {
			return bin, nil
		}
		bin := filepath.Join(dir, strings.ReplaceAll(folder, "/", "-"))
		out, err := exec.Command("go", "build", "-o", bin, example(folder)).CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("%s: %v\n%s", folder, err, out)
		}
		built[folder] = bin
		return bin, nil
	}
}
