package cert

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
)

// A certificate may have evidence of formulas about the whole graph, which holding it against each state and each transition
// does not show. What it consists of is the affair of who checks formulas. It has a name: a hash of the formula.

// An EvidenceName says what evidence is about.
type EvidenceName [sha256.Size]byte

// An evidence is what is to be written.
type evidence struct {
	name EvidenceName
	data []byte
}

// maxEvidence bounds the evidence of a formula.
const maxEvidence = 1 << 30

// Evidence adds the evidence of a formula, before the certificate is closed.
func (r *Recorder) Evidence(name EvidenceName, data []byte) {
	r.w.evidence = append(r.w.evidence, evidence{name, data})
}

// writeEvidence writes all evidence. Some may be empty, but it is there.
func (w *Writer) writeEvidence() {
	for _, e := range w.evidence {
		if len(e.data) > maxEvidence && w.err == nil {
			w.err = fmt.Errorf("more than %d bytes of evidence", maxEvidence)
		}
		w.room = max(w.room, int64(len(e.data)))
		for first := true; first || len(e.data) > 0; first = false {
			n := min(len(e.data), trafficPiece)
			w.section(secEvidence, append(e.name[:], pack(e.data[:n])...))
			e.data = e.data[n:]
		}
	}
}

// Evidences returns what there is evidence of, and how many bytes of the file that takes.
func (c *Reader) Evidences() (names []EvidenceName, size int64, err error) {
	var buf []byte
	for _, s := range c.evidence {
		if s, buf, err = readSection(c.r, c.size, s.offset, buf); err != nil {
			return nil, 0, err
		}
		if name := EvidenceName(s.payload(buf)); !slices.Contains(names, name) {
			names = append(names, name)
		}
		size += int64(s.length)
	}
	return names, size, nil
}

// Evidence returns the evidence of a formula, and whether there is any.
func (c *Reader) Evidence(name EvidenceName) (data []byte, ok bool, err error) {
	var buf []byte
	m := measure{c: c, what: "evidence"}
	for _, s := range c.evidence {
		if s, buf, err = readSection(c.r, c.size, s.offset, buf); err != nil {
			return nil, false, err
		}
		all := s.payload(buf)
		if !bytes.Equal(all[:len(name)], name[:]) {
			continue
		}
		piece, err := m.unpack(all[len(name):], trafficPiece)
		if err != nil {
			return nil, false, errAt(s.offset, "evidence: %v", err)
		}
		if data, ok = append(data, piece...), true; len(data) > maxEvidence {
			return nil, false, errAt(s.offset, "more than %d bytes of evidence", maxEvidence)
		}
	}
	return data, ok, nil
}
