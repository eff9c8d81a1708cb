package certcheck

import (
	"fmt"
	"io"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A script is where events come from: a whole one, or a part.
type script interface {
	Next() (cert.Event, error)
	Instr(code int) *cert.Instr
}

// A walker follows a script with a system.
type walker struct {
	sys      lts.System
	checker  lts.Checker
	actors   lts.Actors
	finisher lts.Finisher
	bounded  lts.Bounded
	reduce   bool
	trustful bool
	o        Options

	print  fingerprinter
	notes  notes
	stack  []frame
	steps  []lts.Step // of all frames that have been asked for
	away   bool       // the system has left the state of the last frame
	next   uint32     // number of the next new state
	labels []label    // by instruction

	// A script can go round a loop for ever and call each state new, so it is
	// looked for such states now and then, and not at the end only.
	look uint32

	counts   cert.Counts
	findings []Found
	buf      []diag.Finding
	ticks    uint
}

// A frame is a state on the way. Its steps are steps[lo:hi], those below next are
// done; they are asked for when the first event in the state is there.
type frame struct {
	state        uint32
	done         uint32 // steps done by other parts
	mark         lts.Mark
	saved, asked bool
	lo, next, hi int
	by           lts.Step // that led here
}

// A label is what an instruction's name was last found to be the name of.
type label struct {
	label lts.Label
	known bool
}

// firstLook is how many states there are when it is first looked for two that are
// one; then it is done each time that their number has doubled.
const firstLook = 1 << 12

func newWalker(sys lts.System, reduce, trustful bool, o Options) *walker {
	w := &walker{sys: sys, reduce: reduce, trustful: trustful, o: o, print: fingerprinter{seed: o.Seed}, look: firstLook}
	w.checker, _ = sys.(lts.Checker)
	w.actors, _ = sys.(lts.Actors)
	w.finisher, _ = sys.(lts.Finisher)
	w.bounded, _ = sys.(lts.Bounded)
	return w
}

// begin goes to where a part begins. Steps of the way are looked at, but it is
// other parts that examine its states.
func (w *walker) begin(way []cert.Way, codes []cert.Instr) error {
	w.sys.Reset()
	w.next = 2
	for i, at := range way {
		f := frame{state: at.State, done: at.Done}
		if i > 0 {
			in := &codes[way[i-1].Code]
			if err := w.follow(way[i-1].Code, in); err != nil {
				return err
			}
			f.by = in.Step
		}
		w.push(f)
		if w.trustful {
			continue
		}
		if at.State == 0 || !w.notes.agree(at.State, w.print.of(w.sys)) {
			return w.deviation(Disagreement, "the way to a part comes twice to state %d", at.State)
		}
	}
	if len(way) == 1 && way[0].Done == 0 {
		w.counts.States++
		w.examine()
	}
	return nil
}

// follow takes a step on the way to a part.
func (w *walker) follow(code int, in *cert.Instr) error {
	top := w.top()
	top.mark, top.saved = w.sys.Save(), true
	if !slices.Contains(w.sys.Enabled(nil), in.Step) {
		return w.deviation(NoSuchStep, "%s cannot be done on the way to a part", name(in))
	}
	return w.take(code, in)
}

func (w *walker) top() *frame { return &w.stack[len(w.stack)-1] }

func (w *walker) push(f frame) {
	w.stack = append(w.stack, f)
	w.counts.Depth = max(w.counts.Depth, uint32(len(w.stack)-1))
	w.away = false
}

// walk follows the events to their end. The last part has to come back to the
// start and to have done everything there.
func (w *walker) walk(s script, last bool) error {
	for !w.enough() {
		e, err := s.Next()
		if err == io.EOF {
			return w.end(last)
		}
		if err != nil {
			return err
		}
		if w.ticks++; w.ticks%1024 == 0 {
			if w.o.Interrupt != nil && w.o.Interrupt() {
				return Stopped
			}
			if w.o.Progress != nil && w.o.Workers < 2 {
				w.o.Progress(w.counts.Transitions)
			}
		}
		switch e.Op {
		case cert.Fresh, cert.Seen:
			err = w.step(e, s.Instr(e.Code))
		case cert.Back:
			err = w.back()
		case cert.Skip:
			err = w.skip(e.State)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// enough reports whether a finding ends the examination.
func (w *walker) enough() bool { return len(w.findings) > 0 && !w.o.All }

// ask finds out which steps the state on top has.
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
	w.steps = lts.Steps(w.sys, w.steps, w.reduce && !w.trustful)
	top.hi = len(w.steps)
	top.next = top.lo + int(top.done)
}

// step follows an instruction.
func (w *walker) step(e cert.Event, in *cert.Instr) error {
	if w.trustful && e.Op == cert.Seen {
		return nil
	}
	top := w.top()
	w.ask(top)
	if !w.trustful {
		if top.next >= top.hi || w.steps[top.next] != in.Step {
			return w.mismatch(top, in)
		}
		top.next++
	} else if !slices.Contains(w.steps[top.lo:top.hi], in.Step) {
		return w.deviation(NoSuchStep, "%s cannot be done", name(in))
	}
	if !top.saved && (w.trustful || top.next < top.hi) {
		top.mark, top.saved = w.sys.Save(), true
	}
	if err := w.take(e.Code, in); err != nil {
		return err
	}
	w.away = true
	w.counts.Transitions++
	if w.checker != nil {
		if w.buf = w.checker.CheckStep(w.buf[:0]); len(w.buf) > 0 {
			w.find(w.buf, in.Step)
		}
	}
	if e.Op == cert.Seen {
		return w.seen(e.State, in)
	}
	if e.State != w.next {
		return w.deviation(Unexpected, "state %d is called %d", w.next, e.State)
	}
	return w.fresh(in)
}

// take takes a step and looks whether it is called as the script says.
func (w *walker) take(code int, in *cert.Instr) error {
	actor := -1
	if w.actors != nil {
		actor = w.actors.Actor(in.Step)
	}
	l := w.sys.Take(in.Step)
	if code >= len(w.labels) {
		w.labels = append(w.labels, make([]label, code+1-len(w.labels))...)
	}
	if k := &w.labels[code]; !k.known || k.label != l {
		text := cert.LabelText(w.sys, l)
		if text != in.Text {
			return w.deviation(WrongName, "step %d is %q, and not %q", in.Step, text, in.Text)
		}
		*k = label{l, true}
	}
	if actor != in.Actor {
		return w.deviation(WrongName, "step %d is one of actor %d, and not of %d", in.Step, actor, in.Actor)
	}
	return nil
}

// seen compares the state with the one that the script says it is.
func (w *walker) seen(state uint32, in *cert.Instr) error {
	f := w.print.of(w.sys)
	if old := w.notes.get(state); old == f {
		return nil
	} else if old == (fingerprint{}) && state != 0 {
		// A state of another part: the notes of both are compared at the end.
		w.notes.set(state, f)
		return nil
	}
	return w.deviation(FalseSeen, "%s does not lead to state %d", name(in), state)
}

// fresh notes a new state and examines it.
func (w *walker) fresh(in *cert.Instr) error {
	state := w.next
	w.next++
	w.counts.States++
	w.push(frame{state: state, by: in.Step})
	if !w.trustful && !w.notes.agree(state, w.print.of(w.sys)) {
		return w.deviation(Disagreement, "%s leads to a new state %d, but another state was called so before", name(in), state)
	}
	if !w.trustful && w.counts.States >= w.look {
		w.look = 2 * w.counts.States
		if err := w.notes.distinct(); err != nil {
			return err
		}
	}
	w.examine()
	return nil
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

// complete looks whether everything was done in the state on top.
func (w *walker) complete() error {
	top := w.top()
	if top.asked && top.next == top.hi && top.lo < top.hi {
		return nil
	}
	w.ask(top)
	if top.lo == top.hi {
		return w.stuck()
	}
	if w.trustful || top.next == top.hi {
		return nil
	}
	if top.next > top.hi {
		return w.deviation(Unexpected, "%d steps were done of %d", top.next-top.lo, top.hi-top.lo)
	}
	return w.deviation(Omitted, "%s is not in the script", w.describe(w.steps[top.next]))
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

// end ends the last part.
func (w *walker) end(last bool) error {
	if !last {
		return nil
	}
	if len(w.stack) != 1 {
		return w.deviation(Unexpected, "the script ends %d states away from the start", len(w.stack)-1)
	}
	return w.complete()
}

// mismatch says what is wrong with an instruction that is not the next step.
func (w *walker) mismatch(top *frame, in *cert.Instr) error {
	steps := w.steps[top.lo:top.hi]
	switch i := slices.Index(steps, in.Step); {
	case i < 0:
		return w.deviation(NoSuchStep, "%s cannot be done", name(in))
	case top.lo+i < top.next:
		return w.deviation(OutOfOrder, "%s is done again", name(in))
	}
	return w.deviation(Omitted, "%s is not in the script, which goes on with %s", w.describe(w.steps[top.next]), name(in))
}

// describe names a step of the state on top, by taking it: the examination is
// over then.
func (w *walker) describe(s lts.Step) string {
	in := cert.Instr{Step: s, Actor: -1}
	if w.actors != nil {
		in.Actor = w.actors.Actor(s)
	}
	in.Text = cert.LabelText(w.sys, w.sys.Take(s))
	return name(&in)
}

func name(in *cert.Instr) string {
	if in.Actor < 0 {
		return fmt.Sprintf("step %d, %s,", in.Step, in.Text)
	}
	return fmt.Sprintf("step %d, %s of actor %d,", in.Step, in.Text, in.Actor)
}

// path returns the steps to the state on top.
func (w *walker) path() lts.Path {
	p := lts.Path{}
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
