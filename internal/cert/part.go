package cert

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A Part is a piece of a script that can be examined by itself: the way from the
// start to where it begins (paper 002, section 3.1.2: the initialization path),
// and its events. The parts of a script have all its transitions, each once.
//
// A part owns the states that its events Fresh lead to.
type Part struct {
	Kind   Kind
	Number int // from 1
	Codes  []Instr
	// Way has the states from the start to where the part begins. The last one
	// has no Code.
	Way []Way
	// First is the number that the first new state gets.
	First uint32
	// Last says that all transitions of the start are done at the end.
	Last        bool
	Transitions uint64 // in it
	events      []byte
	count       int
}

// A Way is a state on the way to a part.
type Way struct {
	State uint32
	Done  uint32 // transitions that other parts have done, with the next one
	Code  int    // of the instruction to the next state
}

// add appends an event.
func (p *Part) add(e Event) {
	p.count++
	p.events = binary.AppendUvarint(p.events, uint64(e.Code)<<2|uint64(e.Op))
	if e.Op == Seen || e.Op == Skip {
		p.events = binary.AppendUvarint(p.events, uint64(e.State))
	}
	if e.Op == Fresh || e.Op == Seen {
		p.Transitions++
	}
}

// Events returns the events of a part, from the first on.
func (p *Part) Events() *PartEvents { return &PartEvents{p: p, data: p.events, next: p.First} }

// PartEvents reads the events of a part one by one.
type PartEvents struct {
	p    *Part
	data []byte
	next uint32
}

// Instr returns the instruction with a number.
func (r *PartEvents) Instr(code int) *Instr { return &r.p.Codes[code] }

// Next returns the next event; the end is io.EOF. States of events Back are not
// told.
func (r *PartEvents) Next() (Event, error) {
	if len(r.data) == 0 {
		return Event{}, io.EOF
	}
	cut := cutter{r.data}
	x := cut.number()
	e := Event{Op: Op(x & 3), Code: int(x >> 2 & math.MaxInt32)}
	if e.Op == Seen || e.Op == Skip {
		s := cut.number()
		if s > math.MaxUint32 {
			cut.data = nil
		}
		e.State = uint32(s)
	}
	switch {
	case cut.data == nil || x>>2 > math.MaxInt32 || (e.Op == Fresh || e.Op == Seen) && e.Code >= len(r.p.Codes):
		return Event{}, fmt.Errorf("part %d: an event is damaged", r.p.Number)
	case e.Op == Fresh:
		e.State = r.next
		r.next++
	case e.Op == Skip:
		r.next += e.State
	}
	r.data = cut.data
	return e, nil
}

// Append encodes a part, to be sent to another process.
func (p *Part) Append(dst []byte) []byte {
	var b []byte
	b = binary.AppendUvarint(b, uint64(p.Number))
	b = binary.AppendUvarint(b, uint64(len(p.Codes)))
	for _, in := range p.Codes {
		b = appendInstr(b, in)
	}
	b = binary.AppendUvarint(b, uint64(len(p.Way)))
	for _, w := range p.Way {
		b = binary.AppendUvarint(b, uint64(w.State))
		b = binary.AppendUvarint(b, uint64(w.Done))
		b = binary.AppendUvarint(b, uint64(w.Code))
	}
	b = binary.AppendUvarint(b, uint64(p.First))
	b = binary.AppendUvarint(b, uint64(boolInt(p.Last)|boolInt(p.Kind == Tree)<<1))
	b = binary.AppendUvarint(b, p.Transitions)
	return append(dst, pack(append(b, p.events...))...)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func appendInstr(b []byte, in Instr) []byte {
	b = binary.AppendUvarint(b, uint64(in.Step))
	b = binary.AppendVarint(b, int64(in.Actor))
	b = binary.AppendUvarint(b, uint64(len(in.Text)))
	return append(b, in.Text...)
}

// instr cuts an instruction; data is nil after an error.
func (c *cutter) instr() Instr {
	step, actor, text := c.number(), c.signed(), c.text(maxText)
	if step > math.MaxUint32 || actor < -1 || actor > math.MaxInt32 {
		c.data = nil
	}
	return Instr{lts.Step(step), int(actor), text}
}

// ReadPart decodes a part.
func ReadPart(data []byte) (*Part, error) {
	raw, err := unpack(data, maxTraffic)
	if err != nil {
		return nil, err
	}
	cut := cutter{raw}
	p := &Part{Number: int(cut.number() & math.MaxInt32)}
	for n := cut.number(); n > 0 && cut.data != nil; n-- {
		p.Codes = append(p.Codes, cut.instr())
	}
	for n := cut.number(); n > 0 && cut.data != nil; n-- {
		w := Way{uint32(cut.number()), uint32(cut.number()), int(cut.number() & math.MaxInt32)}
		p.Way = append(p.Way, w)
	}
	p.First = uint32(cut.number())
	flags := cut.number()
	p.Last, p.Kind = flags&1 != 0, Full
	if flags&2 != 0 {
		p.Kind = Tree
	}
	p.Transitions = cut.number()
	if cut.data == nil || len(p.Way) == 0 {
		return nil, fmt.Errorf("a part is damaged")
	}
	for _, w := range p.Way[:len(p.Way)-1] {
		if w.Code >= len(p.Codes) {
			return nil, fmt.Errorf("part %d: its way is damaged", p.Number)
		}
	}
	p.events = slices.Clone(cut.data)
	return p, nil
}
