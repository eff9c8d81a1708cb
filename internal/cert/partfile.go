package cert

import (
	"bytes"
	"crypto/sha256"
	"io"
	"slices"
	"strings"
)

// A part can be a file of its own, to be handed to somebody who examines it and gives back
// what he has found. It begins with another line than a certificate, has the header and the traffic of
// that, the part, and a ticket: what whoever cut it wants to see again with the result. The end
// has the digest of everything before. The part itself is not packed anew, so its bytes are those of Append.

// magicPart begins such a file; the version follows.
const magicPart = "heddle part "

// A PartFile is a part that was handed out.
type PartFile struct {
	// Reader has the header of the certificate, and its traffic. It has no script.
	*Reader
	Part   *Part
	Data   []byte // the part as Append returns it
	Ticket []byte
}

// maxTicket bounds what goes with a part.
const maxTicket = 1 << 16

// WritePart writes a part of a certificate as a file of its own.
func WritePart(w io.Writer, c *Reader, p *Part, ticket []byte) error {
	out := []byte(magicPart + versionText + "\n")
	start := int64(bytes.IndexByte(lineOf(c.r), '\n') + 1)
	s, buf, err := readSection(c.r, c.size, start, nil)
	if err != nil {
		return err
	}
	out = append(out, buf...)
	header, err := unpack(s.payload(buf), maxHeader)
	if err != nil {
		return err
	}
	traffic, err := c.Traffic()
	if err != nil {
		return err
	}
	for i := range c.traffic {
		if s, buf, err = readSection(c.r, c.size, c.traffic[i].offset, buf); err != nil {
			return err
		}
		out = append(out, buf[:s.end()-s.offset]...)
	}
	out = appendSection(out, secTicket, ticket)
	for piece := range slices.Chunk(p.Append(nil), maxSection/2) {
		out = appendSection(out, secPart, piece)
	}
	room := max(p.unpackedSize(), int64(len(header)), int64(len(traffic)))
	for size := sizeFor(room); int64(len(out)) < size; {
		out = appendSection(out, secRoom, make([]byte, min(size-int64(len(out)), maxSection)))
	}
	sum := sha256.Sum256(out)
	_, err = w.Write(appendSection(out, secEnd, sum[:]))
	return err
}

// lineOf returns the beginning of a file with its first line.
func lineOf(r io.ReaderAt) []byte {
	line := make([]byte, len(magic)+8)
	n, _ := r.ReadAt(line, 0) // a file that is open has one
	return line[:n]
}

// partFollows says what may come after a section in the file of a part.
var partFollows = map[sectionKind]string{0: "H", secHeader: "TK", secTraffic: "TK", secTicket: "Q", secPart: "QPE", secRoom: "PE"}

// OpenPart reads the file of a part.
func OpenPart(r io.ReaderAt, size int64) (*PartFile, error) {
	line := lineOf(r)
	version, _, whole := strings.Cut(string(line), "\n")
	switch v, ours := strings.CutPrefix(version, magicPart); {
	case whole && strings.HasPrefix(version, magic):
		return nil, errAt(0, "this is a whole certificate, and not a part that heddle cert partition -o has written")
	case !ours || !whole:
		return nil, errAt(0, "this is not a part of a certificate")
	case v != versionText:
		return nil, errAt(0, "a part of version %q: this program reads version %s", v, versionText)
	}
	f := &PartFile{Reader: &Reader{r: r, size: size}}
	sum := sha256.New()
	sum.Write(line[:len(version)+1])
	var buf []byte
	last := sectionKind(0)
	for at := int64(len(version) + 1); last != secEnd; {
		s, b, err := readSection(r, size, at, buf)
		if err != nil {
			return nil, err
		}
		buf = b
		if !strings.ContainsRune(partFollows[last], rune(s.kind)) {
			return nil, errAt(at, "section %q after section %q: there it cannot be", s.kind, last)
		}
		switch data := s.payload(buf); s.kind {
		case secHeader, secTraffic:
			err = f.take(&s, data)
		case secTicket:
			if len(data) > maxTicket {
				return nil, errAt(at, "a ticket of %d bytes: the limit is %d", len(data), maxTicket)
			}
			f.Ticket = slices.Clone(data)
		case secPart:
			f.Data = append(f.Data, data...)
		case secEnd:
			if !bytes.Equal(data, sum.Sum(nil)) {
				return nil, errAt(at, "the digest is not that of the bytes before it: the file was changed")
			}
		}
		if err != nil {
			return nil, errAt(at, "section %q: %v", s.kind, err)
		}
		sum.Write(buf)
		last, at = s.kind, s.end()
		if last == secEnd && at != size {
			return nil, errAt(at, "something follows the end")
		}
	}
	raw, err := (&measure{c: f.Reader, what: "part"}).unpack(f.Data, maxPart)
	if err == nil {
		f.Part, err = cutPart(raw)
	}
	if err != nil {
		return nil, errAt(0, "%v", err)
	}
	return f, nil
}
