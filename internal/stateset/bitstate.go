package stateset

import (
	"errors"
	"io"
	"sync/atomic"
)

// Bitstate is Holzmann's bit-state hashing: three bits of a fixed array for each
// state, and an ever larger chance, as it fills, that a new state is taken for
// an old one. It serves swarms of searches, each of which sees other states.
type Bitstate struct {
	words []uint64
	n     atomic.Int64
}

const bitsPerState = 3

// NewBitstate returns an empty set that never takes more than that many bytes.
func NewBitstate(bytes int64) *Bitstate {
	return &Bitstate{words: newPages[uint64](int(max(bytes/8, 1)))}
}

// Digest appends the fingerprint of a key.
func (b *Bitstate) Digest(dst, key []byte) []byte { return hash(key).append(dst) }

// bit returns word and mask of the i-th bit of a state.
func (b *Bitstate) bit(f fingerprint, i uint64) (*uint64, uint64) {
	h := f.hi + i*f.lo
	return &b.words[h/64%uint64(len(b.words))], 1 << (h % 64)
}

// Has reports whether all bits of a state are set.
func (b *Bitstate) Has(digest []byte) bool {
	f := fingerprintOf(digest)
	for i := range uint64(bitsPerState) {
		if word, mask := b.bit(f, i); atomic.LoadUint64(word)&mask == 0 {
			return false
		}
	}
	return true
}

// Add sets the bits of a state.
func (b *Bitstate) Add(digest []byte) bool {
	f, added := fingerprintOf(digest), false
	for i := range uint64(bitsPerState) {
		word, mask := b.bit(f, i)
		if atomic.OrUint64(word, mask)&mask == 0 {
			added = true
		}
	}
	if added {
		b.n.Add(1)
	}
	return added
}

// Len returns the number of states that were told apart.
func (b *Bitstate) Len() int64 { return b.n.Load() }

// Bytes returns the size of the array.
func (b *Bitstate) Bytes() int64 { return int64(len(b.words)) * 8 }

// Lossy reports whether anything was added: from then on it may be.
func (b *Bitstate) Lossy() bool { return b.n.Load() > 0 }

// Err returns nil.
func (b *Bitstate) Err() error { return nil }

// Close frees the array.
func (b *Bitstate) Close() error {
	freePages(b.words)
	b.words = nil
	return nil
}

var errBitstate = errors.New("visited states: a bit-state set cannot be saved")

// WriteTo refuses: what was dropped could not be told after resuming.
func (b *Bitstate) WriteTo(io.Writer) (int64, error) { return 0, errBitstate }

// ReadFrom refuses.
func (b *Bitstate) ReadFrom(io.Reader) (int64, error) { return 0, errBitstate }
