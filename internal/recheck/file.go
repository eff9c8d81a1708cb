package recheck

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The format is described in docs/certificate.md: a line, and sections of a letter, a length, as many bytes and their sum.
const (
	firstLine           = "heddle certificate 8\n"
	maxFile             = 1 << 30
	maxSection          = 4 << 20
	maxHeader, maxPiece = 16 << 20, 1 << 20 // unpacked, the latter of traffic
)

// A certificate is what is read of one: what it is about, how large its graph is, what peers said, and of which formulas it has evidence.
type certificate struct {
	Header              header
	States, Transitions uint64
	size                int
	traffic             [][]byte                   // pieces, packed
	evidence            map[[sha256.Size]byte]bool // by hashes of the formulas' texts
}

// A header says what was searched.
type header struct {
	Kind, Tool, Target           string
	Program, Functions, Settings []pair
	Reduce                       bool
	Properties                   []string
}

type pair struct{ Name, Value string }

// readFile returns what is in a file.
func readFile(name string) []byte {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		stop(diag.Usagef("%s: no file of at most %d bytes", name, maxFile))
	}
	return must(os.ReadFile(name))
}

// read reads a certificate: header, traffic, the names of evidence, and the end. The digest at the end is that of all bytes before it.
func read(data []byte) *certificate {
	if !bytes.HasPrefix(data, []byte(firstLine)) {
		refuse("this is not a certificate of the version that is known here")
	}
	c := &certificate{size: len(data), evidence: map[[sha256.Size]byte]bool{}}
	at, began, ended := len(firstLine), false, false
	for at < len(data) {
		kind, body, next := section(data, at)
		if !began && kind != 'H' || began && kind == 'H' || ended && kind != 'Z' || !ended && kind == 'Z' {
			refuse("offset %d: section %q where it cannot be", at, kind)
		}
		switch kind {
		case 'H':
			began, c.Header = true, c.header(body)
		case 'T':
			c.traffic = append(c.traffic, body)
		case 'F':
			if len(body) < sha256.Size {
				refuse("its evidence is damaged")
			}
			c.evidence[[sha256.Size]byte(body)] = true
		case 'E':
			ended = true
			c.end(body, sha256.Sum256(data[:at]))
		}
		at = next
	}
	if !ended {
		refuse("the file was cut off")
	}
	return c
}

// section returns the section at an offset, and where the next one begins.
func section(data []byte, at int) (kind byte, body []byte, next int) {
	length, n := binary.Uvarint(data[at+1:])
	from := at + 1 + n
	if n <= 0 || length > maxSection || from+int(length)+4 > len(data) {
		refuse("offset %d: the file was cut off or damaged", at)
	}
	end := from + int(length)
	if crc32.Checksum(data[at:end], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(data[end:]) {
		refuse("offset %d: the file was damaged", at)
	}
	return data[at], data[from:end], end + 4
}

// unpack returns what was packed in pieces of at most so many bytes, if that is not more than the size of the file allows.
func (c *certificate) unpack(most int, pieces ...[]byte) (text []byte) {
	z := must(zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most))))
	defer z.Close()
	for _, piece := range pieces {
		if text = append(text, accept(z.DecodeAll(piece, nil))...); len(text) > 2<<20+64*c.size {
			refuse("it has too much packed in it")
		}
	}
	return text
}

// header reads the header.
func (c *certificate) header(body []byte) (h header) {
	text := c.unpack(maxHeader, body)
	if 16*bytes.Count(text, []byte("{")) > len(text)+256 { // a pair has two names
		refuse("a header with too many values")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		refuse("its header: %v", err)
	}
	if h.Kind != "full" {
		refuse("it is of the kind %q, which has to be trusted", h.Kind)
	}
	return h
}

// end reads the numbers at the end: states, transitions, depth, three sums, and the digest of all before.
func (c *certificate) end(body []byte, digest [sha256.Size]byte) {
	var depth uint64
	for _, number := range []*uint64{&c.States, &c.Transitions, &depth} {
		n := 0
		if *number, n = binary.Uvarint(body); n <= 0 {
			refuse("the numbers are damaged")
		}
		body = body[n:]
	}
	const sums = 3 * 4
	if len(body) != sums+sha256.Size || !bytes.Equal(body[sums:], digest[:]) {
		refuse("the file was damaged: the digest is not that of the bytes before it")
	}
}
