package cert

import (
	"encoding/binary"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/zeebo/xxh3"
)

// Sums are over all transitions, in any order, so those of parts add up to those
// of the whole. They tie a script to one graph: what each transition is called and
// where it leads. A transition is known by its source and by which of its steps it
// is.
type Sums struct {
	Blocks uint32 // how many transitions there are in each block: see Reader.BlockSum
	Fresh  uint32 // names of transitions that lead to new states
	Seen   uint32 // names of the others
	States uint32 // numbers of the states that the others lead to
}

// A Name is a hash of what a transition is called: its step, whose it is and the
// text of its label.
type Name uint64

// MakeName returns the name of a transition. The actor is -1 if the system does
// not tell.
func MakeName(step lts.Step, actor int, text uint64) Name {
	return Name(mix(mix(text, uint64(step)), uint64(actor)))
}

// TextHash hashes the text of a label.
func TextHash(text string) uint64 { return xxh3.HashString(text) }

// AddFresh adds a transition to a new state, after so many events.
func (s *Sums) AddFresh(source uint32, index int, name Name, events uint64) {
	s.Blocks += weight(blockOf(events))
	s.Fresh += uint32(mix(place(source, index), uint64(name)) >> 32)
}

// AddSeen adds a transition to a state that was found before. Where it leads to is
// added by AddState.
func (s *Sums) AddSeen(source uint32, index int, name Name, events uint64) {
	s.Blocks += weight(blockOf(events))
	s.Seen += uint32(mix(place(source, index), uint64(name)) >> 32)
}

// AddState adds where transitions lead to, by the sum of their factors.
func (s *Sums) AddState(factors, state uint32) { s.States += factors * state }

// Factor returns the factor of a transition.
func Factor(source uint32, index int) uint32 { return uint32(place(source, index)>>32) | 1 }

// Add adds the sums of a part.
func (s *Sums) Add(o Sums) {
	s.Blocks += o.Blocks
	s.Fresh += o.Fresh
	s.Seen += o.Seen
	s.States += o.States
}

func place(source uint32, index int) uint64 {
	return mix(mix(0x68656464, uint64(source)), uint64(index))
}

func weight(block uint64) uint32 { return uint32(mix(0x6c650001, block)>>32) | 1 }

// written returns the sums that a certificate has of a script. How many transitions there
// are in each block the script tells itself, and a tree has none but those to new states.
func (s *Sums) written(k Kind) []*uint32 {
	if k == Tree {
		return []*uint32{&s.Fresh}
	}
	return []*uint32{&s.Fresh, &s.Seen, &s.States}
}

func (s *Sums) append(dst []byte, k Kind) []byte {
	for _, x := range s.written(k) {
		dst = binary.LittleEndian.AppendUint32(dst, *x)
	}
	return dst
}

// read reads sums and returns what follows, nil if there is less.
func (s *Sums) read(data []byte, k Kind) []byte {
	for _, x := range s.written(k) {
		if len(data) < 4 {
			return nil
		}
		*x = binary.LittleEndian.Uint32(data)
		data = data[4:]
	}
	return data
}
