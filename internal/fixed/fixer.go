//go:build linux

package fixed

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/intercept"
)

// Wants are the system calls that a Fixer has to answer. The first row has those by which a process shows that it, or
// its program, is new.
var Wants = slices.Concat([]intercept.Want{
	{Call: unix.SYS_EXECVE}, {Call: unix.SYS_EXECVEAT}, {Call: unix.SYS_SET_TID_ADDRESS}, {Call: unix.SYS_SET_ROBUST_LIST},
	{Call: unix.SYS_GETRANDOM}, {Call: unix.SYS_OPENAT},
	{Call: unix.SYS_CLOCK_GETTIME, Arg: 0, Values: calendars},
	{Call: unix.SYS_GETTIMEOFDAY},
}, oldCalls, timedWaits, TimerCalls)

// A Fixer answers for processes that are to repeat themselves.
type Fixer struct {
	owner func(pid int) (Run, bool)

	mu        sync.Mutex
	processes map[int]*process
	leaders   map[int]int // process by thread
	counts    map[int]int // processes that were seen, by run
	failed    []failure
}

// A failure is what could not be done for runs of a name.
type failure struct{ name, text string }

// A Run is one launch of something that is to repeat itself.
type Run struct {
	ID   int
	Name string // equal runs have equal names
}

// A process is one of a run.
type process struct {
	run    Run
	pid    int
	began  string           // tells it from another one that had its number before
	fresh  bool             // its program has just been executed
	random *rand.ChaCha8    //
	clock  clock            //
	moved  map[uint64]moved // times until which it waits that were changed, by where they are in its memory

	waits  map[int]timeout // of its threads
	timers map[TimerID]timer
	owed   int64 // the date that it would find if it looked, because a wait has run out
	idle   bool  // it has answered, and was not asked again

	lingers  time.Time // since then its calendar goes as time does, if that is not zero
	lingered int64     // from this date on
}

// New returns a Fixer. Owner finds out to which run a process belongs, if that is not to be seen by its parent; it is not
// ok if the process is none that is to repeat itself.
func New(owner func(pid int) (Run, bool)) *Fixer {
	return &Fixer{owner: owner, processes: make(map[int]*process), leaders: make(map[int]int), counts: make(map[int]int)}
}

// Answer answers one of the calls that are wanted.
func (f *Fixer) Answer(c *intercept.Call) intercept.Answer {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.process(c)
	if p == nil {
		return intercept.Answer{}
	}
	if executes(c) {
		p.fresh = true
		return intercept.Answer{}
	}
	if p.fresh {
		p.fresh = false
		if err := p.begin(); err != nil {
			f.fail(p.run.Name, err)
		}
	}
	p.ends(c)
	switch c.Number {
	case unix.SYS_GETRANDOM:
		return p.getrandom(c)
	case unix.SYS_OPENAT:
		return p.open(c, c.Args[1], c.Args[2])
	case sysOpen:
		return p.open(c, c.Args[0], c.Args[1])
	case unix.SYS_SETITIMER, unix.SYS_TIMER_SETTIME, unix.SYS_TIMERFD_SETTIME, sysAlarm:
		p.set(c)
	default:
		if looks(c) {
			return p.tell(c)
		}
		p.begins(c)
	}
	return intercept.Answer{}
}

// looks reports whether a call asks for the date.
func looks(c *intercept.Call) bool {
	return c.Number == unix.SYS_CLOCK_GETTIME || c.Number == unix.SYS_GETTIMEOFDAY || c.Number == sysTime
}

func executes(c *intercept.Call) bool {
	return c.Number == unix.SYS_EXECVE || c.Number == unix.SYS_EXECVEAT
}

// isNew reports whether a call is one of those by which a process shows that it is new.
func isNew(c *intercept.Call) bool {
	return executes(c) || c.Number == sysArchPrctl || c.Number == unix.SYS_SET_TID_ADDRESS || c.Number == unix.SYS_SET_ROBUST_LIST
}

// process returns the process of a caller, nil if it is none of a run.
func (f *Fixer) process(c *intercept.Call) *process {
	if pid := f.leaders[c.Thread]; pid != 0 && !isNew(c) && (pid == c.Thread || isThread(pid, c.Thread)) {
		return f.processes[pid]
	}
	pid, parent := c.Process()
	if pid == 0 {
		return nil
	}
	began := start(pid)
	p := f.processes[pid]
	if p == nil || p.began != began {
		from := f.processes[parent]
		run, ok := Run{}, false
		if from != nil {
			run, ok = from.run, true
		} else {
			run, ok = f.owner(pid)
		}
		if !ok {
			delete(f.processes, pid)
			return nil
		}
		f.counts[run.ID]++
		p = &process{run: run, pid: pid, began: began, fresh: from == nil, random: stream(run.Name, f.counts[run.ID]),
			moved: make(map[uint64]moved), waits: make(map[int]timeout), timers: make(map[TimerID]timer)}
		if from != nil {
			p.clock, p.idle = from.clock, from.idle
		}
		f.processes[pid] = p
	}
	f.leaders[c.Thread] = pid
	return p
}

// isThread reports whether a process has a thread.
func isThread(pid, tid int) bool {
	return unix.Access("/proc/"+strconv.Itoa(pid)+"/task/"+strconv.Itoa(tid), unix.F_OK) == nil
}

// start returns when a process began, as the kernel tells it.
func start(pid int) string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	f := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:]) // the name may hold anything
	const at = 19
	if len(f) <= at {
		return ""
	}
	return string(f[at])
}

// End forgets a run that is over.
func (f *Fixer) End(run int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.counts, run)
	for pid, p := range f.processes {
		if p.run.ID == run {
			delete(f.processes, pid)
		}
	}
	for tid, pid := range f.leaders {
		if f.processes[pid] == nil {
			delete(f.leaders, tid)
		}
	}
}

// fail notes what could not be done.
func (f *Fixer) fail(name string, err error) {
	x := failure{name, fmt.Sprintf("%s: what it takes for time and random numbers is not fixed in all of its processes: %v", name, err)}
	if !slices.Contains(f.failed, x) {
		f.failed = append(f.failed, x)
	}
}

// Failures returns what could not be done.
func (f *Fixer) Failures() (list []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, x := range f.failed {
		list = append(list, x.text)
	}
	return list
}

// Failed reports whether something could not be done for runs of a name.
func (f *Fixer) Failed(name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.ContainsFunc(f.failed, func(x failure) bool { return x.name == name })
}
