package data

import (
	"bytes"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// A contentHash is a hash of what a term is, whatever its number.
type contentHash struct{ hi, lo uint64 }

// The first byte of a value in a key.
const (
	keySmall = 0xe0 // below this, the number itself
	keyInt   = 0xe0 // plus the number of bytes that follow, little end first, sign extended
	keyTerm  = 0xff // a hash follows
)

// AppendKey appends a value in a form that depends on the value alone: equal
// values have equal keys, and no key is the beginning of another. Terms are
// told by 128 bits of hash, as visited states are.
func (e *Engine) AppendKey(dst []byte, v Value) []byte {
	if v < 2*keySmall && v&1 == 0 {
		return append(dst, byte(v>>1))
	}
	if v.isTerm() {
		h := e.content(v)
		dst = append(dst, keyTerm)
		dst = binary.LittleEndian.AppendUint64(dst, h.hi)
		return binary.LittleEndian.AppendUint64(dst, h.lo)
	}
	n := v.small()
	size := 1
	for size < 8 && n>>(8*size-1) != 0 && n>>(8*size-1) != -1 {
		size++
	}
	dst = append(dst, byte(keyInt+size))
	for range size {
		dst = append(dst, byte(n))
		n >>= 8
	}
	return dst
}

// content returns the hash of a term.
func (e *Engine) content(v Value) contentHash {
	n := int(v >> 1)
	if n < len(e.keys) && e.keys[n] != (contentHash{}) {
		return e.keys[n]
	}
	h := e.hash(v)
	if n >= len(e.keys) {
		e.keys = append(e.keys, make([]contentHash, max(len(e.terms), 2*len(e.keys))-len(e.keys))...)
	}
	e.keys[n] = h
	return h
}

func (e *Engine) hash(v Value) contentHash {
	// Long lists are hashed from their end, without recursion.
	if tail := e.kinds[cons]; e.is(v, tail) {
		var cells []Value
		w := v
		for e.is(w, tail) && (int(w>>1) >= len(e.keys) || e.keys[w>>1] == contentHash{}) {
			cells = append(cells, w)
			w = e.parts(w)[1]
		}
		for i := len(cells) - 1; i > 0; i-- {
			e.content(cells[i])
		}
	}
	s := e.symbolOf(v)
	var room [256]byte
	buf := append(room[:0], s.text...)
	buf = append(buf, 0)
	if s.kind == variable {
		x := e.vars[e.parts(v)[0].small()]
		buf = append(buf, x.Name...)
	} else {
		for _, a := range e.parts(v) {
			if s.raw {
				buf = binary.LittleEndian.AppendUint64(buf, uint64(a))
			} else {
				buf = e.AppendKey(buf, a)
			}
		}
	}
	u := xxh3.Hash128(buf)
	return contentHash{u.Hi, u.Lo | 1}
}

// compareContent orders terms by their hashes: any order will do for them.
func (e *Engine) compareContent(v, w Value) int {
	return bytes.Compare(e.AppendKey(nil, v), e.AppendKey(nil, w))
}

// Hash returns 128 bits that tell a value from others of its sort, whatever its
// number.
func (e *Engine) Hash(v Value) (hi, lo uint64) {
	if v.isTerm() {
		h := e.content(v)
		return h.hi, h.lo
	}
	return uint64(v), uint64(v)
}
