package certcheck

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A script is where events come from: a whole one, or a part.
type script interface {
	Next() (cert.Event, error)
}

// A walker follows a script with a system.
type walker struct {
	subject
	position
	partOf
	tally

	reduce   bool
	trustful bool
	o        Options

	print  fingerprinter
	states states               // without those of other parts
	labels map[lts.Label]uint64 // hashes of their texts
	buf    []diag.Finding
	ticks  uint64 // thousands of transitions
}

// A subject is the system that is examined, and what else it can be asked. What
// it cannot be asked is nil.
type subject struct {
	sys      lts.System
	checker  lts.Checker
	actors   lts.Actors
	finisher lts.Finisher
	bounded  lts.Bounded
	foreseer lts.Foreseer
}

func newSubject(sys lts.System) subject {
	s := subject{sys: sys}
	s.checker, _ = sys.(lts.Checker)
	s.actors, _ = sys.(lts.Actors)
	s.finisher, _ = sys.(lts.Finisher)
	s.bounded, _ = sys.(lts.Bounded)
	s.foreseer, _ = sys.(lts.Foreseer)
	return s
}

// A position is where in the script the walker is: the states from the start to
// the one that the system is in.
type position struct {
	stack []frame
	steps []lts.Step // of all frames that have been asked for
	last  lts.Label  // of the step just taken
	base  int        // so many states before those of the stack are left out
	short lts.Path   // that leads to the first of the stack then
	away  bool       // the system has left the state of the last frame
	next  uint32     // number of the next new state
}

// A partOf says whether the script is a part of a certificate. There are others
// then, which may have states that are not known here, and which are told:
type partOf struct {
	part bool
	own  []numbered // states that were found
	way  []numbered // states on the way
	far  strangers
}

// A tally is what the walker has counted and found.
type tally struct {
	counts   cert.Counts
	sums     cert.Sums
	findings []Found
}

// A frame is a state on the way. Its steps are steps[lo:hi], those below next are
// done; they are asked for when the first event in the state is there.
type frame struct {
	state        uint32
	done         uint32 // steps done by other parts
	mark         lts.Mark
	saved, asked bool
	choice       cert.Choice
	lo, next, hi int
	by           lts.Step // that led here
}

func newWalker(sys lts.System, reduce, trustful bool, o Options) *walker {
	if s, ok := sys.(lts.Seeded); ok {
		s.Seed(o.Seed)
	}
	return &walker{
		subject: newSubject(sys), reduce: reduce, trustful: trustful, o: o,
		print: fingerprinter{seed: o.Seed}, labels: map[lts.Label]uint64{}, ticks: math.MaxUint64,
	}
}

// begin goes to where a part begins, by a short way if there is one. Steps of the way are taken, but it is other
// parts that examine its states.
func (w *walker) begin(p *cert.Part) error {
	w.sys.Reset()
	w.next, w.base, w.short = 2, p.Base, p.Short
	var steps []lts.Step
	for _, s := range p.Short {
		if steps = w.sys.Enabled(steps[:0]); !slices.Contains(steps, s) {
			return w.deviation(NoSuchStep, "step %d on the short way to a part", s)
		}
		w.sys.Take(s)
	}
	for i, at := range p.Way {
		f := frame{state: at.State, done: at.Done, choice: at.Choice}
		if i > 0 {
			step, err := w.follow(p.Way[i-1].Index)
			if err != nil {
				return err
			}
			f.by = step
		}
		w.push(f)
		if w.trustful {
			continue
		}
		print := w.print.of(w.sys)
		if at.State == 0 || w.states.add(print, at.State) != 0 {
			return w.deviation(FalseFresh, "the way to a part comes twice to one state, which is called %d then", at.State)
		}
		switch {
		case w.part && p.Starts():
			w.own = append(w.own, numbered{print, at.State})
		case w.part:
			w.way = append(w.way, numbered{print, at.State})
		}
	}
	if p.Starts() { // nobody else examines it
		w.counts.States++
		w.examine()
	}
	return nil
}

// follow takes a step on the way to a part.
func (w *walker) follow(index uint32) (lts.Step, error) {
	top := w.top()
	w.ask(top)
	if top.lo+int(index) >= top.hi {
		return 0, w.deviation(NoSuchStep, "step %d of %d on the way to a part", index+1, top.hi-top.lo)
	}
	step := w.steps[top.lo+int(index)]
	top.mark, top.saved = w.sys.Save(), true
	w.sys.Take(step)
	return step, nil
}

// depth returns how many states there are before the one on top.
func (w *walker) depth() int { return w.base + len(w.stack) - 1 }

func (w *walker) top() *frame { return &w.stack[len(w.stack)-1] }

func (w *walker) push(f frame) {
	w.stack = append(w.stack, f)
	w.counts.Depth = max(w.counts.Depth, uint32(w.depth()))
	w.away = false
}

