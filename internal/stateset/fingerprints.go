package stateset

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// Fingerprints keeps 128 bits of each key in memory, in 18 to 24 bytes a state
// once there are some thousands. It is made of shards, each with its lock and
// its table: workers seldom meet, and only one small table at a time exists
// twice while it grows.
type Fingerprints struct {
	shards [numShards]shard
	n      atomic.Int64
	places atomic.Int64
	alone  bool // nobody else uses it: no locks
}

// The topmost bits of a fingerprint choose the shard, so shards in their order
// hold fingerprints in theirs.
const (
	shardBits = 8
	numShards = 1 << shardBits
)

type shard struct {
	mu sync.Mutex
	table
	_ [16]byte // a cache line each
}

// NewFingerprints returns an empty set.
func NewFingerprints() *Fingerprints { return &Fingerprints{} }

// Alone says that from now on one goroutine uses the set. It then takes no locks,
// which would keep the processor from looking up the next fingerprint before it
// has found the last one.
func (s *Fingerprints) Alone() { s.alone = true }

// Digest appends the fingerprint of a key.
func (s *Fingerprints) Digest(dst, key []byte) []byte { return hash(key).append(dst) }

// Has reports whether a fingerprint was added.
func (s *Fingerprints) Has(digest []byte) bool { return s.has(fingerprintOf(digest)) }

// Add adds a fingerprint.
func (s *Fingerprints) Add(digest []byte) bool { return s.add(fingerprintOf(digest)) }

func (s *Fingerprints) shard(f fingerprint) *shard { return &s.shards[f.hi>>(64-shardBits)] }

func (s *Fingerprints) has(f fingerprint) bool {
	sh := s.shard(f)
	if s.alone {
		return sh.table.has(f)
	}
	sh.mu.Lock()
	found := sh.table.has(f)
	sh.mu.Unlock()
	return found
}

func (s *Fingerprints) add(f fingerprint) bool {
	sh := s.shard(f)
	if !s.alone {
		sh.mu.Lock()
	}
	before := len(sh.places)
	added := sh.table.add(f)
	grown := len(sh.places) - before
	if !s.alone {
		sh.mu.Unlock()
	}
	if added {
		s.n.Add(1)
		if grown > 0 {
			s.places.Add(int64(grown))
		}
	}
	return added
}

// Len returns the number of fingerprints.
func (s *Fingerprints) Len() int64 { return s.n.Load() }

// Bytes returns the memory of the tables.
func (s *Fingerprints) Bytes() int64 { return s.places.Load() * fingerprintSize }

// Lossy returns false.
func (s *Fingerprints) Lossy() bool { return false }

// Err returns nil.
func (s *Fingerprints) Err() error { return nil }

// Close frees the tables.
func (s *Fingerprints) Close() error {
	for i := range s.shards {
		s.shards[i].free()
	}
	s.n.Store(0)
	s.places.Store(0)
	return nil
}

// sorted calls yield with all fingerprints in their order. Nobody may add any
// meanwhile.
func (s *Fingerprints) sorted(yield func(fingerprint) error) error {
	var buf []fingerprint
	for i := range s.shards {
		buf = s.shards[i].appendAll(buf[:0])
		slices.SortFunc(buf, func(f, g fingerprint) int {
			return cmp.Or(cmp.Compare(f.hi, g.hi), cmp.Compare(f.lo, g.lo))
		})
		for _, f := range buf {
			if err := yield(f); err != nil {
				return err
			}
		}
	}
	return nil
}

// WriteTo writes the number of fingerprints, and the fingerprints in their
// order. Nobody may add any meanwhile.
func (s *Fingerprints) WriteTo(w io.Writer) (int64, error) {
	return writeSorted(w, s.Len(), s.sorted)
}

// ReadFrom adds the fingerprints that WriteTo wrote.
func (s *Fingerprints) ReadFrom(r io.Reader) (int64, error) {
	return readSorted(r, func(f fingerprint) { s.add(f) })
}

func writeSorted(w io.Writer, n int64, each func(func(fingerprint) error) error) (int64, error) {
	b := bufio.NewWriterSize(w, 1<<16)
	b.Write(binary.LittleEndian.AppendUint64(nil, uint64(n))) // Flush tells its error
	written := int64(8)
	var buf [fingerprintSize]byte
	err := each(func(f fingerprint) error {
		n, err := b.Write(f.append(buf[:0]))
		written += int64(n)
		return err
	})
	if err != nil {
		return written, fmt.Errorf("visited states: %w", err)
	}
	if err := b.Flush(); err != nil {
		return written, fmt.Errorf("visited states: %w", err)
	}
	return written, nil
}

func readSorted(r io.Reader, add func(fingerprint)) (int64, error) {
	buf := make([]byte, 1<<12*fingerprintSize)
	if _, err := io.ReadFull(r, buf[:8]); err != nil {
		return 0, fmt.Errorf("visited states: %w", err)
	}
	read := int64(8)
	var last fingerprint
	for left := binary.LittleEndian.Uint64(buf); left > 0; {
		part := buf[:min(left, 1<<12)*fingerprintSize]
		n, err := io.ReadFull(r, part)
		read += int64(n)
		if err != nil {
			return read, fmt.Errorf("visited states: %w", err)
		}
		left -= uint64(len(part) / fingerprintSize)
		for ; len(part) > 0; part = part[fingerprintSize:] {
			f := fingerprintOf(part)
			if !last.less(f) {
				return read, fmt.Errorf("visited states: fingerprints are not in order")
			}
			last = f
			add(f)
		}
	}
	return read, nil
}
