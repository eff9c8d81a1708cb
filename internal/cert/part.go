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
	// Way has the states from the start to where the part begins, but for the first Base of them, to which
	// the part does not come back: then Short leads to the first one by a shorter way. The last one
	// has no Index.
	Way   []Way
	Base  int
	Short lts.Path
	// First is the number that the first new state gets.
	First uint32
	// Last says that all transitions of the start are done at the end.
	Last        bool
	Transitions uint64 // in it, to within a block
	events      []byte
}

// A Way is a state on the way to a part.
type Way struct {
	State uint32
	Done  uint32 // steps that other parts have done, with the next one
	Index uint32 // of the step to the next state
	// Choice is that of the state, if other parts have done some of its steps.
	Choice Choice
}

// Steps returns how many steps lead to where it begins.
func (p *Part) Steps() int { return len(p.Short) + len(p.Way) - 1 }

// Starts reports whether it begins with the start of the script.
func (p *Part) Starts() bool { return p.Base == 0 && len(p.Way) == 1 && p.Way[0].Done == 0 }

// add appends an event: a number that is even if its choice is Reduced, and half of it
// is 0 for Back, 1 for Skip, which has a number of states, and more for Fresh.
func (p *Part) add(e Event) {
	x := uint64(0)
	switch e.Op {
	case Skip:
		x = 1
	case Fresh:
		x = uint64(e.Index) + 2
	}
	p.events = binary.AppendUvarint(p.events, x<<1|uint64(e.Choice))
	if e.Op == Skip {
		p.events = binary.AppendUvarint(p.events, uint64(e.State))
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

// Next returns the next event; the end is io.EOF. States of events Back are not
// told.
func (r *PartEvents) Next() (Event, error) {
	if len(r.data) == 0 {
		return Event{}, io.EOF
	}
	cut := cutter{r.data}
	var e Event
	x := cut.number()
	choice := Choice(x & 1)
	switch x >>= 1; x {
	case 0:
		e.Op = Back
	case 1:
		e.Op = Skip
		if x = cut.number(); x > math.MaxUint32 {
			cut.data = nil
		}
		e.State = uint32(x)
		r.next += e.State
	default:
		if x-2 >= maxSteps {
			cut.data = nil
		}
		e = Event{Op: Fresh, Index: int(x-2) & (maxSteps - 1), State: r.next}
		r.next++
	}
	if cut.data == nil {
		return Event{}, fmt.Errorf("part %d: an event is damaged", r.p.Number)
	}
	r.data = cut.data
	e.Choice = choice
	return e, nil
}

// Append encodes a part, to be sent to another process.
func (p *Part) Append(dst []byte) []byte {
	var b []byte
	b = binary.AppendUvarint(b, uint64(p.Number))
	b = binary.AppendUvarint(b, uint64(len(p.Way)))
	for _, w := range p.Way {
		b = binary.AppendUvarint(b, uint64(w.State))
		b = binary.AppendUvarint(b, uint64(w.Done))
		b = binary.AppendUvarint(b, uint64(w.Index)<<1|uint64(w.Choice))
	}
	b = binary.AppendUvarint(b, uint64(p.Base))
	b = p.Short.AppendBinary(b)
	b = binary.AppendUvarint(b, uint64(p.First))
	b = binary.AppendUvarint(b, uint64(boolInt(p.Last)|boolInt(p.Kind == Tree)<<1))
	b = binary.AppendUvarint(b, p.Transitions)
	return append(dst, pack(append(b, p.events...))...)
}

// unpackedSize is how many bytes of Append there are before they are packed, or more.
func (p *Part) unpackedSize() int64 {
	return int64(64 + 30*len(p.Way) + 10*len(p.Short) + len(p.events))
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ReadPart decodes a part.
func ReadPart(data []byte) (*Part, error) {
	raw, err := unpack(data, maxPart)
	if err != nil {
		return nil, err
	}
	return cutPart(raw)
}

// cutPart reads what is unpacked.
func cutPart(raw []byte) (_ *Part, err error) {
	cut := cutter{raw}
	p := &Part{Number: int(cut.number() & math.MaxInt32)}
	for n := cut.number(); n > 0 && cut.data != nil; n-- {
		w := Way{State: uint32(cut.number()), Done: uint32(cut.number())}
		x := cut.number()
		w.Index, w.Choice = uint32(x>>1), Choice(x&1)
		p.Way = append(p.Way, w)
	}
	base := cut.number()
	if p.Base = int(base); base > maxDepth {
		cut.data = nil
	}
	p.Short, cut.data, err = lts.CutPath(cut.data)
	if err != nil {
		return nil, fmt.Errorf("the way to a part is damaged: %v", err)
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
	p.events = slices.Clone(cut.data)
	return p, nil
}
