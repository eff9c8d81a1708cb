// Package stateset remembers which states a search has visited.
//
// A search hands over a state's key and gets back whether it is new. What a set
// keeps of a key is its digest: the whole key ([Exact], for tests), 128 bits of
// hash in memory ([Fingerprints]) or on disk ([Disk]), or a few bits ([Bitstate],
// for searches that are not meant to be complete).
//
//	key ──Digest──► 16 bytes ──Add──► new?
//	                   │
//	   shard (top bits), place in it (the rest): flat tables, off the Go heap
//	                   │  when memory runs out
//	                   └──► sorted runs on disk, a filter of each in memory
//
// With n states, two of them share a fingerprint with a probability of about
// n²/2^129: 10^-19 for ten billion states. The package knows nothing about
// states or searches. All sets are safe for concurrent use, unless told that they
// need not be.
package stateset

import (
	"encoding/binary"
	"io"

	"github.com/zeebo/xxh3"
)

// A Set is a set of digests.
type Set interface {
	// Digest appends what the set keeps of a key.
	Digest(dst, key []byte) []byte
	// Has reports whether a digest was added.
	Has(digest []byte) bool
	// Add adds a digest and reports whether it was not there before. Of several
	// that add one digest at the same time, one is told that it is new.
	Add(digest []byte) bool
	// Len returns the number of digests that were new.
	Len() int64
	// Bytes returns the memory in use.
	Bytes() int64
	// Lossy reports whether Add may have said that a new state is old, other
	// than by a collision of 128 bits. What a search with a lossy set has not
	// found may still exist.
	Lossy() bool
	// Err returns the first failure of the disk, after which the set is lossy
	// or grows in memory. It is nil for sets in memory.
	Err() error
	// WriteTo writes the set's contents, in an order that depends on them alone.
	WriteTo(w io.Writer) (int64, error)
	// ReadFrom adds the contents that a set of the same kind wrote; Disk and
	// Fingerprints are of one kind. It reads not one byte further.
	ReadFrom(r io.Reader) (int64, error)
	// Close gives back memory and files. The set must not be used afterwards.
	Close() error
}

// A fingerprint is a 128-bit hash. The zero fingerprint stands for an empty
// place in tables, so no key has it.
type fingerprint struct{ hi, lo uint64 }

// fingerprintSize is the length of a digest that is a fingerprint.
const fingerprintSize = 16

func hash(key []byte) fingerprint {
	u := xxh3.Hash128(key)
	if u.Hi == 0 && u.Lo == 0 {
		return fingerprint{0, 1}
	}
	return fingerprint{u.Hi, u.Lo}
}

func (f fingerprint) less(g fingerprint) bool {
	return f.hi < g.hi || f.hi == g.hi && f.lo < g.lo
}

// append writes the fingerprint so that bytes order like fingerprints.
func (f fingerprint) append(dst []byte) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(dst, f.hi), f.lo)
}

func fingerprintOf(digest []byte) fingerprint {
	_ = digest[15]
	return fingerprint{binary.BigEndian.Uint64(digest), binary.BigEndian.Uint64(digest[8:])}
}
