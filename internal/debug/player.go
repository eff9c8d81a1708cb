// Package debug has a recorded trace be debugged: forward and backward, line by line, by a client of the Debug Adapter
// Protocol.
//
//	editor ◄──DAP──► Session ──► player ──► lts.System, execute.Inspector
//
// The player knows where in the trace the program stands, and brings it anywhere else. The session speaks the protocol. Neither
// builds programs, and nothing here looks for findings: a trace has one, at its end.
package debug

import (
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A place is a moment of a trace: before step number step, from 0 on, or in the middle of it, before the line that is number line of
// those that the step executes, from 1 on.
type place struct{ step, line int }

func (p place) before(q place) bool { return p.step < q.step || p.step == q.step && p.line < q.line }

// A player brings a program to places of a trace. Between steps that is done by the marks of the system. In the middle of a step the
// machine is held up in its own goroutine, which goes on only if the player waits for it.
//
//	step 0   step 1        step 2
//	├────────┼──┬──┬──┬────┼──────
//	mark     mark  ▲  2,3  mark
//	               line 2 of step 1
type player struct {
	sys   lts.System
	in    *execute.Inspector
	path  lts.Path
	marks []lts.Mark // of the places before steps that were reached so far
	at    place
	line  execute.Line // where the thread stands that is about to move
	mover int          // who takes the last step that has begun
	last  place        // the furthest place that was reached
	news  func(step int)

	first map[int]int // of threads that are there at the start: the step with which they begin to move

	stop  func(execute.Line) bool // asked in the middle of a step whether to hold up the machine
	held  chan bool               // the machine is held up, or has come to the end of the step
	going chan bool               // it may go on
	lines int                     // how many lines the running step has executed
	busy  bool                    // a step is being taken
	crash any                     // a panic in it
}

// newPlayer begins at the start of a trace. News is told when a step begins that was not taken before.
func newPlayer(sys lts.System, in *execute.Inspector, path lts.Path, news func(step int)) *player {
	p := &player{sys: sys, in: in, path: path, news: news, held: make(chan bool), going: make(chan bool), first: make(map[int]int)}
	sys.Reset()
	p.marks = append(p.marks, sys.Save())
	in.Watch(p.visit)
	for _, t := range in.Threads() {
		p.first[t.ID] = -1
	}
	p.settle()
	return p
}

// end is the place after the last step.
func (p *player) end() place { return place{len(p.path), 0} }

// settle finds out who moves next, between two steps.
func (p *player) settle() {
	p.line = execute.Line{}
	if p.at.step < len(p.path) {
		if who := p.in.Mover(p.path[p.at.step]); who != 0 {
			p.line = p.in.At(who)
			if n, ok := p.first[who]; ok && n < 0 {
				p.first[who] = p.at.step
			}
		}
	}
	if p.last.before(p.at) {
		p.last = p.at
	}
}

// visit is called by the machine before it executes a line.
func (p *player) visit(l execute.Line) {
	if !p.busy { // somebody looks around
		return
	}
	p.lines++
	p.at.line, p.line = p.lines, l
	if p.stop(l) {
		p.held <- true
		<-p.going
	}
}

// run takes the step before which the program stands, or goes on with the one in the middle of which it stands, until stop says so
// or the step is over. It reports whether the program was stopped before the end of the step.
func (p *player) run(stop func(execute.Line) bool) bool {
	p.stop = stop
	if p.busy {
		p.going <- true
	} else {
		if p.last == p.at && p.news != nil {
			p.news(p.at.step)
		}
		p.busy, p.lines = true, 0
		p.mover = p.in.Mover(p.path[p.at.step])
		p.in.Begin()
		go p.take(p.path[p.at.step])
	}
	stopped := <-p.held
	if p.crash != nil {
		panic(p.crash)
	}
	if stopped {
		if p.last.before(p.at) {
			p.last = p.at
		}
		return true
	}
	p.busy = false
	p.at = place{p.at.step + 1, 0}
	if p.at.step == len(p.marks) {
		p.marks = append(p.marks, p.sys.Save())
	}
	p.settle()
	return false
}

// take takes a step. A panic of ours is one of who waits for it.
func (p *player) take(step lts.Step) {
	defer func() {
		p.crash = recover()
		p.held <- false
	}()
	p.sys.Take(step)
}

// back goes to the place before a step that was taken, or is being taken.
func (p *player) back(step int) {
	if p.busy {
		p.run(func(execute.Line) bool { return false })
	}
	p.sys.Restore(p.marks[step])
	p.marks = p.marks[:step+1]
	p.at = place{step, 0}
	p.settle()
}

// goTo goes to a place that was reached before.
func (p *player) goTo(to place) {
	if to.before(p.at) {
		p.back(to.step)
	}
	for p.at.before(to) {
		p.run(func(execute.Line) bool { return p.at.step == to.step && p.lines == to.line })
	}
}

// A moment is a place with who is about to execute what there.
type moment struct {
	place
	execute.Line
	// fresh says that the line is not one that the thread was at already in a moment before.
	fresh bool
}

func (p *player) now() moment {
	n, ok := p.first[p.line.Thread]
	return moment{p.at, p.line, p.at.line > 0 || ok && n == p.at.step}
}

// forward goes on until a moment is wanted, and reports false if none is and the trace is at its end.
func (p *player) forward(wanted func(moment) bool) bool {
	for p.at != p.end() {
		if p.run(func(execute.Line) bool { return wanted(p.now()) }) {
			return true
		}
		if p.at != p.end() && wanted(p.now()) {
			return true
		}
	}
	return false
}

// backward goes back to the last moment before this one that is wanted. It reports false, and goes to the start, if there is none.
func (p *player) backward(wanted func(moment) bool) bool {
	from := p.at
	for step := from.step; step >= 0; step-- {
		if step == len(p.path) || from == (place{step, 0}) {
			continue
		}
		p.back(step)
		found := place{-1, 0}
		if wanted(p.now()) {
			found = p.at
		}
		for p.at.step == step {
			p.run(func(execute.Line) bool {
				if p.at.before(from) && wanted(p.now()) {
					found = p.at
				}
				return p.at == from // no need to see more
			})
			if p.at == from {
				break
			}
		}
		if found.step >= 0 {
			p.goTo(found)
			return true
		}
	}
	p.back(0)
	return false
}

// lastLine goes to the last line of the last step: at the end of a program there is nobody left to look at.
func (p *player) lastLine() {
	if len(p.path) == 0 {
		return
	}
	p.back(len(p.path) - 1)
	found := p.at
	for p.at.step < len(p.path) {
		p.run(func(execute.Line) bool { found = p.at; return false })
	}
	p.goTo(found)
}

// close lets the machine come to the end of its step.
func (p *player) close() {
	if p.busy {
		p.run(func(execute.Line) bool { return false })
	}
}
