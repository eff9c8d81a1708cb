package native

import (
	"encoding/binary"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Checksums of packages hash/*. The tables are those that the program computed,
// in its heap, so that the natives serve any polynomial.

// crcTable reads a table of 256 entries of 4 bytes at p, nil if it is not there.
func crcTable(c *vm.NativeCall, p mem.Ptr) *[256]uint32 {
	return (*[256]uint32)(c.M.Heap.Read(p, 1024))
}

// crc32Simple is hash/crc32.simpleUpdate(crc uint32, tab *Table, p []byte).
func crc32Simple(c *vm.NativeCall) vm.Outcome {
	tab := crcTable(c, c.Ptr(1))
	p, ok := span(c, 2)
	if tab == nil || !ok {
		return c.PanicNil()
	}
	c.Set(0, uint64(^crc32Update(^uint32(c.Word(0)), tab, p)))
	return vm.Done
}

func crc32Update(crc uint32, tab *[256]uint32, p []byte) uint32 {
	for _, v := range p {
		crc = tab[byte(crc)^v] ^ crc>>8
	}
	return crc
}

// crc32Slicing is hash/crc32.slicingUpdate(crc uint32, tab *slicing8Table, p
// []byte): eight tables, eight bytes at a time.
func crc32Slicing(c *vm.NativeCall) vm.Outcome {
	tab := (*[8][256]uint32)(c.M.Heap.Read(c.Ptr(1), 8*1024))
	p, ok := span(c, 2)
	if tab == nil || !ok {
		return c.PanicNil()
	}
	crc := ^uint32(c.Word(0))
	for ; len(p) >= 8; p = p[8:] {
		crc ^= binary.LittleEndian.Uint32(p)
		crc = tab[0][p[7]] ^ tab[1][p[6]] ^ tab[2][p[5]] ^ tab[3][p[4]] ^
			tab[4][crc>>24] ^ tab[5][crc>>16&0xff] ^ tab[6][crc>>8&0xff] ^ tab[7][crc&0xff]
	}
	c.Set(0, uint64(^crc32Update(crc, &tab[0], p)))
	return vm.Done
}

// adler32 is hash/adler32.update(d digest, p []byte) digest.
func adler32(c *vm.NativeCall) vm.Outcome {
	p, ok := span(c, 1)
	if !ok {
		return c.PanicNil()
	}
	const mod, most = 65521, 5552
	d := uint32(c.Word(0))
	s1, s2 := d&0xffff, d>>16
	for len(p) > 0 {
		part := p[:min(len(p), most)]
		p = p[len(part):]
		for _, x := range part {
			s1 += uint32(x)
			s2 += s1
		}
		s1 %= mod
		s2 %= mod
	}
	c.Set(0, uint64(s2<<16|s1))
	return vm.Done
}

// chachaBlock is internal/chacha8rand.block(seed *[4]uint64, blocks *[32]uint64,
// counter uint32): four blocks of ChaCha8, interlaced, without the final
// addition of the constants, as that package's generic version has them.
func chachaBlock(c *vm.NativeCall) vm.Outcome {
	seed := (*[8]uint32)(c.M.Heap.Read(c.Ptr(0), 32))
	if seed == nil {
		return c.PanicNil()
	}
	key := *seed // the output may lie where the seed does
	out := (*[16][4]uint32)(c.M.Heap.Write(c.Ptr(1), uint32(unsafe.Sizeof([32]uint64{}))))
	if out == nil {
		return c.PanicNil()
	}
	counter := uint32(c.Word(2))
	for lane := range uint32(4) {
		b := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574,
			key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7], counter + lane}
		for range 4 {
			chachaQuarter(&b, 0, 4, 8, 12)
			chachaQuarter(&b, 1, 5, 9, 13)
			chachaQuarter(&b, 2, 6, 10, 14)
			chachaQuarter(&b, 3, 7, 11, 15)
			chachaQuarter(&b, 0, 5, 10, 15)
			chachaQuarter(&b, 1, 6, 11, 12)
			chachaQuarter(&b, 2, 7, 8, 13)
			chachaQuarter(&b, 3, 4, 9, 14)
		}
		for i := range key {
			b[4+i] += key[i]
		}
		for i, w := range b {
			out[i][lane] = w
		}
	}
	return vm.Done
}

// chachaQuarter is the quarter round of ChaCha on words i, j, k and l.
func chachaQuarter(b *[16]uint32, i, j, k, l int) {
	x, y, z, w := b[i], b[j], b[k], b[l]
	x += y
	w ^= x
	w = w<<16 | w>>16
	z += w
	y ^= z
	y = y<<12 | y>>20
	x += y
	w ^= x
	w = w<<8 | w>>24
	z += w
	y ^= z
	y = y<<7 | y>>25
	b[i], b[j], b[k], b[l] = x, y, z, w
}

func init() {
	register(Speed, "a loop over the program's own table", map[string]vm.Native{
		"hash/crc32.simpleUpdate":  crc32Simple,
		"hash/crc32.slicingUpdate": crc32Slicing,
	})
	register(Speed, "the same loop, compiled into the machine", map[string]vm.Native{
		"hash/adler32.update": adler32,
	})
	register(NoBody, "a port of the package's generic version", map[string]vm.Native{
		"internal/chacha8rand.block": chachaBlock,
	})
	register(NoBody, "not reached: the machine has no SSE 4.2", map[string]vm.Native{
		"hash/crc32.castagnoliSSE42":       unreachable,
		"hash/crc32.castagnoliSSE42Triple": unreachable,
		"hash/crc32.ieeeCLMUL":             unreachable,
	})
}

// unreachable is for assembly that is only called on processors with features
// that the machine denies.
func unreachable(c *vm.NativeCall) vm.Outcome {
	return c.Unsupported("call of " + c.Func().Name + ", which is assembly")
}
