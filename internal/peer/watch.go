//go:build linux

package peer

import (
	"bytes"
	"os"
	"runtime"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/fixed"
	"github.com/heddle-mc/heddle/internal/fork"
	"github.com/heddle-mc/heddle/internal/intercept"
	"github.com/heddle-mc/heddle/internal/writes"
)

// Some system calls of peers are watched: their writes, if answers are to come in pieces, and those that ask for time and
// random numbers, if these are to be the same in each run, and else those that change files: a server that does must not be started before
// it is needed, nor be copied.

// A watching says which calls are watched. It is written down for the keeper.
type watching struct{ Writes, Fixed, Files, Names, Alarms bool }

// watching returns what is to be watched of some peers.
func watchingOf(specs []Spec) (w watching) {
	for i := range specs {
		w.Writes = w.Writes || specs[i].watched()
		w.Fixed = w.Fixed || specs[i].fixed() && fixed.Supported() == nil
		w.Files = w.Files || specs[i].watched() && specs[i].Role == Server
		w.Names = w.Names || specs[i].copyable()
		w.Alarms = w.Alarms || specs[i].watched() || specs[i].fixed()
	}
	if w.Fixed { // that wants to know of the same calls
		w.Files, w.Names = false, false
	}
	return w
}

// wants returns the calls.
func (w watching) wants() (list []intercept.Want) {
	if w.Writes {
		list = append(list, writes.Wants...)
	}
	if w.Fixed {
		list = append(list, fixed.Wants...)
	}
	if w.Alarms {
		list = append(list, alarms...)
	}
	if w.Files {
		list = append(list, fork.Changes...)
	}
	if w.Names {
		list = append(list, fork.Names...)
	}
	return list
}

// wants reports whether a call is one of some.
func wants(list []intercept.Want, c *intercept.Call) bool {
	return slices.ContainsFunc(list, func(w intercept.Want) bool { return int32(w.Call) == c.Number })
}

// A watch is somebody who answers the calls of peers.
type watch struct {
	calls *intercept.Server
	stop  int           // a descriptor, closed when nobody makes calls any more
	over  chan struct{} // closed when that was noticed
}

// watchCalls begins to answer the calls of peers.
func (g *Group) watchCalls(listener int, what watching) {
	if listener < 0 {
		return
	}
	var pipe [2]int
	if unix.Pipe2(pipe[:], unix.O_CLOEXEC) != nil {
		unix.Close(listener)
		return
	}
	if what.Writes {
		g.pieces = newPieces()
	}
	if what.Fixed {
		g.fixer = fixed.New(g.fixedRun)
	}
	g.files = what.Files
	looks := writes.NewWatcher()
	answer := func(c *intercept.Call) intercept.Answer {
		if wants(writes.Wants, c) {
			if w, ok := looks.Look(c); ok {
				g.pieces.tell(w)
			}
			return intercept.Answer{}
		}
		if what.Alarms && wants(alarms, c) {
			defer g.noteAlarm(c) // until a date that is changed before
		}
		switch {
		case what.Files && wants(fork.Changes, c):
			g.noteChange(c)
			return intercept.Answer{}
		case what.Names && wants(fork.Names, c):
			return g.named(c)
		case what.Fixed:
			return g.fixer.Answer(c)
		}
		return intercept.Answer{}
	}
	w := &watch{calls: intercept.NewServer(listener), stop: pipe[1], over: make(chan struct{})}
	// A peer waits for each answer, also if all processors are busy with the search.
	runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) + 1)
	go func() {
		w.calls.Serve(pipe[0], answer)
		unix.Close(listener)
		unix.Close(pipe[0])
		runtime.GOMAXPROCS(runtime.GOMAXPROCS(0) - 1)
		close(w.over)
	}()
	g.watch = w
}

// idle reports whether no call of a peer waits to be answered. Who is about to wait for input seems to wait already, and would
// find that there is some.
func (w *watch) idle() bool { return w == nil || w.calls.Idle() }

// close ends the watch.
func (w *watch) close() {
	if w != nil {
		unix.Close(w.stop)
		<-w.over
	}
}

// fixedRun finds out to which run of a peer whose time and random numbers are fixed a process belongs.
func (g *Group) fixedRun(pid int) (fixed.Run, bool) {
	env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	for e := range bytes.SplitSeq(env, []byte{0}) {
		if text, ok := bytes.CutPrefix(e, []byte(runKey)); ok {
			id, _ := strconv.Atoi(string(text))
			name := g.keeper.fixedName(id)
			return fixed.Run{ID: id, Name: name}, name != ""
		}
	}
	return fixed.Run{}, false
}

// Fixed returns the names of the peers whose time and random numbers are the same in each of their runs.
func (g *Group) Fixed() []string {
	var list []string
	for i := range g.specs {
		if s := &g.specs[i]; s.fixed() && g.fixer != nil && !g.fixer.Failed(s.Name) {
			list = append(list, s.Name)
		}
	}
	return list
}
