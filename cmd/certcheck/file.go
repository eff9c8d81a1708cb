package main

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
)

// A certificate is what this command reads of one: what it is about, and how large the
// graph is said to be.
type certificate struct {
	Header      header
	States      uint64
	Transitions uint64
}

// A header says what was searched.
type header struct {
	Kind       string   `json:"kind"`
	Tool       string   `json:"tool"`
	Target     string   `json:"target"`
	Program    []pair   `json:"program"`
	Functions  []pair   `json:"functions"`
	Settings   []pair   `json:"settings"`
	Reduce     bool     `json:"reduce"`
	Properties []string `json:"properties"`
}

type pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

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

// read reads all sections: the header and the end, of the others only whether they are whole.
func (c *certificate) read(data []byte) error {
	if !bytes.HasPrefix(data, []byte(firstLine)) {
		return fmt.Errorf("this is not a certificate of the version that is known here")
	}
	at, began, ended := len(firstLine), false, false
	for at < len(data) {
		kind, body, next, err := section(data, at)
		switch {
		case err != nil:
			return err
		case !began && kind != 'H' || began && kind == 'H' || ended && kind != 'Z' || !ended && kind == 'Z':
			return fmt.Errorf("offset %d: section %q where it cannot be", at, kind)
		case kind == 'H':
			began, err = true, c.readHeader(body, len(data))
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

// readHeader reads the header of a file with so many bytes, by which it is bounded.
func (c *certificate) readHeader(body []byte, size int) error {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(min(maxHeader, 2<<20+64*size))))
	if err != nil {
		return err
	}
	defer z.Close()
	text, err := z.DecodeAll(body, nil)
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
