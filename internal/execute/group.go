package execute

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A Group is several programs as one transition system: processes that run side by
// side over a modelled network (the centralization of paper 000). Each has a
// machine of its own. A step is a step of one of them.
type Group struct {
	parts   []*System
	names   []string
	kernels []*kernel.Kernel
	ms      []*drive.Machine
	marks   [][]vm.Mark // of all machines, one list for each mark of the group
	base    []byte      // the kernels' key in the initial state
	buf     []byte
	last    int // who moved last
	waits   []mem.Ptr
	kinds   []int    // by process: see runOf
	several []bool   // by process: whether others are alike
	fresh   [][]byte // what keys tell of each at the start

	reduction *reduction
}

// A Member is a program of a group.
type Member struct {
	Name    string // of the process, for stories
	Program *bytecode.Program
	Process Process
}

// maxMembers and maxActors bound what a step can say.
const (
	maxMembers = 32
	actorBits  = 10
	groupClock = 1<<actorBits - 1
)

// keyless hides that a rewinder has a key.
type keyless struct{ vm.Rewinder }

// NewGroup starts programs side by side.
func NewGroup(members []Member, s Settings) (*Group, error) {
	if len(members) > maxMembers {
		return nil, diag.Usagef("%d programs: at most %d can be checked together", len(members), maxMembers)
	}
	g := &Group{reduction: newReduction(s.Known.Guesses)}
	for i, member := range members {
		p := member.Process
		p.number, p.kind, p.joined, p.reduction = i, kindOf(members, i), true, g.reduction
		if i > 0 {
			p.beside = g.kernels[0]
		}
		sys, err := NewSystem(member.Program, p, s)
		if err != nil {
			g.Close()
			return nil, err
		}
		g.parts, g.names, g.ms = append(g.parts, sys), append(g.names, member.Name), append(g.ms, sys.m)
		g.kernels, g.kinds = append(g.kernels, sys.m.Host.(*kernel.Kernel)), append(g.kinds, runOf(members, i))
	}
	for i, m := range g.ms {
		m.Disturbed(nil)
		g.ended(i)
	}
	for i, kind := range g.kinds {
		g.several = append(g.several, slices.Index(g.kinds, kind) != i || slices.Contains(g.kinds[i+1:], kind))
		g.fresh = append(g.fresh, g.appendPart(nil, i))
	}
	g.base = kernel.AppendKeys(nil, g.kernels...)
	g.Save()
	return g, nil
}

// Close returns the memory of all machines to the host.
func (g *Group) Close() error {
	for _, p := range g.parts {
		p.Close()
	}
	return nil
}

// Reset goes to the initial state.
func (g *Group) Reset() {
	g.Restore(0)
	for _, p := range g.parts {
		p.atStart = true
		p.story.reset()
		p.variables.forget()
		p.things.forget()
	}
}

// groupStep makes a step of the group of one of a machine.
func groupStep(part, who, alt int) lts.Step {
	if who == drive.ClockStep {
		who = groupClock
	}
	return stepOf(part<<actorBits|who, alt)
}

// split returns the machine, its goroutine and the alternative of a step.
func (g *Group) split(s lts.Step) (part, who, alt int) {
	who, alt = splitStep(s)
	part, who = who>>actorBits, who&groupClock
	if who == groupClock {
		who = drive.ClockStep
	}
	return part, who, alt
}

// Enabled appends the steps that can be taken.
func (g *Group) Enabled(dst []lts.Step) []lts.Step {
	if g.Beyond() != nil {
		return dst
	}
	for _, j := range g.reduction.enabled(g.ms) {
		dst = append(dst, groupStep(j.machine, j.Who, j.Alt))
	}
	return dst
}

// Reduced appends steps that are enough to follow.
func (g *Group) Reduced(dst []lts.Step) []lts.Step {
	if g.Beyond() != nil {
		return dst
	}
	for _, j := range g.firstAlike(g.reduction.reduced(g.ms)) {
		dst = append(dst, groupStep(j.machine, j.Who, j.Alt))
	}
	return dst
}

