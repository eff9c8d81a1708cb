package trace

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A probe is a System with what it can do beyond the contract.
type probe struct {
	lts.System
	checker   lts.Checker
	finisher  lts.Finisher
	bounded   lts.Bounded
	actors    lts.Actors // nil if it does not tell
	describer lts.Describer
	namer     lts.Namer

	steps []lts.Step
	found []diag.Finding
	hit   diag.Finding // what the last call of shows saw
	texts map[lts.Label]string
	names map[int]string // of actors that are numbered
}

func newProbe(sys lts.System) *probe {
	p := &probe{System: sys, texts: map[lts.Label]string{}, names: map[int]string{}}
	p.checker, _ = sys.(lts.Checker)
	p.finisher, _ = sys.(lts.Finisher)
	p.bounded, _ = sys.(lts.Bounded)
	p.actors, _ = sys.(lts.Actors)
	p.describer, _ = sys.(lts.Describer)
	p.namer, _ = sys.(lts.Namer)
	return p
}

// SameAs returns a function that recognises findings of the kind and position of
// f. Those without a position, and those whose message is the program's own or says what else there is, have to
// have the message, too.
func SameAs(f diag.Finding) func(diag.Finding) bool {
	told := !f.Pos.IsValid() || slices.Contains([]string{"panic", "assert", "race"}, f.Kind)
	return func(g diag.Finding) bool {
		return g.Kind == f.Kind && g.Pos == f.Pos && (!told || plain.Line(g.Message) == plain.Line(f.Message))
	}
}

// shows reports whether one of the findings here is the wanted one: about the
// step just taken, if moved is set, or about the state. As in a search, a state
// without steps that is not final and has no findings of its own is a deadlock.
func (p *probe) shows(same func(diag.Finding) bool, moved bool) bool {
	if p.checker != nil {
		if moved {
			p.found = p.checker.CheckStep(p.found[:0])
			if p.pick(same) {
				return true
			}
		}
		p.found = p.checker.CheckState(p.found[:0])
		if len(p.found) > 0 {
			return p.pick(same)
		}
	}
	if p.steps = p.Enabled(p.steps[:0]); len(p.steps) > 0 {
		return false
	}
	if p.bounded != nil && p.bounded.Beyond() != nil || p.finisher != nil && p.finisher.Final() {
		return false
	}
	p.found = append(p.found[:0], diag.Finding{Kind: "deadlock", Message: "no step is enabled"})
	return p.pick(same)
}

// pick looks for the wanted one among what was found.
func (p *probe) pick(same func(diag.Finding) bool) bool {
	for _, f := range p.found {
		if same(f) {
			p.hit = f
			return true
		}
	}
	return false
}

// describe takes a step and tells it in words. Where the system has none, its
// actors are numbered and the text of the label has to do.
func (p *probe) describe(s lts.Step) lts.Event {
	if p.describer != nil {
		return cleanEvent(p.describer.Describe(s))
	}
	return p.brief(s)
}

// brief does what describe does for a system that has no words of its own, and is as fast as a step.
func (p *probe) brief(s lts.Step) lts.Event {
	e := lts.Event{Actor: p.actorName(s)}
	l := p.Take(s)
	e.Action = p.labelText(l)
	return e
}

// labelText returns the text of a label.
func (p *probe) labelText(l lts.Label) string {
	text, ok := p.texts[l]
	if !ok {
		text = fmt.Sprintf("label %d", l)
		if p.namer != nil {
			text = plain.Line(p.namer.LabelText(l))
		}
		p.texts[l] = text
	}
	return text
}

// actorName returns a name for the actor of a step by its number.
func (p *probe) actorName(s lts.Step) string {
	if p.actors == nil {
		return "system"
	}
	n := p.actors.Actor(s)
	name, ok := p.names[n]
	if !ok {
		name = "actor " + strconv.Itoa(n)
		p.names[n] = name
	}
	return name
}
