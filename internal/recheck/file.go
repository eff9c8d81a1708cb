package recheck

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/klauspost/compress/zstd"

	"github.com/heddle-mc/heddle/internal/diag"
)

// The format is described in docs/certificate.md: a line, and sections of a letter, a
// length, as many bytes and their sum.
const (
	firstLine  = "heddle certificate 8\n"
	maxFile    = 1 << 30
	maxSection = 4 << 20
	maxHeader  = 16 << 20
	maxPiece   = 1 << 20 // of traffic and evidence
)

// A certificate is what this command reads of one: what it is about, how large the
// graph is said to be, what peers said, and how games of formulas are played.
type certificate struct {
	Header              header
	States, Transitions uint64
	size                int
	traffic             [][]byte // pieces, packed
	evidence            [][]byte // pieces, each a hash of the formula's text and what was packed
}

// A header says what was searched.
type header struct {
	Kind, Tool, Target           string
	Program, Functions, Settings []pair
	Reduce                       bool
	Properties                   []string
}

type pair struct{ Name, Value string }

// readFile reads a certificate. One that is damaged is refused.
func readFile(name string) (*certificate, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, diag.Usagef("%s: no file of at most %d bytes", name, maxFile)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	c := &certificate{}
	if err := c.read(data); err != nil {
		return nil, refuse("%s: %v", name, err)
	}
	return c, nil
}

// read reads all sections: header, traffic, evidence and the end, of the others only whether they are whole.
func (c *certificate) read(data []byte) error {
	if !bytes.HasPrefix(data, []byte(firstLine)) {
		return fmt.Errorf("this is not a certificate of the version that is known here")
	}
	at, began, ended := len(firstLine), false, false
	c.size = len(data)
	for at < len(data) {
		kind, body, next, err := section(data, at)
		switch {
		case err != nil:
			return err
		case !began && kind != 'H' || began && kind == 'H' || ended && kind != 'Z' || !ended && kind == 'Z':
			return fmt.Errorf("offset %d: section %q where it cannot be", at, kind)
		case kind == 'H':
			began, err = true, c.readHeader(body)
		case kind == 'T':
			c.traffic = append(c.traffic, body)
		case kind == 'F' && len(body) < sha256.Size:
			err = fmt.Errorf("the evidence is damaged")
		case kind == 'F':
			c.evidence = append(c.evidence, body)
		case kind == 'E':
			ended, err = true, c.readEnd(body, sha256.Sum256(data[:at]))
		}
		if err != nil {
			return fmt.Errorf("offset %d: %v", at, err)
		}
		at = next
	}
	if !ended {
		return fmt.Errorf("the file was cut off")
	}
	return nil
}

// section returns the section at an offset, and where the next one begins.
func section(data []byte, at int) (kind byte, body []byte, next int, err error) {
	length, n := binary.Uvarint(data[at+1:])
	from := at + 1 + n
	if n <= 0 || length > maxSection || from+int(length)+4 > len(data) {
		return 0, nil, 0, fmt.Errorf("offset %d: the file was cut off or damaged", at)
	}
	end := from + int(length)
	if crc32.Checksum(data[at:end], crc32.MakeTable(crc32.Castagnoli)) != binary.LittleEndian.Uint32(data[end:]) {
		return 0, nil, 0, fmt.Errorf("offset %d: the file was damaged", at)
	}
	return data[at], data[from:end], end + 4, nil
}

// unpack returns what was packed in pieces of at most so many bytes, if that is not more than the size of the file allows.
func (c *certificate) unpack(most int, pieces ...[]byte) (text []byte, err error) {
	for _, piece := range pieces {
		room := min(most, 2<<20+64*c.size-len(text))
		z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(max(room, 1))))
		if err != nil {
			return nil, err
		}
		own, err := z.DecodeAll(piece, nil)
		z.Close()
		if err != nil {
			return nil, err
		}
		text = append(text, own...)
	}
	return text, nil
}

// proof returns the evidence of a formula, and whether there is any.
func (c *certificate) proof(formula []byte) (text []byte, ok bool, err error) {
	var pieces [][]byte
	for _, e := range c.evidence {
		if sha256.Sum256(formula) == [sha256.Size]byte(e) {
			pieces = append(pieces, e[sha256.Size:])
		}
	}
	text, err = c.unpack(maxPiece, pieces...)
	return text, len(pieces) > 0, err
}

// readHeader reads the header.
func (c *certificate) readHeader(body []byte) error {
	text, err := c.unpack(maxHeader, body)
	if err != nil {
		return err
	}
	if 16*bytes.Count(text, []byte("{")) > len(text)+256 { // a pair has two names
		return fmt.Errorf("a header with too many values")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c.Header); err != nil {
		return err
	}
	if c.Header.Kind != "full" {
		return fmt.Errorf("it is of the kind %q, which has to be trusted", c.Header.Kind)
	}
	return nil
}

// readEnd reads the numbers at the end: states, transitions, depth, three sums, and the digest of all before.
func (c *certificate) readEnd(body []byte, digest [sha256.Size]byte) error {
	var numbers [3]uint64
	for i := range numbers {
		v, n := binary.Uvarint(body)
		if n <= 0 {
			return fmt.Errorf("the numbers are damaged")
		}
		numbers[i], body = v, body[n:]
	}
	const sums = 3 * 4
	if len(body) != sums+sha256.Size || !bytes.Equal(body[sums:], digest[:]) {
		return fmt.Errorf("the digest is not that of the bytes before it")
	}
	c.States, c.Transitions = numbers[0], numbers[1]
	return nil
}