// Take takes a step.
func (g *Group) Take(s lts.Step) lts.Label {
	part, who, alt := g.split(s)
	before := g.kernels[part].Changes()
	g.stay(part)
	var l lts.Label
	g.timed(part, who, func() { l = g.parts[part].Take(stepOf(who, alt)) })
	g.moved(part, before)
	return g.label(part, l)
}

// timed has a step be taken. If it moves the clock of one process, it moves those of all, unless time passes at
// any moment in any case.
func (g *Group) timed(part, who int, take func()) {
	if who != drive.ClockStep {
		take()
		return
	}
	m := g.ms[part]
	busy, now := anybodyRuns(g.ms), m.Now()
	m.OthersRun(busy)
	take()
	if moved := m.Now() - now; m.Bounded() {
		for i, o := range g.ms {
			if i != part {
				o.Elapse(moved, min(moved, m.Passed()), busy)
			}
		}
	}
}

// moved tells the other processes what a step of one of them has done to them.
func (g *Group) moved(part int, before uint64) {
	g.last = part
	g.ended(part)
	k := g.kernels[part]
	g.waits = g.waits[:0]
	for _, key := range k.Abroad() {
		g.waits = append(g.waits, mem.Ptr(key))
	}
	if k.Changes() == before {
		return
	}
	for i, m := range g.ms {
		if i != part {
			m.Disturbed(g.waits)
		}
	}
}

// ended closes what a process has left open that has ended.
func (g *Group) ended(part int) {
	if g.ms[part].Exit() != nil {
		g.kernels[part].Exit()
	}
}

// Save marks the current state.
func (g *Group) Save() lts.Mark {
	list := make([]vm.Mark, len(g.ms))
	for i, m := range g.ms {
		list[i] = m.Mark()
	}
	g.marks = append(g.marks, list)
	return lts.Mark(len(g.marks) - 1)
}

// Restore goes back to a mark.
func (g *Group) Restore(m lts.Mark) {
	g.marks = g.marks[:m+1]
	for i := len(g.ms) - 1; i >= 0; i-- {
		g.ms[i].Restore(g.marks[m][i])
		g.parts[i].atStart = false
	}
}

// AppendKey appends the canonical encoding of the state.
func (g *Group) AppendKey(dst []byte) []byte {
	for _, m := range g.ms {
		at := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		dst = m.AppendKey(dst)
		binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at))
	}
	if g.buf = kernel.AppendKeys(g.buf[:0], g.kernels...); !bytes.Equal(g.buf, g.base) {
		dst = append(dst, g.buf...)
	}
	return dst
}

const partShift = 57

func (g *Group) label(part int, l lts.Label) lts.Label { return l | lts.Label(part)<<partShift }

// LabelText names a label by process, function and line.
func (g *Group) LabelText(l lts.Label) string {
	part := int(l >> partShift & (maxMembers - 1))
	return g.names[part] + " " + g.parts[part].LabelText(l&^(lts.Label(maxMembers-1)<<partShift))
}

// Actor returns the goroutine of a step.
func (g *Group) Actor(s lts.Step) int {
	who, _ := splitStep(s)
	return who
}

// Mover returns who moved last.
func (g *Group) Mover() int {
	who := g.ms[g.last].Mover()
	switch who {
	case -1:
		return -1
	case drive.ClockStep:
		who = groupClock
	}
	return g.last<<actorBits | who
}

// InLibrary reports whether a goroutine stands in the standard library.
func (g *Group) InLibrary(who int) bool {
	if who < 0 {
		return false
	}
	return g.ms[who>>actorBits].InLibrary(who & (1<<actorBits - 1))
}

// Individual returns the process and the number of a step's goroutine, 0 for the clock.
func (g *Group) Individual(s lts.Step) (who uint64, outside bool) {
	part, i, _ := g.split(s)
	who, outside = individual(g.ms[part], i)
	return memberOf(part, who), outside
}

