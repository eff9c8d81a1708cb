package certcheck

import (
	"fmt"
	"slices"

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
	h := xxh3.Hash128Seed(f.key, f.seed)
	if h.Hi == 0 && h.Lo == 0 {
		h.Lo = 1
	}
	return fingerprint{h.Hi, h.Lo}
}

// notes are the fingerprints of states by their numbers: the map FP of paper 002.
// It is in pieces, so that it grows without being copied, and parts that know few
// states have few pieces.
type notes struct {
	pieces []*[piece]fingerprint
}

const piece = 256

func (n *notes) get(state uint32) fingerprint {
	if i := int(state / piece); i < len(n.pieces) && n.pieces[i] != nil {
		return n.pieces[i][state%piece]
	}
	return fingerprint{}
}

func (n *notes) set(state uint32, f fingerprint) {
	i := int(state / piece)
	if i >= len(n.pieces) {
		n.pieces = append(n.pieces, make([]*[piece]fingerprint, i+1-len(n.pieces))...)
	}
	if n.pieces[i] == nil {
		n.pieces[i] = new([piece]fingerprint)
	}
	n.pieces[i][state%piece] = f
}

// agree notes a fingerprint and reports whether it is the one that was noted
// before, if there was one.
func (n *notes) agree(state uint32, f fingerprint) bool {
	old := n.get(state)
	if old == (fingerprint{}) {
		n.set(state, f)
		return true
	}
	return old == f
}

// all calls yield for each state, in their order.
func (n *notes) all(yield func(state uint32, f fingerprint) bool) {
	for i, p := range n.pieces {
		if p == nil {
			continue
		}
		for j, f := range p {
			if f != (fingerprint{}) && !yield(uint32(i*piece+j), f) {
				return
			}
		}
	}
}

// merge takes over the notes of a part. All states that two parts know have to
// have one fingerprint.
func (n *notes) merge(part int, o *notes) error {
	var differ []uint32
	o.all(func(state uint32, f fingerprint) bool {
		if !n.agree(state, f) {
			differ = append(differ, state)
		}
		return len(differ) < 8
	})
	if len(differ) > 0 {
		return &Deviation{Reason: Disagreement, States: differ, Text: fmt.Sprintf(
			"what part %d and others came to under one number are different states: %d", part, differ)}
	}
	return nil
}

// distinct looks for two numbers with one fingerprint. A script that calls a
// state new which is not shows more states than there are. Numbers are put into
// buckets by the topmost bits of their fingerprints, and these are sorted.
func (n *notes) distinct() error {
	const buckets = 1 << 16
	starts := make([]uint32, buckets+1)
	total := 0
	n.all(func(_ uint32, f fingerprint) bool {
		starts[f.hi>>48+1]++
		total++
		return true
	})
	for i := range buckets {
		starts[i+1] += starts[i]
	}
	order := make([]uint32, total)
	at := slices.Clone(starts)
	n.all(func(state uint32, f fingerprint) bool {
		order[at[f.hi>>48]] = state
		at[f.hi>>48]++
		return true
	})
	var first, second uint32
	for b := range buckets {
		list := order[starts[b]:starts[b+1]]
		slices.SortFunc(list, func(x, y uint32) int {
			f, g := n.get(x), n.get(y)
			switch {
			case f.hi != g.hi:
				return below(f.hi, g.hi)
			case f.lo != g.lo:
				return below(f.lo, g.lo)
			}
			return below(uint64(x), uint64(y))
		})
		for i := 1; i < len(list); i++ {
			if n.get(list[i-1]) == n.get(list[i]) && (second == 0 || list[i] < second) {
				first, second = list[i-1], list[i]
			}
		}
	}
	if second != 0 {
		return &Deviation{Reason: FalseFresh, States: []uint32{first, second}, Text: fmt.Sprintf("state %d is state %d", second, first)}
	}
	return nil
}

func below(a, b uint64) int {
	if a < b {
		return -1
	}
	return 1
}
