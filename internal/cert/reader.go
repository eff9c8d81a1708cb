package cert

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync/atomic"
)

// A Reader is an open certificate.
type Reader struct {
	Header    Header
	Counts    Counts
	Sums      Sums // but Blocks
	Subgraphs *Subgraphs
	Shortcuts *Shortcuts // nil if there are none
	// Digest is that of everything but the signatures.
	Digest [sha256.Size]byte
	before [sha256.Size]byte // the digest of everything before the end section, which has it
	// Signatures have been checked: each is one of the digest.
	Signatures []Signature
	// Interrupt is asked now and then while a script is read, if it is not nil: an error ends that.
	Interrupt func() error

	r        io.ReaderAt
	size     int64
	script   []section
	copies   []section
	traffic  []section
	graph    []section
	evidence []section
	blocks   atomic.Pointer[uint32] // Sums.Blocks, when a script was read to its end
}

// A Signature says who has signed.
type Signature struct {
	Key ed25519.PublicKey
	Sig []byte
}

// Is reports whether a file with this beginning is a certificate, of any version, whole or not.
func Is(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// Open reads a certificate once from start to end: whether it is whole, what it
// is about, and who has signed it. The script is read by Script.
func Open(r io.ReaderAt, size int64) (*Reader, error) {
	c := &Reader{r: r, size: size}
	line := make([]byte, len(magic)+8)
	n, err := r.ReadAt(line, 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	version, _, whole := strings.Cut(string(line[:n]), "\n")
	switch v, ours := strings.CutPrefix(version, magic); {
	case whole && strings.HasPrefix(version, magicPart):
		return nil, errAt(0, "this is a part of a certificate: heddle certify -part examines it")
	case !ours || !whole:
		return nil, errAt(0, "this is not a certificate")
	case v != fmt.Sprint(Version):
		return nil, errAt(0, "a certificate of version %q: this program reads version %d", v, Version)
	}
	sum := sha256.New()
	sum.Write(line[:len(version)+1])
	var buf []byte
	var order checkOrder
	for at := int64(len(version) + 1); at < size || !order.ended(); {
		var s section
		if s, buf, err = readSection(r, size, at, buf); err != nil {
			return nil, err
		}
		if err := order.next(&s); err != nil {
			return nil, err
		}
		if s.kind == secEnd {
			sum.Sum(c.before[:0])
		}
		sum.Write(buf)
		if s.kind == secEnd {
			sum.Sum(c.Digest[:0])
		}
		if err := c.take(&s, s.payload(buf)); err != nil {
			return nil, errAt(s.offset, "section %q: %v", s.kind, err)
		}
		at = s.end()
	}
	return c, nil
}

// checkOrder checks that sections are those of a certificate, in their order.
type checkOrder struct{ last sectionKind }

// follows says what may come after a section.
var follows = map[sectionKind]string{
	0: "H", secHeader: "SR", secScript: "SRCTWFPG", secCopy: "SRCTWFPG", secGraph: "SRCTWFPG", secTraffic: "TWFPG", secShortcuts: "FPG", secEvidence: "FPG", secRoom: "PG",
	secSubgraphs: "E", secEnd: "Z", secSign: "Z",
}

func (o *checkOrder) next(s *section) error {
	if !strings.ContainsRune(follows[o.last], rune(s.kind)) {
		return errAt(s.offset, "section %q after section %q: there it cannot be", s.kind, o.last)
	}
	o.last = s.kind
	return nil
}

func (o *checkOrder) ended() bool { return o.last == secEnd || o.last == secSign }

// take keeps what a section says.
func (c *Reader) take(s *section, data []byte) error {
	switch s.kind {
	case secHeader:
		return c.takeHeader(data)
	case secGraph:
		c.graph = append(c.graph, *s)
	case secEvidence:
		if len(data) < sha256.Size {
			return fmt.Errorf("%d bytes are no evidence", len(data))
		}
		c.evidence = append(c.evidence, *s)
	case secScript:
		c.script = append(c.script, *s)
	case secCopy:
		c.copies = append(c.copies, *s)
	case secTraffic:
		c.traffic = append(c.traffic, *s)
	case secSubgraphs:
		list, err := unpack(data, 32*maxSubgraphs*2)
		if err == nil {
			c.Subgraphs, err = readSubgraphs(list)
		}
		return err
	case secShortcuts:
		list, err := unpack(data, 20*maxShortcuts)
		if err == nil {
			c.Shortcuts, err = readShortcuts(list)
		}
		return err
	case secEnd:
		return c.takeEnd(data)
	case secSign:
		if len(data) != ed25519.PublicKeySize+ed25519.SignatureSize {
			return fmt.Errorf("%d bytes are no signature", len(data))
		}
		sig := Signature{slices.Clone(data[:ed25519.PublicKeySize]), slices.Clone(data[ed25519.PublicKeySize:])}
		if !ed25519.Verify(sig.Key, signed(c.Digest), sig.Sig) {
			return fmt.Errorf("the signature is not one of this certificate")
		}
		c.Signatures = append(c.Signatures, sig)
	}
	return nil
}

func (c *Reader) takeHeader(data []byte) error {
	text, err := (&measure{c: c, what: "header"}).unpack(data, maxHeader)
	if err != nil {
		return err
	}
	if sparse(text) {
		return fmt.Errorf("a header of %d bytes with too many values", len(text))
	}
	if err := readHeader(text, &c.Header); err != nil {
		return err
	}
	if k := c.Header.Kind; k != Full && k != Tree {
		return fmt.Errorf("a certificate of kind %q", k)
	}
	return nil
}

func (c *Reader) takeEnd(data []byte) error {
	cut := cutter{data}
	states := cut.number()
	c.Counts.Transitions = cut.number()
	depth := cut.number()
	cut.data = c.Sums.read(cut.data, c.Header.Kind)
	switch {
	case len(cut.data) != sha256.Size || states > math.MaxUint32 || depth > maxDepth:
		return fmt.Errorf("the numbers are damaged")
	case !bytes.Equal(cut.data, c.before[:]):
		return fmt.Errorf("the digest is not that of the bytes before it: the file was changed")
	}
	if int64(depth)*depthBytes > unpacked(c.size) {
		return fmt.Errorf("a depth of %d is too much for a file of %d bytes", depth, c.size)
	}
	c.Counts.States, c.Counts.Depth = uint32(states), uint32(depth)
	return nil
}

// Reduced reports whether the steps that the script counts are those of lts.Reducer.
// A tree counts all that are enabled, so that who follows it need not ask for them.
func (c *Reader) Reduced() bool { return c.Header.Reduce && c.Header.Kind == Full }

// Size returns the length of the file in bytes, and of the script in it with its
// sums.
func (c *Reader) Size() (file, script int64) {
	for i := range c.script {
		script += int64(c.script[i].length)
	}
	return c.size, script + 4*int64(len(c.Sums.written(c.Header.Kind)))
}

// CopySize returns how many bytes the copy of the script has.
func (c *Reader) CopySize() (n int64) {
	for i := range c.copies {
		n += int64(c.copies[i].length)
	}
	return n
}

// Traffic returns the recorded traffic, nil if there is none.
func (c *Reader) Traffic() ([]byte, error) {
	var all, buf []byte
	m := measure{c: c, what: "traffic"}
	for _, s := range c.traffic {
		var err error
		if s, buf, err = readSection(c.r, c.size, s.offset, buf); err != nil {
			return nil, err
		}
		piece, err := m.unpack(s.payload(buf), trafficPiece)
		if err != nil {
			return nil, errAt(s.offset, "traffic: %v", err)
		}
		if all = append(all, piece...); len(all) > maxTraffic {
			return nil, errAt(s.offset, "more than %d bytes of traffic", maxTraffic)
		}
	}
	return all, nil
}
