package cert

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
)

// magic begins a certificate; the version follows.
const magic = "heddle certificate "

// A sectionKind is the letter that a section begins with.
type sectionKind byte

// The sections, in the order in which they appear in a file.
const (
	secHeader    sectionKind = 'H' // Header, JSON, packed
	secScript    sectionKind = 'S' // a chunk of events, range coded
	secCopy      sectionKind = 'C' // the same, to be read quickly, packed
	secGraph     sectionKind = 'R' // a piece of the graph, packed
	secTraffic   sectionKind = 'T' // a piece of the recorded traffic, packed
	secShortcuts sectionKind = 'W' // short ways to some states, packed
	secEvidence  sectionKind = 'F' // a piece of the evidence of a formula: 32 bytes of its name, and the rest packed
	secRoom      sectionKind = 'P' // nothing: the file has to be so large, see room.go
	secPart      sectionKind = 'Q' // of a part that is a file of its own: a piece of it
	secTicket    sectionKind = 'K' // of the same: what goes with it
	secSubgraphs sectionKind = 'G' // sizes of subgraphs, packed
	secEnd       sectionKind = 'E' // counts, and the digest of all bytes before the section
	secSign      sectionKind = 'Z' // public key and signature of the digest
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendSection appends a section: letter, length, bytes, and the sum of them all,
// so that damage is found where it is.
func appendSection(dst []byte, kind sectionKind, payload []byte) []byte {
	start := len(dst)
	dst = append(dst, byte(kind))
	dst = binary.AppendUvarint(dst, uint64(len(payload)))
	dst = append(dst, payload...)
	return binary.LittleEndian.AppendUint32(dst, crc32.Checksum(dst[start:], castagnoli))
}

// An Error says what is wrong with a file, and where.
type Error struct {
	Offset int64
	Text   string
}

func (e *Error) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Text) }

func errAt(offset int64, format string, args ...any) error {
	return &Error{offset, fmt.Sprintf(format, args...)}
}

// A section is one that was found in a file.
type section struct {
	kind   sectionKind
	offset int64 // of its letter
	data   int64 // offset of its bytes
	length int
}

func (s *section) end() int64 { return s.data + int64(s.length) + 4 }

// readSection reads the section at an offset into buf, which is returned.
func readSection(r io.ReaderAt, size, offset int64, buf []byte) (section, []byte, error) {
	var head [1 + binary.MaxVarintLen64]byte
	n, err := r.ReadAt(head[:], offset)
	if err != nil && err != io.EOF {
		return section{}, buf, err
	}
	if n == 0 {
		return section{}, buf, errAt(offset, "the file ends before its end section: it was cut off")
	}
	length, k := binary.Uvarint(head[1:n])
	s := section{kind: sectionKind(head[0]), offset: offset, data: offset + 1 + int64(k)}
	switch {
	case k <= 0:
		return s, buf, errAt(offset, "a section without length")
	case length > maxSection:
		return s, buf, errAt(offset, "a section of %d bytes: the limit is %d", length, maxSection)
	case s.data+int64(length)+4 > size:
		return s, buf, errAt(offset, "a section of %d bytes, but the file ends after %d: it was cut off", length, size-offset)
	}
	s.length = int(length)
	whole := int(s.end() - offset)
	if cap(buf) < whole {
		buf = make([]byte, whole)
	}
	buf = buf[:whole]
	if _, err := r.ReadAt(buf, offset); err != nil && err != io.EOF {
		return s, buf, err
	}
	if crc32.Checksum(buf[:whole-4], castagnoli) != binary.LittleEndian.Uint32(buf[whole-4:]) {
		return s, buf, errAt(offset, "the sum of section %q is wrong: it was damaged", s.kind)
	}
	return s, buf, nil
}

// payload returns the bytes of a section in what readSection has read.
func (s *section) payload(buf []byte) []byte { return buf[s.data-s.offset:][:s.length] }
