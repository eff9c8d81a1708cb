package mem

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/zeebo/xxh3"
)

// A Kind tells which of the heap's own structures an object is.
type Kind uint8

const (
	Plain   Kind = iota // bytes and pointers as the shape says
	Map                 // the header of a map
	Chan                // a channel with its buffer
	MapIter             // an iteration over a map
	entries             // the entries of a map
	index               // the hash index of a map
)

// A ShapeID names a registered shape. Shape 0 is Plain without pointers.
type ShapeID int32

// A Shape tells which words of an object hold pointers. Bitmaps have one bit
// for each 8-byte word, the lowest bit of the first element first, and may be
// shorter than the memory they describe.
type Shape struct {
	Kind Kind

	Size uint32   // Plain: bytes of one element; an object repeats the element
	Ptrs []uint64 // Plain: its pointers

	KeySize   uint32   // Map: bytes of a key
	KeyPtrs   []uint64 // Map: pointers of a key
	KeyString bool     // Map: keys are strings, an address and a length
	ElemSize  uint32   // Map, Chan: bytes of an element
	ElemPtrs  []uint64 // Map, Chan: pointers of an element
}

// A shape is a registered Shape, with pointers as byte offsets. An object
// consists of a head and of elements.
type shape struct {
	tag      uint64 // hash of the shape; stands for it in canonical keys
	flags    uint32 // flags of its objects
	head     uint32 // bytes before the first element
	headPtrs []uint32
	size     uint32 // bytes of an element
	ptrs     []uint32

	// The following are of maps.
	keySize, elemOff, elemSize uint32
	keyPtrs, elemPtrs          []uint32
	keyString                  bool
	entries                    ShapeID

	keys int // of a map's entries: how many of the first pointers are those of the key, 0 if it is a string
}

// noscan reports whether objects of the shape hold no pointers.
func (s *shape) noscan() bool { return len(s.headPtrs)+len(s.ptrs) == 0 }

const (
	iterShape  ShapeID = 1
	indexShape ShapeID = 2
)

func (h *Heap) initShapes() {
	h.shapes = append(h.shapes,
		shape{},
		shape{tag: 1, flags: uint32(MapIter) | opaque, head: iterSize, headPtrs: []uint32{0}},
		shape{tag: 2, flags: uint32(index) | opaque})
}

// AddShape registers a shape. Equal shapes have one number, and shapes without
// pointers are all shape 0. Shapes may be added at any time and are not undone;
// their numbers do not occur in canonical keys.
func (h *Heap) AddShape(s Shape) ShapeID {
	r := shape{tag: s.tag(), flags: uint32(s.Kind)}
	switch s.Kind {
	case Plain:
		if r.ptrs = offsets(s.Ptrs, 0, s.Size); len(r.ptrs) == 0 {
			return 0
		}
		r.size = s.Size
	case Chan:
		r.flags |= opaque
		r.head, r.headPtrs = ChanData, []uint32{chanAux}
		r.size, r.elemSize = s.ElemSize, s.ElemSize
		r.ptrs = offsets(s.ElemPtrs, 0, s.ElemSize)
	case Map:
		r.flags |= opaque
		r.head, r.headPtrs = mapHeaderSize, []uint32{mapEntries, mapIndex}
		r.keySize, r.elemSize, r.keyString = s.KeySize, s.ElemSize, s.KeyString
		align := min(s.ElemSize&-s.ElemSize, 8) // an element's alignment divides its size
		r.elemOff = alignUp(entryKey+s.KeySize, max(align, 1))
		r.keyPtrs = offsets(s.KeyPtrs, 0, s.KeySize)
		r.elemPtrs = offsets(s.ElemPtrs, 0, s.ElemSize)
	default:
		panic("mem: AddShape: bad kind")
	}
	if id, ok := h.shapeOf[r.tag]; ok {
		return id
	}
	if s.Kind == Map {
		keys := len(r.keyPtrs)
		if r.keyString {
			keys = 0 // nobody writes to what they lead to
		}
		h.shapes = append(h.shapes, shape{
			tag: r.tag + 1, flags: uint32(entries),
			head: entriesHead, headPtrs: []uint32{0},
			size: alignUp(r.elemOff+s.ElemSize, 8),
			ptrs: append(offsets(s.KeyPtrs, entryKey, s.KeySize), offsets(s.ElemPtrs, r.elemOff, s.ElemSize)...),
			keys: keys,
		})
		r.entries = ShapeID(len(h.shapes) - 1)
	}
	id := ShapeID(len(h.shapes))
	h.shapes = append(h.shapes, r)
	h.shapeOf[r.tag] = id
	return id
}

// tag returns a hash of all that matters in a shape, an even number. That no
// two shapes of a program share one is left to its 63 bits.
func (s *Shape) tag() uint64 {
	b := []byte{byte(s.Kind), 0}
	if s.KeyString {
		b[1] = 1
	}
	for _, part := range []struct {
		size uint32
		ptrs []uint64
	}{{s.Size, s.Ptrs}, {s.KeySize, s.KeyPtrs}, {s.ElemSize, s.ElemPtrs}} {
		offs := offsets(part.ptrs, 0, part.size)
		b = binary.LittleEndian.AppendUint32(b, part.size)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(offs)))
		for _, o := range offs {
			b = binary.LittleEndian.AppendUint32(b, o)
		}
	}
	return xxh3.Hash(b)&^1 | 1<<63
}

// offsets lists the byte offsets of the words set in a bitmap that lie wholly
// below size, each moved up by start.
func offsets(bitmap []uint64, start, size uint32) []uint32 {
	var offs []uint32
	for i, w := range bitmap {
		for ; w != 0; w &= w - 1 {
			off := uint64(i*64+bits.TrailingZeros64(w)) * 8
			if off+8 <= uint64(size) {
				offs = append(offs, start+uint32(off))
			}
		}
	}
	return slices.Clip(offs)
}

func alignUp(n, align uint32) uint32 { return (n + align - 1) &^ (align - 1) }

// staticIdentity hashes an identity for canonical keys.
func staticIdentity(identity []byte) staticKey {
	u := xxh3.Hash128(identity)
	return staticKey{u.Hi, u.Lo}
}
