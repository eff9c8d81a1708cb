package cert

import (
	"bytes"
	"fmt"
)

// What is read of a file may take much more memory than the file: a script of a million
// states one behind the other has a thousand bytes, and so have sixteen million bytes of
// traffic that are all the same. Somebody who sends such a file is not to have the memory
// of who reads it. So what a file unpacks to is bounded by its size, and a writer that
// needs more than that makes the file larger, by sections without meaning.

// unpacked returns how many bytes a piece of a file with so many may unpack to: traffic,
// graph or header. Each state on the stack of a script counts for depthBytes.
func unpacked(size int64) int64 { return 2<<20 + 64*size }

const depthBytes = 8

// sizeFor returns the least size of a file in which something unpacks to so many bytes.
func sizeFor(bytes int64) int64 { return (bytes - unpacked(0) + 63) / 64 }

// fill writes sections without meaning until the file has so many bytes.
func (w *Writer) fill(size int64) {
	for w.err == nil && w.size < size {
		w.section(secRoom, make([]byte, min(size-w.size, maxSection)))
	}
}

// A measure adds up what pieces of a file unpack to.
type measure struct {
	c    *Reader
	sum  int64
	what string
}

// unpack unpacks a piece of at most limit bytes, if the file is large enough for all so far.
func (m *measure) unpack(data []byte, limit int) ([]byte, error) {
	most := unpacked(m.c.size)
	out, err := unpack(data, int(min(int64(limit), max(most-m.sum, 1))))
	if err != nil {
		return nil, err
	}
	if m.sum += int64(len(out)); m.sum > most {
		return nil, fmt.Errorf("more than %d bytes of %s, which is too much for a file of %d", most, m.what, m.c.size)
	}
	return out, nil
}

// sparse reports whether a header has more values than its bytes are enough for: a pair has
// two names, and takes more memory than text.
func sparse(header []byte) bool { return 16*bytes.Count(header, []byte("{")) > len(header)+256 }
