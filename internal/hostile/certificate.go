package hostile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// A section is a section of a certificate.
type section struct {
	letter byte
	name   []byte // what evidence is about, which is not packed
	data   []byte // unpacked, if it is packed
	packed bool
	// What is written in the place of the length, if it is not nil.
	length []byte
}

// Certificate changes one thing in a certificate, or up to three, and makes its sums right
// again. Signatures are left out. It returns what was changed.
func Certificate(r *rand.Rand, data []byte) ([]byte, string) {
	list := sections(data)
	var did []string
	for range pick(r, 1, 1, 1, 2, 3) {
		var what string
		list, what = editSections(r, list)
		did = append(did, what)
	}
	return seal(data[:bytes.IndexByte(data, '\n')+1], list), strings.Join(did, "; ")
}

// editSections changes the order of sections, or one of them.
func editSections(r *rand.Rand, list []section) ([]section, string) {
	if len(list) == 0 {
		return append(list, section{letter: 'H'}), "a section added to none"
	}
	at := r.IntN(len(list))
	// A file may have many sections of one kind: each kind is changed as often.
	letter := pick(r, []byte("HHHHSSCCRTWWGGEE")...)
	if i := slices.IndexFunc(list, func(s section) bool { return s.letter == letter }); i >= 0 {
		if at = i; r.IntN(2) == 0 {
			for n := i; n < len(list) && list[n].letter == letter; n++ {
				at = pick(r, at, n)
			}
		}
	}
	s := &list[at]
	name := fmt.Sprintf("section %c (%d)", s.letter, at)
	switch r.IntN(16) {
	case 0:
		return slices.Delete(slices.Clone(list), at, at+1), name + " dropped"
	case 1:
		times := pick(r, 1, 1, 50)
		return slices.Insert(slices.Clone(list), at, slices.Repeat(list[at:at+1], times)...), fmt.Sprintf("%s %d times more", name, times)
	case 2:
		other := r.IntN(len(list))
		list[at], list[other] = list[other], list[at]
		return list, fmt.Sprintf("%s and section %d swapped", name, other)
	case 3:
		s.letter = pick(r, []byte("HSCRTWPGFEZX\x00")...)
		return list, fmt.Sprintf("%s is %q", name, s.letter)
	case 4:
		x := number(r, uint64(len(s.data)))
		s.length = binary.AppendUvarint(nil, x)
		return list, fmt.Sprintf("%s has length %d", name, x)
	case 5:
		if s.packed { // as it is in the file
			s.data, s.packed = Pack(s.data), false
		}
		data, what := editBytes(r, s.data)
		s.data = data
		return list, name + ", packed: " + what
	case 6:
		n := pick(r, 1, 100, 10000)
		s.data, s.packed = bytes.Repeat([]byte{pick(r, byte(0), 0xff, byte(r.Uint32()))}, n), false
		return list, fmt.Sprintf("%s is %d times %d", name, n, s.data[0])
	case 7:
		if piece := s.data[:min(len(s.data), pick(r, 1, 30, 3000))]; s.packed && len(piece) > 0 && r.IntN(4) == 0 {
			n := (8 << 20) / len(piece) // packed it is short
			s.data = append(s.data, bytes.Repeat(piece, n)...)
			return list, fmt.Sprintf("%s, and its first %d bytes %d times more", name, len(piece), n)
		}
	}
	var what string
	switch s.letter {
	case 'H':
		s.data, what = editJSON(r, s.data)
	case 'T':
		s.data, what = editLines(r, s.data)
	case 'G', 'W', 'C':
		s.data, what = editNumbers(r, s.data, 5)
	case 'E':
		s.data, what = editNumbers(r, s.data, 3)
	case 'F':
		s.data, what = editChoice(r, s.data)
	default:
		s.data, what = editBytes(r, s.data)
	}
	return list, name + ": " + what
}

// sections takes a certificate apart, as far as it has sections.
func sections(data []byte) (list []section) {
	for at := bytes.IndexByte(data, '\n') + 1; at < len(data); {
		length, n := binary.Uvarint(data[at+1:])
		body := at + 1 + n
		if n <= 0 || length > uint64(len(data)-body) {
			break
		}
		s := section{letter: data[at], data: bytes.Clone(data[body : body+int(length)])}
		if s.letter == 'F' && len(s.data) >= sha256.Size {
			s.name, s.data = s.data[:sha256.Size], s.data[sha256.Size:]
		}
		if s.letter != 'S' && s.letter != 'E' {
			if raw, err := unpacker().DecodeAll(s.data, nil); err == nil {
				s.data, s.packed = raw, true
			}
		}
		if s.letter != 'Z' {
			list = append(list, s)
		}
		at = body + int(length) + 4
	}
	return list
}

// seal puts a certificate together, with right sums and a right digest.
func seal(magic []byte, list []section) []byte {
	out := bytes.Clone(magic)
	for _, s := range list {
		data := s.data
		if s.packed {
			data = Pack(data)
		}
		data = append(bytes.Clone(s.name), data...)
		if s.letter == 'E' && len(data) >= sha256.Size {
			sum := sha256.Sum256(out)
			data = append(bytes.Clone(data[:len(data)-sha256.Size]), sum[:]...)
		}
		length := s.length
		if length == nil {
			length = binary.AppendUvarint(nil, uint64(len(data)))
		}
		whole := slices.Concat([]byte{s.letter}, length, data)
		out = append(out, binary.LittleEndian.AppendUint32(whole, crc32.Checksum(whole, crc32.MakeTable(crc32.Castagnoli)))...)
	}
	return out
}

var packer = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err) // the options are constant
	}
	return e
})

var unpacker = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return d
})

// Pack packs bytes as sections are packed.
func Pack(data []byte) []byte { return packer().EncodeAll(data, nil) }
