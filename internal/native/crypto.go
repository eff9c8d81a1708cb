package native

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"encoding/binary"
	"hash"
	"sync"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/vm"
)

// The block functions of the hash packages by the host's, which has assembly for
// them. The host's hash takes up the program's intermediate state in the form of
// its encoding, and gives it back so.

// A blockHash describes one hash function.
type blockHash struct {
	magic string // of the encoding
	words int    // of the state
	size  int    // bytes of a word
	block int    // bytes of a block
	pool  sync.Pool
}

func newBlockHash(magic string, words, size, block int, make func() hash.Hash) *blockHash {
	h := &blockHash{magic: magic, words: words, size: size, block: block}
	h.pool.New = func() any { return make() }
	return h
}

// native is block(dig *digest, p []byte), which updates the state at the start
// of *dig by whole blocks.
func (h *blockHash) native(c *vm.NativeCall) vm.Outcome {
	p, ok := span(c, 1)
	n := h.words * h.size
	state := c.M.Heap.Write(c.Ptr(0), uint32(n))
	if !ok || state == nil {
		return c.PanicNil()
	}
	p = p[:len(p)/h.block*h.block]
	if len(p) == 0 {
		return vm.Done
	}
	host := h.pool.Get().(hash.Hash)
	defer h.pool.Put(host)
	words := unsafe.Slice((*byte)(state), n)
	b := append(make([]byte, 0, 256), h.magic...)
	b = append(b, words...)
	h.swap(b[len(h.magic):])
	b = append(b, make([]byte, h.block+8)...) // an empty buffer, length 0
	if err := host.(encoding.BinaryUnmarshaler).UnmarshalBinary(b); err != nil {
		return c.Unsupported("state of a hash: " + err.Error())
	}
	host.Write(p)
	b, err := host.(encoding.BinaryAppender).AppendBinary(b[:0])
	if err != nil {
		return c.Unsupported("state of a hash: " + err.Error())
	}
	copy(words, b[len(h.magic):])
	h.swap(words)
	return vm.Done
}

// swap turns words from the byte order of memory to that of the encoding, and
// back.
func (h *blockHash) swap(b []byte) {
	for i := 0; i < h.words*h.size; i += h.size {
		if h.size == 4 {
			binary.BigEndian.PutUint32(b[i:], binary.LittleEndian.Uint32(b[i:]))
		} else {
			binary.BigEndian.PutUint64(b[i:], binary.LittleEndian.Uint64(b[i:]))
		}
	}
}

func init() {
	register(Speed, "the host's block function on the program's state", map[string]vm.Native{
		"crypto/internal/fips140/sha256.block": newBlockHash("sha\x03", 8, 4, 64, sha256.New).native,
		"crypto/internal/fips140/sha512.block": newBlockHash("sha\x07", 8, 8, 128, sha512.New).native,
		"crypto/sha1.block":                    newBlockHash("sha\x01", 5, 4, 64, sha1.New).native,
		"crypto/md5.block":                     newBlockHash("md5\x01", 4, 4, 64, md5.New).native,
	})
	register(NoBody, "ends the program with a fatal error", map[string]vm.Native{
		"crypto/internal/sysrand.fatal": fatal,
		"crypto/rand.fatal":             fatal,
	})
	register(NoBody, "marks in the binary for tools; the machine has no binary", map[string]vm.Native{
		"crypto/internal/boring/sig.BoringCrypto":   nop,
		"crypto/internal/boring/sig.FIPSOnly":       nop,
		"crypto/internal/boring/sig.StandardCrypto": nop,
	})
	register(NoBody, "only a build with BoringCrypto has caches to be cleared", map[string]vm.Native{
		"crypto/internal/boring/bcache.registerCache": nop,
	})
	register(NoBody, "the machine does not run in FIPS 140 mode, and has no timing to hide", map[string]vm.Native{
		"crypto/internal/fips140.getIndicator": zero,
		"crypto/internal/fips140.setIndicator": nop,
		"crypto/fips140.isBypassed":            zero,
		"crypto/fips140.setBypass":             nop,
		"crypto/fips140.unsetBypass":           nop,
		"crypto/subtle.setDITEnabled":          zero,
		"crypto/subtle.setDITDisabled":         nop,
	})
	register(Runtime, "one instruction of gc, its body panics: a bool is 0 or 1 already", map[string]vm.Native{
		"crypto/internal/constanttime.boolToUint8": nop,
	})
	register(NoBody, "no processor has special instructions", map[string]vm.Native{
		"golang.org/x/sys/cpu.runtime_getAuxv":        none(3),
		"vendor/golang.org/x/sys/cpu.runtime_getAuxv": none(3),
	})
}
