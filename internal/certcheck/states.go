package certcheck

import (
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/zeebo/xxh3"
)

// A fingerprint is 128 bits of a state's key. It is never zero.
type fingerprint struct{ hi, lo uint64 }

// A fingerprinter computes fingerprints of the state of a system.
type fingerprinter struct {
	seed uint64
	key  []byte
}

func (f *fingerprinter) of(sys lts.System) fingerprint {
	f.key = sys.AppendKey(f.key[:0])
	return f.hash()
}

// next is of for the state that a step leads to. It reports false if the system does
// not know that one without going there.
func (f *fingerprinter) next(sys lts.Foreseer, s lts.Step) (p fingerprint, ok bool) {
	if f.key, ok = sys.AppendNextKey(f.key[:0], s); ok {
		p = f.hash()
	}
	return p, ok
}

func (f *fingerprinter) hash() fingerprint {
	h := xxh3.Hash128Seed(f.key, f.seed)
	if h.Hi == 0 && h.Lo == 0 {
		h.Lo = 1
	}
	return fingerprint{h.Hi, h.Lo}
}

// states are numbers of states by their fingerprints: the map FP of paper 002, the
// other way round, since a script does not tell where its steps lead to but for new
// states.
type states struct {
	places []numbered // a power of two; number 0 is a free one
	n      int
}

// A numbered is a state and its number.
type numbered struct {
	print fingerprint
	state uint32
}

func (s *states) place(f fingerprint) *numbered {
	mask := uint64(len(s.places) - 1)
	for i := f.lo & mask; ; i = (i + 1) & mask {
		if p := &s.places[i]; p.state == 0 || p.print == f {
			return p
		}
	}
}

// get returns the number of a state, or 0.
func (s *states) get(f fingerprint) uint32 {
	if s.n == 0 {
		return 0
	}
	return s.place(f).state
}

// add gives a state its number, which is not 0. It returns the number that it has
// already, or 0.
func (s *states) add(f fingerprint, state uint32) uint32 {
	if s.n >= len(s.places)/4*3 {
		old := s.places
		s.places = make([]numbered, max(256, 2*len(old)))
		for _, p := range old {
			if p.state != 0 {
				*s.place(p.print) = p
			}
		}
	}
	p := s.place(f)
	if p.state != 0 {
		return p.state
	}
	*p = numbered{f, state}
	s.n++
	return 0
}

// A stranger is a state that a part came to, but that is not one of its own, nor on
// the way to it: some other part has to have it.
type stranger struct {
	print   fingerprint
	factors uint32 // the sum of those of the transitions that lead there
	before  uint32 // its number has to be lower
}

// strangers are found by their fingerprints, and told in the order in which they
// were met.
type strangers struct {
	list  []stranger
	index states // numbers are indices in list, counted from 1
}

// meet notes a transition to a stranger. Of several the first one counts for
// before, since numbers only grow.
func (s *strangers) meet(f fingerprint, factor, before uint32) {
	at := s.index.add(f, uint32(len(s.list)+1))
	if at == 0 {
		s.list = append(s.list, stranger{f, factor, before})
		return
	}
	s.list[at-1].factors += factor
}
