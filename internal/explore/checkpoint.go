package explore

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/room"
	"github.com/heddle-mc/heddle/internal/stateset"
	"github.com/zeebo/xxh3"
)

// A checkpoint file holds all that a search needs to go on elsewhere or later:
//
//	magic      one line of text, with the version
//	head       length and JSON: options that must agree, counts, findings
//	frontier   varints: the stack, as positions in the lists of steps
//	           (depth-first), or the parent links (breadth-first)
//	visited    what the set writes
//	checksum   128 bits of xxh3 over all before, which finds damage
//	seal       HMAC-SHA256 of all before the checksum, with Options.Key
//
// States are not in it: they are reached again by their paths. What it says of
// visited states is believed, so whoever resumes has to know who has written it.
const checkpointMagic = "heddle search 2\n"

const (
	checksumSize = 16
	sealSize     = sha256.Size
)

// A checkpointHead is the JSON part.
type checkpointHead struct {
	Strategy, Set, Identity string
	Reduce                  bool
	Transitions, More       int64
	MaxDepth                int
	Findings                []savedFound `json:",omitempty"`
	Left                    []Left       `json:",omitempty"`

	Depth     int    // breadth-first: the level
	Next, End uint32 // breadth-first: where in the level
	Count     uint32 // nodes or frames
}

type savedFound struct {
	Finding diag.Finding
	Path    string
}

func setKind(s stateset.Set) string {
	if _, ok := s.(*stateset.Exact); ok {
		return "exact"
	}
	return "fingerprints"
}

// head returns the part of the head that all strategies share. What the end of
// the search left is not part of it, as it is what resuming is for.
func (s *search) head() checkpointHead {
	h := checkpointHead{
		Strategy: s.o.Strategy.String(), Set: setKind(s.set), Identity: s.o.Identity, Reduce: s.o.Reduce,
		Transitions: s.transitions, More: s.more, MaxDepth: s.maxDepth,
	}
	for _, f := range s.findings {
		h.Findings = append(h.Findings, savedFound{f.Finding, f.Path.String()})
	}
	for _, l := range s.left {
		if !l.endsSearch() {
			h.Left = append(h.Left, l)
		}
	}
	return h
}

