package bytecode

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
)

// Decode reads a program's binary form. It fails on input that Encode cannot
// have written and never allocates more than a multiple of the input's size; it
// does not look at what the program means. The result shares no memory with the
// input.
func Decode(b []byte) (*Program, error) {
	if len(b) < headerSize || string(b[:4]) != codecMagic {
		return nil, errors.New("bytecode: not a program")
	}
	if v := binary.LittleEndian.Uint32(b[4:]); v != codecVersion {
		return nil, fmt.Errorf("bytecode: format version %d: want %d", v, codecVersion)
	}
	if binary.LittleEndian.Uint32(b[8:]) != fingerprint() {
		return nil, errors.New("bytecode: written for other opcodes or structures")
	}
	if sum := crc32.Checksum(b[headerSize:], castagnoli); sum != binary.LittleEndian.Uint32(b[12:]) {
		return nil, fmt.Errorf("bytecode: checksum %08x: want %08x", sum, binary.LittleEndian.Uint32(b[12:]))
	}
	d := &decoder{b: b[headerSize:], shapes: opShapes()}
	p := d.program()
	if d.err == nil && d.i != len(d.b) {
		d.fail("%d bytes behind the program", len(d.b)-d.i)
	}
	if d.err != nil {
		return nil, d.err
	}
	return p, nil
}

// A decoder reads b from i on. After an error it reads zeros, so that only loops
// need to look at err, and those that are long do.
type decoder struct {
	b       []byte
	i       int
	err     error
	strings []string
	ops     []Op
	shapes  *[NumOps]shape

	instrs   slab[Instr]
	lines    slab[Line]
	points   slab[Safepoint]
	maps     slab[Map]
	words    slab[uint64]
	selects  slab[Select]
	cases    slab[Case]
	ints     slab[int]
	bytes    slab[byte]
	fields   slab[Field]
	methods  slab[Method]
	imethods slab[IMethod]
}

// A slab is one allocation from which the lists of many functions are cut.
type slab[T any] []T

// list reads a length and cuts a list of that length, nil if it is 0.
func list[T any](d *decoder, s *slab[T]) []T {
	n := d.u()
	if n == 0 {
		return nil
	}
	if n > uint64(len(*s)) {
		d.fail("list of %d items: %d are left of the announced number", n, len(*s))
		return nil
	}
	l := (*s)[:n:n]
	*s = (*s)[n:]
	return l
}

// table reads a length and makes a list of that length; each item takes at
// least size bytes of the input.
func table[T any](d *decoder, size int) []T {
	n := d.length(size)
	if n == 0 {
		return nil
	}
	return make([]T, n)
}

func (d *decoder) fail(format string, args ...any) {
	if d.err != nil {
		return
	}
	d.err = fmt.Errorf("bytecode: byte %d: %s", headerSize+d.i, fmt.Sprintf(format, args...))
	d.b, d.i = nil, 0
}

func (d *decoder) u() uint64 {
	if i := d.i; i < len(d.b) {
		if c := d.b[i]; c < 0x80 {
			d.i = i + 1
			return uint64(c)
		}
	}
	return d.long()
}

// long reads a varint of more than one byte.
func (d *decoder) long() uint64 {
	v, n := binary.Uvarint(d.b[d.i:])
	if n <= 0 {
		d.fail("truncated or overlong number")
		return 0
	}
	d.i += n
	return v
}

func (d *decoder) s() int64 {
	return zigzag(d.u())
}

// zigzag is the signed number whose encoding is v.
func zigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// below reads a number of at most max.
func (d *decoder) below(max uint64) uint64 {
	v := d.u()
	if v > max {
		d.fail("%d where %d is the largest", v, max)
		return 0
	}
	return v
}

func (d *decoder) u16() uint16 { return uint16(d.below(math.MaxUint16)) }
func (d *decoder) u32() uint32 { return uint32(d.below(math.MaxUint32)) }
func (d *decoder) bool() bool  { return d.below(1) == 1 }
func (d *decoder) n() int      { return int(d.s()) }

// i32 reads a difference of two 32-bit numbers.
func (d *decoder) i32() int32 { return int32(d.s()) }

// byte reads a byte as it is.
func (d *decoder) byte() byte {
	if d.i >= len(d.b) {
		d.fail("truncated")
		return 0
	}
	d.i++
	return d.b[d.i-1]
}

// length reads the length of a list of items of at least size bytes each.
func (d *decoder) length(size int) int {
	n := d.u()
	if n > uint64((len(d.b)-d.i)/size) {
		d.fail("list of %d items in %d bytes", n, len(d.b)-d.i)
		return 0
	}
	return int(n)
}

// raw reads n bytes without copying them.
func (d *decoder) raw(n int) []byte {
	if n > len(d.b)-d.i {
		d.fail("truncated")
		return nil
	}
	d.i += n
	return d.b[d.i-n : d.i]
}

// image reads a byte list of its own.
func (d *decoder) image() []byte {
	n := d.length(1)
	if n == 0 {
		return nil
	}
	return append(make([]byte, 0, n), d.raw(n)...)
}

func (d *decoder) str() string {
	i := d.u()
	if i >= uint64(len(d.strings)) {
		d.fail("string %d of %d", i, len(d.strings))
		return ""
	}
	return d.strings[i]
}

// prepare reads the totals, the string table and the opcodes used.
func (d *decoder) prepare() {
	var t totals
	size := 0
	for _, c := range t.list() {
		*c.n = d.length(c.size)
		if size += *c.n * c.size; size > len(d.b) {
			d.fail("totals of %d bytes in %d", size, len(d.b))
			return
		}
	}
	n := d.length(1)
	ends := make([]int, n)
	end := 0
	for k := range ends {
		end += int(d.below(uint64(len(d.b))))
		if end > len(d.b) {
			d.fail("string table of %d bytes", end)
			return
		}
		ends[k] = end
	}
	text := string(d.raw(end))
	if d.err != nil {
		return
	}
	d.strings = make([]string, n)
	start := 0
	for k, end := range ends {
		d.strings[k] = text[start:end]
		start = end
	}
	d.ops = make([]Op, d.length(1))
	for k := range d.ops {
		d.ops[k] = Op(d.below(uint64(NumOps) - 1))
	}
	if d.err != nil {
		return
	}
	d.instrs = make(slab[Instr], t.instrs)
	d.lines = make(slab[Line], t.lines)
	d.points = make(slab[Safepoint], t.points)
	d.maps = make(slab[Map], t.maps)
	d.words = make(slab[uint64], t.words)
	d.selects = make(slab[Select], t.selects)
	d.cases = make(slab[Case], t.cases)
	d.ints = make(slab[int], t.ints)
	d.bytes = make(slab[byte], t.bytes)
	d.fields = make(slab[Field], t.fields)
	d.methods = make(slab[Method], t.methods)
	d.imethods = make(slab[IMethod], t.imethods)
}

// usedUp checks that the totals were no larger than what there was.
func (d *decoder) usedUp() {
	if left := len(d.instrs) + len(d.lines) + len(d.points) + len(d.maps) + len(d.words) + len(d.selects) +
		len(d.cases) + len(d.ints) + len(d.bytes) + len(d.fields) + len(d.methods) + len(d.imethods); left > 0 {
		d.fail("%d items of the announced numbers are missing", left)
	}
}
