package stateset

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"os"
	"sort"
)

// A run is a file of fingerprints in their order. In memory it has a filter that
// knows nearly always that a fingerprint is not in the file, and the first
// fingerprint of each block, so that one read answers for the rest.
type run struct {
	file   *os.File
	n      int64
	filter []uint64
	fences []uint64 // the high halves of the first fingerprints
}

const (
	blockEntries = 256 // 4 KiB
	filterBits   = 12  // a state; with 6 of them set, 1 in 200 passes in vain
	filterProbes = 6
	lineWords    = 8 // all bits of a state lie in one cache line
)

// A runWriter writes a run.
type runWriter struct {
	run
	out  *bufio.Writer
	buf  [fingerprintSize]byte
	last fingerprint
}

// newRun starts a run of at most n fingerprints in a new file of a directory.
// The file has no name: it is gone when the process is.
func newRun(dir string, n int64) (*runWriter, error) {
	file, err := os.CreateTemp(dir, "heddle-states-")
	if err != nil {
		return nil, fmt.Errorf("visited states: %w", err)
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, fmt.Errorf("visited states: %w", err)
	}
	lines := (n*filterBits + lineWords*64 - 1) / (lineWords * 64)
	w := &runWriter{out: bufio.NewWriterSize(file, 1<<18)}
	w.file = file
	w.filter = newPages[uint64](int(max(lines, 1)) * lineWords)
	return w, nil
}

// add appends a fingerprint that is not less than those before. Equal ones are
// written once.
func (w *runWriter) add(f fingerprint) error {
	if f == w.last {
		return nil
	}
	w.last = f
	if w.n%blockEntries == 0 {
		w.fences = append(w.fences, f.hi)
	}
	w.n++
	line, h := w.line(f)
	for range filterProbes {
		line[h>>6&(lineWords-1)] |= 1 << (h & 63)
		h >>= 9
	}
	_, err := w.out.Write(f.append(w.buf[:0]))
	return err
}

func (w *runWriter) finish() (*run, error) {
	if err := w.out.Flush(); err != nil {
		w.close()
		return nil, fmt.Errorf("visited states: %w", err)
	}
	return &w.run, nil
}

// line returns a fingerprint's part of the filter, and six times nine bits that
// say where to look in it.
func (r *run) line(f fingerprint) ([]uint64, uint64) {
	at, _ := bits.Mul64(f.lo, uint64(len(r.filter)/lineWords))
	return r.filter[at*lineWords:][:lineWords], f.hi ^ f.hi>>32
}

func (r *run) mayHave(f fingerprint) bool {
	line, h := r.line(f)
	for range filterProbes {
		if line[h>>6&(lineWords-1)]&(1<<(h&63)) == 0 {
			return false
		}
		h >>= 9
	}
	return true
}

// has looks into the file if need be.
func (r *run) has(f fingerprint) (bool, error) {
	if !r.mayHave(f) {
		return false, nil
	}
	// The last block that starts below f.hi may hold f, and so may those that
	// start with f.hi itself.
	block := sort.Search(len(r.fences), func(i int) bool { return r.fences[i] >= f.hi }) - 1
	var buf [blockEntries * fingerprintSize]byte
	for block = max(block, 0); block < len(r.fences) && r.fences[block] <= f.hi; block++ {
		n := min(blockEntries, r.n-int64(block)*blockEntries)
		data := buf[:n*fingerprintSize]
		if _, err := r.file.ReadAt(data, int64(block)*int64(len(buf))); err != nil {
			return false, fmt.Errorf("visited states: %w", err)
		}
		at := func(i int) fingerprint { return fingerprintOf(data[i*fingerprintSize:]) }
		i := sort.Search(int(n), func(i int) bool { return !at(i).less(f) })
		if i < int(n) {
			return at(i) == f, nil
		}
	}
	return false, nil
}

func (r *run) bytes() int64 { return int64(len(r.filter)+len(r.fences)) * 8 }

func (r *run) close() {
	freePages(r.filter)
	r.filter = nil
	r.file.Close() // the file is gone with it, whatever Close says
}

// A runReader reads a run from its start.
type runReader struct {
	in   *bufio.Reader
	buf  [fingerprintSize]byte
	next fingerprint
	ok   bool // there is a next one
}

func (r *run) reader() (*runReader, error) {
	size := r.n * fingerprintSize
	rd := &runReader{in: bufio.NewReaderSize(io.NewSectionReader(r.file, 0, size), 1<<18)}
	return rd, rd.advance()
}

func (rd *runReader) advance() error {
	_, err := io.ReadFull(rd.in, rd.buf[:])
	rd.ok = err == nil
	if err == io.EOF {
		return nil
	}
	rd.next = fingerprintOf(rd.buf[:])
	return err
}

// mergeRuns calls yield with what is in the runs, in order and once each.
func mergeRuns(runs []*run, yield func(fingerprint) error) error {
	readers := make([]*runReader, len(runs))
	for i, r := range runs {
		var err error
		if readers[i], err = r.reader(); err != nil {
			return err
		}
	}
	for {
		var least *runReader
		for _, rd := range readers {
			if rd.ok && (least == nil || rd.next.less(least.next)) {
				least = rd
			}
		}
		if least == nil {
			return nil
		}
		f := least.next
		if err := yield(f); err != nil {
			return err
		}
		for _, rd := range readers {
			if rd.ok && rd.next == f {
				if err := rd.advance(); err != nil {
					return err
				}
			}
		}
	}
}