// save writes a checkpoint in place of the last one. It does nothing without a
// file to write to.
func (s *search) save(h checkpointHead, frontier func(w *bufio.Writer)) (err error) {
	name := s.o.Checkpoint
	if name == "" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("checkpoint: %s is there and is no regular file", name) // a device would be replaced
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
			err = fmt.Errorf("checkpoint: %w", err)
		}
	}()
	sum, seal := xxh3.New(), hmac.New(sha256.New, s.o.Key)
	w := bufio.NewWriterSize(io.MultiWriter(file, sum, seal), 1<<16)
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	w.WriteString(checkpointMagic) // Flush tells the errors of all writes
	w.Write(binary.AppendUvarint(nil, uint64(len(data))))
	w.Write(data)
	frontier(w)
	if _, err := s.set.WriteTo(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	check := sum.Sum128().Bytes()
	if _, err := file.Write(seal.Sum(check[:])); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// load reads a checkpoint: the head, by a function the frontier, and the visited
// states. The cursor goes where it says that something was found.
func (s *search) load(name string, c *cursor, frontier func(h checkpointHead, r *bufio.Reader) error) error {
	file, err := os.Open(name)
	if err != nil {
		return diag.Usagef("%v", err)
	}
	defer file.Close()
	size, err := verify(file, s.o.Key)
	if err != nil {
		return diag.Usagef("%s: %v", name, err)
	}
	r := bufio.NewReaderSize(io.NewSectionReader(file, 0, size), 1<<16)
	if err := s.read(r, c, frontier); err != nil {
		return diag.Usagef("%s: %v", name, err)
	}
	s.resumed = s.states()
	return nil
}

// verify compares a file with its checksum and its seal. It returns how many bytes there are before these.
func verify(file *os.File, key []byte) (int64, error) {
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size() - checksumSize - sealSize
	if size < int64(len(checkpointMagic)) {
		return 0, errors.New("not a checkpoint, or a damaged one: it is too short")
	}
	sum, seal := xxh3.New(), hmac.New(sha256.New, key)
	if _, err := io.Copy(io.MultiWriter(sum, seal), io.NewSectionReader(file, 0, size)); err != nil {
		return 0, err
	}
	var stored [checksumSize + sealSize]byte
	if _, err := file.ReadAt(stored[:], size); err != nil {
		return 0, err
	}
	switch {
	case [checksumSize]byte(stored[:]) != sum.Sum128().Bytes():
		return 0, errors.New("not a checkpoint, or a damaged one: its checksum is wrong")
	case !hmac.Equal(stored[checksumSize:], seal.Sum(nil)):
		return 0, errors.New("a checkpoint that somebody else has written, or changed: it is not sealed with your key")
	}
	return size, nil
}

// CheckpointIdentity returns which system a checkpoint is of: Options.Identity of the search that
// has written it with the same Options.Key.
func CheckpointIdentity(name string, key []byte) (string, error) {
	file, err := os.Open(name)
	if err != nil {
		return "", diag.Usagef("%v", err)
	}
	defer file.Close()
	if _, err := verify(file, key); err != nil {
		return "", diag.Usagef("%s: %v", name, err)
	}
	h, err := readHead(bufio.NewReader(file))
	if err != nil {
		return "", diag.Usagef("%s: %v", name, err)
	}
	return h.Identity, nil
}

// readHead reads the part that is JSON, and what is before it.
func readHead(r *bufio.Reader) (h checkpointHead, err error) {
	magic := make([]byte, len(checkpointMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != checkpointMagic {
		return h, errors.New("not a checkpoint of this version")
	}
	n, err := binary.ReadUvarint(r)
	if err != nil {
		return h, err
	}
	head := &io.LimitedReader{R: r, N: int64(min(n, 1<<40))}
	data, err := io.ReadAll(head)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return h, fmt.Errorf("head of checkpoint: %w", err)
	}
	return h, nil
}

func (s *search) read(r *bufio.Reader, c *cursor, frontier func(h checkpointHead, r *bufio.Reader) error) error {
	h, err := readHead(r)
	if err != nil {
		return err
	}
	if err := s.agree(h); err != nil {
		return err
	}
	if err := s.recall(h, c); err != nil {
		return err
	}
	if err := frontier(h, r); err != nil {
		return err
	}
	if _, err := s.set.ReadFrom(r); err != nil {
		return err
	}
	if _, err := r.ReadByte(); err != io.EOF {
		return errors.New("more data than expected")
	}
	if n := s.states(); n < int64(h.Count) || s.o.Strategy == BreadthFirst && n > int64(h.Count) {
		return fmt.Errorf("%d visited states, and paths to %d", n, h.Count)
	}
	return nil
}

// agree takes over counts, if the checkpoint is of the same search.
func (s *search) agree(h checkpointHead) error {
	own := s.head()
	switch {
	case h.Identity != own.Identity:
		return fmt.Errorf("checkpoint of %q, want %q", h.Identity, own.Identity)
	case h.Strategy != own.Strategy:
		return fmt.Errorf("checkpoint of a search %q, want %s", h.Strategy, own.Strategy)
	case h.Reduce != own.Reduce:
		return fmt.Errorf("checkpoint of a search with reduction %v, want %v", h.Reduce, own.Reduce)
	case h.Set != own.Set:
		return fmt.Errorf("checkpoint of a search with visited states as %q, want %s", h.Set, own.Set)
	}
	if h.Transitions < 0 || h.Transitions > maxCount || h.More < 0 || h.More > maxCount || h.MaxDepth < 0 || h.MaxDepth > math.MaxUint32 {
		return fmt.Errorf("%d transitions, %d more findings, depth %d: these are no counts", h.Transitions, h.More, h.MaxDepth)
	}
	s.transitions, s.more, s.maxDepth = h.Transitions, h.More, h.MaxDepth
	return nil
}

// maxCount is more than any search counts, and leaves room to count on.
const maxCount = 1 << 60

// checkpoint writes the stack of a depth-first search.
func (d *depthFirst) checkpoint() error {
	h := d.head()
	h.Count = uint32(len(d.stack))
	return d.save(h, func(w *bufio.Writer) {
		var buf []byte
		for _, f := range d.stack {
			buf = binary.AppendUvarint(buf[:0], uint64(f.next-f.lo))
			w.Write(binary.AppendUvarint(buf, uint64(f.hi-f.lo)))
		}
	})
}

// resume reads the stack of a depth-first search.
func (d *depthFirst) resume(name string) error { return d.load(name, d.c, d.readStack) }

// readStack goes to where the search was, and builds its stack on the way.
func (d *depthFirst) readStack(h checkpointHead, r *bufio.Reader) error {
	d.c.Reset()
	for i := range h.Count {
		next, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		n, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		lo := len(d.steps)
		d.follow()
		last := i == h.Count-1
		if got := len(d.steps) - lo; uint64(got) != n || next > n || next == 0 && !last {
			return fmt.Errorf("depth %d: %d steps, want %d: the checkpoint belongs to another system", i, got, n)
		}
		f := frame{lo: uint32(lo), next: uint32(lo) + uint32(next), hi: uint32(len(d.steps))}
		if n > 1 && next > 0 {
			f.mark, f.saved = d.c.Save(), true
		}
		d.stack = append(room.For(d.stack, 1), f)
		d.watch.push(d.c.System, d.c.digest(d.set), int(i))
		if !last {
			d.c.Take(d.steps[f.next-1])
		}
	}
	return nil
}

// checkpoint writes the parent links of a breadth-first search.
func (b *breadthFirst) checkpoint() error {
	h := b.head()
	h.Depth, h.Next, h.End, h.Count = b.depth, b.next, b.end, b.f.n
	return b.save(h, func(w *bufio.Writer) {
		var buf []byte
		for n := uint32(1); n < b.f.n; n++ {
			at := b.f.at(n)
			buf = binary.AppendUvarint(buf[:0], uint64(n-at.parent))
			w.Write(binary.AppendUvarint(buf, uint64(at.step)))
		}
	})
}

// resume reads the parent links of a breadth-first search.
func (b *breadthFirst) resume(name string, c *cursor) error { return b.load(name, c, b.readForest) }

// readForest reads parent links, which have to be those of a breadth-first search that
// has come to the middle of a level: parents are in their order, so levels lie one behind
// the other. Whether the steps are there is found out when they are taken.
func (b *breadthFirst) readForest(h checkpointHead, r *bufio.Reader) error {
	depth, level := 0, uint32(0)         // of the last state, and the first one of that level
	before, last := uint32(0), uint32(0) // the first one of the level before, and the last parent
	for n := uint32(1); n < h.Count; n++ {
		back, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		step, err := binary.ReadUvarint(r)
		if err != nil {
			return err
		}
		if back == 0 || back > uint64(n) || step > 1<<32-1 || n-uint32(back) < last {
			return fmt.Errorf("state %d has no path", n)
		}
		if last = n - uint32(back); last >= level {
			depth, before, level = depth+1, level, n
		}
		b.f.add(last, lts.Step(step))
	}
	if depth == h.Depth { // nothing of the next level was found
		before, level = level, b.f.n
	} else {
		depth--
	}
	if h.Depth != depth || h.Next < before || h.Next < last || h.Next > h.End || h.End != level || h.Count != b.f.n {
		return fmt.Errorf("level %d, from %d to %d of %d states, is not that of the paths", h.Depth, h.Next, h.End, h.Count)
	}
	b.depth, b.next, b.end = h.Depth, h.Next, h.End
	b.told = b.f.n
	return nil
}
