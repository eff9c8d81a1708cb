package state

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
)

const noLabel = ^uint32(0)

// labels are the multi-actions that were seen, each once.
type labels struct {
	actions []*spec.Action
	numbers map[string]int // of actions, by name and sorts
	wanted  map[string]bool
	list    []label
	known   map[string]uint32
	buf     []byte
	parts   []part
}

type label struct {
	parts     []part
	timed     bool
	time      data.Value
	text      string
	forbidden bool
	at        diag.Pos
}

// A part is an action with its arguments.
type part struct {
	action int
	args   []data.Value
	key    []byte
}

func (l *labels) start(p *spec.LPS, names []string) {
	l.numbers, l.known, l.wanted = map[string]int{}, map[string]uint32{}, map[string]bool{}
	for _, n := range names {
		l.wanted[n] = true
	}
	for _, a := range p.Actions {
		l.action(a)
	}
}

// action returns the number of an action.
func (l *labels) action(a *spec.Action) int {
	key := a.Name
	for _, s := range a.Args {
		key += "#" + s.String()
	}
	n, ok := l.numbers[key]
	if !ok {
		n = len(l.actions)
		l.actions = append(l.actions, a)
		l.numbers[key] = n
	}
	return n
}

// of returns the number of the label that a summand has for the values of the
// frame. The order of the actions in it does not matter.
func (l *labels) of(s *System, c *summand) uint32 {
	l.parts = l.parts[:0]
	for _, k := range c.calls {
		p := part{action: k.action, args: make([]data.Value, len(k.args))}
		for i, x := range k.args {
			p.args[i] = x.Value(s.frame)
		}
		if len(c.calls) > 1 {
			for _, v := range p.args {
				p.key = s.engine.AppendKey(p.key, v)
			}
		}
		l.parts = append(l.parts, p)
	}
	if len(l.parts) > 1 {
		slices.SortFunc(l.parts, func(a, b part) int {
			return cmp.Or(strings.Compare(l.actions[a.action].Name, l.actions[b.action].Name),
				cmp.Compare(a.action, b.action), bytes.Compare(a.key, b.key))
		})
	}
	l.buf = l.buf[:0]
	for _, p := range l.parts {
		l.buf = binary.AppendUvarint(l.buf, uint64(p.action))
		for _, v := range p.args {
			l.buf = binary.LittleEndian.AppendUint64(l.buf, uint64(v))
		}
	}
	var time data.Value
	if c.time != nil {
		time = c.time.Value(s.frame)
		l.buf = binary.AppendUvarint(l.buf, math.MaxUint64) // no action has that number
		l.buf = binary.LittleEndian.AppendUint64(l.buf, uint64(time))
	}
	n, ok := l.known[string(l.buf)]
	if !ok {
		n = uint32(len(l.list))
		x := label{parts: slices.Clone(l.parts), timed: c.time != nil, time: time, at: c.at}
		for _, p := range l.parts {
			x.forbidden = x.forbidden || l.wanted[l.actions[p.action].Name]
		}
		l.list = append(l.list, x)
		l.known[string(l.buf)] = n
	}
	return n
}

func (l *labels) forbidden(n uint32) bool { return len(l.wanted) > 0 && l.list[n].forbidden }

// AppendLabelKey appends what tells a label from others, the same in all systems of a
// process.
func (s *System) AppendLabelKey(dst []byte, n lts.Label) []byte {
	x := &s.labels.list[n]
	var key []byte
	value := func(v data.Value) {
		key = s.engine.AppendKey(key[:0], v)
		dst = append(binary.AppendUvarint(dst, uint64(len(key))), key...)
	}
	for _, p := range x.parts {
		dst = binary.AppendUvarint(dst, uint64(p.action))
		for _, v := range p.args {
			value(v)
		}
	}
	if x.timed {
		dst = binary.AppendUvarint(dst, math.MaxUint64) // no action has that number
		value(x.time)
	}
	return dst
}

// LabelText returns a multi-action in mCRL2 syntax.
func (s *System) LabelText(n lts.Label) string {
	x := &s.labels.list[n]
	if x.text == "" {
		x.text = s.textOf(x)
	}
	return x.text
}

func (s *System) textOf(x *label) string {
	var b strings.Builder
	if len(x.parts) == 0 {
		b.WriteString("tau")
	}
	for i, p := range x.parts {
		if i > 0 {
			b.WriteByte('|')
		}
		a := s.labels.actions[p.action]
		b.WriteString(a.Name)
		for k, v := range p.args {
			b.WriteString([...]string{"(", ", "}[min(k, 1)])
			b.WriteString(s.engine.Format(v, a.Args[k]))
		}
		if len(p.args) > 0 {
			b.WriteByte(')')
		}
	}
	if x.timed {
		b.WriteString(" @ " + s.engine.Format(x.time, s.lps.Sorts.Basic(spec.Real)))
	}
	return b.String()
}
