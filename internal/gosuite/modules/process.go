package main

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// An ending tells how a run ended.
type ending struct {
	stopped bool // by us, for it took too long
	silence time.Duration
	errors  string // what it wrote to standard error
}

// run starts a command that prints events and reads them. It is stopped when
// its process has used silence of the processor without an event, which does not
// depend on what else the computer does, or after total by the clock.
func run(command []string, dir string, silence, total time.Duration) (outcomes, ending) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, ending{errors: err.Error()}
	}
	if err := cmd.Start(); err != nil {
		return nil, ending{errors: err.Error()}
	}
	var heard atomic.Int64 // processor time at the last event
	stopped := make(chan bool)
	done := make(chan struct{})
	go func() {
		end := time.After(total)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-done:
				stopped <- false
				return
			case <-end:
			case <-tick.C:
				if used(cmd.Process.Pid)-time.Duration(heard.Load()) < silence {
					continue
				}
			}
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
			stopped <- true
			return
		}
	}()
	tests, err := readEvents(out, func() { heard.Store(int64(used(cmd.Process.Pid))) })
	close(done)
	end := ending{silence: silence, stopped: <-stopped}
	cmd.Wait()
	if end.errors = message(stderr.String()); err != nil && !end.stopped {
		end.errors += err.Error()
	}
	return tests, end
}

// used is the time of the processor that a process has used, 0 if it is gone.
func used(pid int) time.Duration {
	const ticks = 100 // a second, on all of Linux's common machines
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	// The name, in parentheses, may hold blanks; the times are fields 14 and 15.
	_, rest, _ := strings.Cut(string(data), ") ")
	f := strings.Fields(rest)
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * time.Second / ticks
}

var download = regexp.MustCompile(`(?m)^(go: downloading .*|# .*)\n`)

// message is what there is to know of what a command wrote to standard error.
func message(s string) string {
	s = strings.TrimSpace(download.ReplaceAllString(s, ""))
	if len(s) > 600 {
		s = s[:600] + "..."
	}
	return s
}