// Work returns how much was executed in all processes.
func (g *Group) Work() (n int64) {
	for _, m := range g.ms {
		n += m.Work()
	}
	return n
}

// Final reports that nothing more is expected: deadlocks are findings.
func (g *Group) Final() bool { return true }

// Met returns whom the programs have met.
func (g *Group) Met() *kernel.Met {
	all := new(kernel.Met)
	for _, p := range g.parts {
		if m := p.Met(); m != nil {
			all.Add(m)
		}
	}
	return all
}

// MetThings returns what one of the programs has met that bounds are about.
func (g *Group) MetThings() (met drive.Met) {
	for _, p := range g.parts {
		met |= p.MetThings()
	}
	return met
}

// Outcomes returns how runs of the programs have gone, in their own words.
func (g *Group) Outcomes() map[string]bool {
	all := make(map[string]bool)
	for _, p := range g.parts {
		maps.Copy(all, p.Outcomes())
	}
	return all
}

// Asked reports whether one of the programs has asked for signals in some state, and whether for all there are.
func (g *Group) Asked() (some, all bool) {
	for _, p := range g.parts {
		s, a := p.Asked()
		some, all = some || s, all || a
	}
	return some, all
}

// Beyond returns why one of the programs cannot be followed.
func (g *Group) Beyond() error {
	for _, p := range g.parts {
		if err := p.Beyond(); err != nil {
			return err
		}
	}
	return nil
}

// Found returns what turned out about guesses and views, nil if nothing did. Objects of
// different processes with one number are not told apart: to guess less does no harm.
func (g *Group) Found() *Found {
	var unfit drive.Views
	for _, m := range g.ms {
		unfit = unfit.Or(m.Unfit())
	}
	return newFound(g.reduction.found, unfit, g.MetThings().Has(drive.MetLate))
}

// CheckState appends what is wrong with the current state.
func (g *Group) CheckState(dst []diag.Finding) []diag.Finding {
	still := true
	for _, m := range g.ms {
		still = still && len(m.Steps()) == 0
	}
	circling := !still && g.circles()
	for i, p := range g.parts {
		n := len(dst)
		if p.atStart {
			dst = append(dst, p.first...)
		}
		if p.settings.Differ {
			p.sampler.sample(p)
		}
		if e := p.m.Exit(); e != nil {
			dst = p.exitFinding(dst, e)
		} else {
			dst = p.stuckFindings(dst, still)
			if circling {
				dst = p.circleFinding(dst)
			}
		}
		dst = p.brokenFindings(dst, still)
		g.sign(i, dst[n:])
	}
	return dst
}

// CheckStep appends what was wrong with the step just taken.
func (g *Group) CheckStep(dst []diag.Finding) []diag.Finding {
	n := len(dst)
	dst = g.parts[g.last].CheckStep(dst)
	g.sign(g.last, dst[n:])
	return dst
}

// sign says of which process findings are.
func (g *Group) sign(part int, list []diag.Finding) {
	for i := range list {
		list[i].Message = g.names[part] + ": " + list[i].Message
	}
}

// Stacks tells where the sides of a race came from.
func (g *Group) Stacks(f diag.Finding) []lts.Stack {
	for i, p := range g.parts {
		message, own := strings.CutPrefix(f.Message, g.names[i]+": ")
		if !own || i != g.last && !p.atStart {
			continue
		}
		part := f
		part.Message = message
		if list := p.Stacks(part); list != nil {
			for k := range list {
				list[k].Actor = g.name(i, list[k].Actor)
			}
			return list
		}
	}
	return nil
}