// walk follows the events to their end. The last part has to come back to the
// start and to have done everything there.
func (w *walker) walk(s script, last bool) error {
	for !w.enough() {
		e, err := s.Next()
		if err == io.EOF {
			return w.end(s, last)
		}
		if err != nil {
			return err
		}
		if n := w.counts.Transitions / 1024; n != w.ticks {
			w.ticks = n
			if w.o.Interrupt != nil && w.o.Interrupt() {
				return Stopped
			}
			if w.o.Progress != nil && w.o.Workers < 2 {
				w.o.Progress(w.counts.Transitions)
			}
		}
		if top := w.top(); !top.asked && top.done == 0 {
			top.choice = e.Choice
		}
		switch e.Op {
		case cert.Fresh:
			err = w.fresh(e)
		case cert.Back:
			err = w.back()
		case cert.Skip:
			err = w.skip(e.State)
		}
		if err == nil {
			err = w.compare(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// compare compares the number of transitions with what a whole script says, where
// one of its blocks ends.
func (w *walker) compare(s script) error {
	whole, ok := s.(*reader)
	if !ok || w.trustful || w.enough() {
		return nil
	}
	want, ended := whole.Ended()
	switch got := w.counts.Transitions; {
	case !ended || got == want:
		return nil
	case got > want:
		return w.deviation(Omitted, "there are %d transitions up to here, and the script has %d", got, want)
	default:
		return w.deviation(NoSuchStep, "there are %d transitions up to here, and the script has %d", got, want)
	}
}

// enough reports whether a finding ends the examination.
func (w *walker) enough() bool { return len(w.findings) > 0 && !w.o.All }

// ask finds out which steps of the state on top are followed. To follow all of them is
// right whatever the script's author did, and reduction need not be asked then.
func (w *walker) ask(top *frame) {
	if w.away && top.saved { // without mark nothing is left to be done here
		w.sys.Restore(top.mark)
		w.away = false
	}
	if top.asked {
		return
	}
	top.asked = true
	top.lo = len(w.steps)
	w.steps = lts.Steps(w.sys, w.steps, w.reduce && top.choice != cert.All)
	top.hi = len(w.steps)
	top.next = min(top.lo+int(top.done), top.hi)
}

// fresh follows an event Fresh: the steps before it lead to states that are known.
func (w *walker) fresh(e cert.Event) error {
	top := w.top()
	w.ask(top)
	at := top.lo + e.Index
	if at >= top.hi {
		return w.deviation(NoSuchStep, "step %d of a state that has %d", e.Index+1, top.hi-top.lo)
	}
	if at < top.next {
		return w.deviation(Unexpected, "step %d is done again", e.Index+1)
	}
	if err := w.others(at); err != nil {
		return err
	}
	if e.State != w.next {
		return w.deviation(Unexpected, "state %d is called %d", w.next, e.State)
	}
	var print fingerprint
	foreseen := false
	if w.ask(top); !w.trustful {
		print, foreseen = w.foresee(w.steps[at])
	}
	name := w.take()
	top = w.top()
	step := w.steps[top.next-1]
	w.sums.AddFresh(top.state, e.Index, name, w.events())
	w.observe(top.state, e.State, step)
	w.next++
	w.counts.States++
	w.push(frame{state: e.State, by: step})
	if !w.trustful {
		if !foreseen {
			print = w.print.of(w.sys)
		}
		if old := w.states.add(print, e.State); old != 0 {
			return w.deviation(FalseFresh, "state %d is state %d", e.State, old)
		}
		if w.part {
			w.own = append(w.own, numbered{print, e.State})
		}
	}
	w.examine()
	return nil
}

// observe tells a transition, that of the last label.
func (w *walker) observe(from, to uint32, step lts.Step) {
	if w.o.Observe != nil {
		w.o.Observe(from, to, step, w.last)
	}
}

// events returns how many events of the script there were.
func (w *walker) events() uint64 { return cert.EventsBefore(w.next-2, w.depth()) }

// others takes the steps of the state on top up to one, which all have to lead to
// states that were found before. One whose effect the system knows need not be
// executed for that. Who trusts the script leaves them out.
func (w *walker) others(upto int) error {
	top := w.top()
	if w.trustful {
		top.next = upto
	}
	for top.next < upto && !w.enough() {
		w.ask(top)
		step := w.steps[top.next]
		print, foreseen := w.foresee(step)
		state := uint32(0)
		if foreseen {
			state = w.states.get(print)
		}
		var name cert.Name
		if state != 0 || foreseen && w.part {
			w.last = w.foreseer.NextLabel(step)
			name = w.name(step, w.last)
			top.next++
			w.counts.Transitions++
		} else {
			name = w.take()
			print = w.print.of(w.sys)
			state = w.states.get(print)
		}
		index := top.next - 1 - top.lo
		w.sums.AddSeen(top.state, index, name, w.events())
		factor := cert.Factor(top.state, index)
		switch {
		case state != 0:
			w.sums.AddState(factor, state)
			w.observe(top.state, state, step)
		case w.part:
			w.far.meet(print, factor, w.next)
		default:
			return w.deviation(FalseSeen, "%s leads to a state that was not found before", w.words(step))
		}
	}
	return nil
}

// foresee returns the fingerprint of the state that a step of the state on top leads
// to, if the system knows it without taking the step, with which nothing is wrong then.
func (w *walker) foresee(step lts.Step) (fingerprint, bool) {
	if w.foreseer == nil {
		return fingerprint{}, false
	}
	return w.print.next(w.foreseer, step)
}

// take takes the next step of the state on top and returns its name. The system
// has left the state then.
func (w *walker) take() cert.Name {
	top := w.top()
	w.ask(top)
	step := w.steps[top.next]
	top.next++
	if !top.saved && (w.trustful || top.next < top.hi) {
		top.mark, top.saved = w.sys.Save(), true
	}
	l := w.sys.Take(step)
	w.last = l
	w.away = true
	w.counts.Transitions++
	if w.checker != nil {
		if w.buf = w.checker.CheckStep(w.buf[:0]); len(w.buf) > 0 {
			w.find(w.buf, step)
		}
	}
	return w.name(step, l)
}

// name returns the name of a step with a label, which is enabled or was just taken.
func (w *walker) name(step lts.Step, l lts.Label) cert.Name {
	actor := -1
	if w.actors != nil {
		actor = w.actors.Actor(step)
	}
	text, ok := w.labels[l]
	if !ok {
		text = cert.TextHash(cert.LabelText(w.sys, l))
		w.labels[l] = text
	}
	return cert.MakeName(step, actor, text)
}

// examine looks what is wrong with the state on top.
func (w *walker) examine() {
	if w.checker != nil {
		if w.buf = w.checker.CheckState(w.buf[:0]); len(w.buf) > 0 {
			w.find(w.buf)
		}
	}
}

// back leaves the state on top.
func (w *walker) back() error {
	if len(w.stack) < 2 {
		return w.deviation(Unexpected, "the script goes back from the start")
	}
	if err := w.complete(); err != nil {
		return err
	}
	w.pop()
	return nil
}

// complete takes the steps that are left in the state on top.
func (w *walker) complete() error {
	top := w.top()
	if !top.asked || top.next < top.hi {
		w.ask(top)
	}
	if top.lo == top.hi {
		return w.stuck()
	}
	return w.others(top.hi)
}

func (w *walker) pop() {
	top := w.top()
	if top.asked {
		w.steps = w.steps[:top.lo]
	}
	w.stack = w.stack[:len(w.stack)-1]
	w.away = true
}

// skip leaves the state on top, which another part examines with all below it.
func (w *walker) skip(states uint32) error {
	if len(w.stack) < 2 {
		return w.deviation(Unexpected, "the script goes back from the start")
	}
	w.pop()
	w.next += states
	return nil
}

// stuck judges a state without steps.
func (w *walker) stuck() error {
	if w.bounded != nil {
		if err := w.bounded.Beyond(); err != nil {
			return diag.Incompletef("state %d: %v: the system cannot be followed further, whatever the certificate says", w.top().state, err)
		}
	}
	if w.finisher != nil && w.finisher.Final() {
		return nil
	}
	if w.checker != nil {
		if w.buf = w.checker.CheckState(w.buf[:0]); len(w.buf) > 0 {
			return nil // it has been said why nothing goes on
		}
	}
	w.find([]diag.Finding{{Kind: "deadlock", Message: "no step is enabled"}})
	return nil
}

// end ends the last part, which has to come back to the start. Of a whole script,
// all sums have to be right.
func (w *walker) end(s script, last bool) error {
	if !last {
		return nil
	}
	if w.depth() != 0 {
		return w.deviation(Unexpected, "the script ends %d states away from the start", w.depth())
	}
	if err := w.complete(); err != nil {
		return err
	}
	return w.compare(s)
}

// words says what the step just taken was.
func (w *walker) words(s lts.Step) string {
	return fmt.Sprintf("step %d, %s,", s, cert.LabelText(w.sys, w.last))
}

// path returns the steps to the state on top.
func (w *walker) path() lts.Path {
	p := append(lts.Path{}, w.short...)
	for i := range w.stack {
		if i > 0 {
			p = append(p, w.stack[i].by)
		}
	}
	return p
}

func (w *walker) deviation(r Reason, format string, args ...any) error {
	d := &Deviation{Reason: r, Text: fmt.Sprintf(format, args...)}
	if len(w.stack) > 0 {
		d.State, d.Path = w.top().state, w.path()
	}
	return d
}

// maxFindings bounds what is kept.
const maxFindings = 1000

// find keeps findings that are not like others. They are about the state on top,
// or about a step from there.
func (w *walker) find(list []diag.Finding, step ...lts.Step) {
	for _, f := range list {
		same := func(g Found) bool { return g.Kind == f.Kind && g.Message == f.Message && g.Pos == f.Pos }
		if len(w.findings) < maxFindings && !slices.ContainsFunc(w.findings, same) {
			w.findings = append(w.findings, Found{f, append(w.path(), step...)})
		}
	}
}
