package stateset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// Exact keeps whole keys. It is what the others are tested against.
type Exact struct {
	mu    sync.RWMutex
	keys  map[string]struct{}
	bytes int64
}

// NewExact returns an empty set.
func NewExact() *Exact { return &Exact{keys: make(map[string]struct{})} }

// Digest appends the key.
func (e *Exact) Digest(dst, key []byte) []byte { return append(dst, key...) }

// Has reports whether a key was added.
func (e *Exact) Has(key []byte) bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	_, ok := e.keys[string(key)]
	return ok
}

// Add adds a key.
func (e *Exact) Add(key []byte) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.keys[string(key)]; ok {
		return false
	}
	e.keys[string(key)] = struct{}{}
	e.bytes += int64(len(key)) + 40 // a string header and its share of the map
	return true
}

// Len returns the number of keys.
func (e *Exact) Len() int64 {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return int64(len(e.keys))
}

// Bytes returns an estimate.
func (e *Exact) Bytes() int64 {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.bytes
}

// Lossy returns false.
func (e *Exact) Lossy() bool { return false }

// Err returns nil.
func (e *Exact) Err() error { return nil }

// Close does nothing.
func (e *Exact) Close() error { return nil }

// WriteTo writes the number of keys, and each with its length, in their order.
func (e *Exact) WriteTo(w io.Writer) (int64, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var b bytes.Buffer
	b.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(e.keys))))
	for _, key := range slices.Sorted(maps.Keys(e.keys)) {
		b.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(key))))
		b.WriteString(key)
	}
	return b.WriteTo(w)
}

// ReadFrom adds the keys that WriteTo wrote.
func (e *Exact) ReadFrom(r io.Reader) (int64, error) {
	var head [8]byte
	read := int64(0)
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return read, fmt.Errorf("visited states: %w", err)
	}
	read += 8
	for range binary.LittleEndian.Uint64(head[:]) {
		if _, err := io.ReadFull(r, head[:4]); err != nil {
			return read, fmt.Errorf("visited states: %w", err)
		}
		var key bytes.Buffer
		n, err := io.CopyN(&key, r, int64(binary.LittleEndian.Uint32(head[:])))
		read += 4 + n
		if err != nil {
			return read, fmt.Errorf("visited states: %w", err)
		}
		e.Add(key.Bytes())
	}
	return read, nil
}