// Describe takes a step and tells what happened.
func (g *Group) Describe(s lts.Step) lts.Event {
	part, who, alt := g.split(s)
	before := g.kernels[part].Changes()
	g.stay(part)
	var e lts.Event
	var kept []string
	if who == drive.ClockStep {
		for i, p := range g.parts {
			for _, name := range p.runners() {
				kept = append(kept, g.name(i, name))
			}
		}
	}
	g.timed(part, who, func() { e = g.parts[part].Describe(stepOf(who, alt)) })
	things, _ := g.ms[part].TouchedOutside()
	e = g.told(part, e)
	e.Kept = kept
	for _, x := range things { // of other processes
		if n := int(x.Process); n < 0 || n >= len(g.parts) || x.Ptr == 0 {
			e.Touched = append(e.Touched, lts.Touch{Thing: outside, Write: true})
		} else {
			p := g.parts[n]
			e.Touched = append(e.Touched, lts.Touch{Thing: g.name(n, p.story.name(p.thing(x.Ptr), "something")), Write: true})
		}
	}
	g.moved(part, before)
	return e
}

// told says of which process an event is.
func (g *Group) told(part int, e lts.Event) lts.Event {
	own := e.Actor
	e.Actor = g.name(part, own)
	for i := range e.Messages {
		if m := &e.Messages[i]; m.From == own {
			m.From = e.Actor
		} else if m.To == own {
			m.To = e.Actor
		}
	}
	for i := range e.Touched {
		if e.Touched[i].Thing != outside { // that is the same for all
			e.Touched[i].Thing = g.name(part, e.Touched[i].Thing)
		}
	}
	for i := range e.Changed {
		e.Changed[i].Name = g.name(part, e.Changed[i].Name)
	}
	return e
}

func (g *Group) name(part int, text string) string { return g.names[part] + "/" + text }

// Waiting tells of the goroutines that cannot move what they wait for.
func (g *Group) Waiting() []lts.Waiting {
	var list []lts.Waiting
	for i, p := range g.parts {
		for _, w := range p.Waiting() {
			w.Actor = g.name(i, w.Actor)
			for k := range w.Releasers {
				w.Releasers[k] = g.name(i, w.Releasers[k])
			}
			list = append(list, w)
		}
	}
	return list
}

// Differences tells which variables make states differ.
func (g *Group) Differences() []Varying {
	var list []Varying
	for i, p := range g.parts {
		for _, v := range p.Differences() {
			v.Name = g.name(i, v.Name)
			list = append(list, v)
		}
	}
	slices.SortStableFunc(list, func(a, b Varying) int { return int(b.Values - a.Values) })
	return list
}

// Covered calls yield for each place that was executed in one of the programs.
func (g *Group) Covered(yield func(file string, line, col int, count int64)) {
	for _, p := range g.parts {
		p.Covered(yield)
	}
}

// MemberNames returns names for processes: the last parts of their packages' paths,
// numbered where they are the same.
func MemberNames(packages []string) []string {
	count, used := map[string]int{}, map[string]int{}
	for _, p := range packages {
		count[p]++
	}
	names := make([]string, len(packages))
	for i, p := range packages {
		names[i] = p
		if count[p] > 1 {
			used[p]++
			names[i] = fmt.Sprintf("%s.%d", p, used[p])
		}
	}
	return names
}

// Before tells what went over connections before the initial state.
func (g *Group) Before() []lts.Event {
	var list []lts.Event
	for i, p := range g.parts {
		for _, e := range p.Before() {
			list = append(list, g.told(i, e))
		}
	}
	return list
}

// Held reports whether time stands still here only because somebody can run.
func (g *Group) Held() bool {
	g.reduction.enabled(g.ms)
	return g.reduction.held
}

// Runners returns who can run, by the functions that they were started with.
func (g *Group) Runners() (set uint64) {
	for i, m := range g.ms {
		set |= bits.RotateLeft64(m.Runners(), i)
	}
	return set
}

// Moved returns who has moved in the last step.
func (g *Group) Moved() uint64 { return bits.RotateLeft64(g.ms[g.last].Moved(), g.last) }

// Circles is told that time can stand still forever so.
func (g *Group) Circles() { g.ms[0].Circles() }

// Halted reports whether one of the systems has given up in the middle of a step.
func (g *Group) Halted() bool {
	return slices.ContainsFunc(g.parts, (*System).Halted)
}
