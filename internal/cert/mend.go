package cert

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
)

// Mend returns a damaged certificate with its sums and its digest made right
// again, and signatures left out: what somebody can do who means harm. It is for
// tests, which look whether such a file is refused for what it says. Where no
// section can be found it leaves the rest as it is.
func Mend(data []byte) []byte {
	at := bytes.IndexByte(data, '\n') + 1
	out := append([]byte(nil), data[:at]...)
	for at < len(data) {
		kind := sectionKind(data[at])
		length, n := binary.Uvarint(data[at+1:])
		body := at + 1 + n
		if n <= 0 || length > uint64(len(data)-body) {
			break
		}
		end := body + int(length)
		payload := append([]byte(nil), data[body:end]...)
		if kind == secEnd && len(payload) >= sha256.Size {
			sum := sha256.Sum256(out)
			copy(payload[len(payload)-sha256.Size:], sum[:])
		}
		if kind == secSign {
			return out
		}
		head := append([]byte(nil), data[at:body]...) // the length may be written in more bytes than needed
		whole := append(head, payload...)
		out = append(out, binary.LittleEndian.AppendUint32(whole, crc32.Checksum(whole, castagnoli))...)
		if at = end + 4; at > len(data) {
			at = len(data)
		}
	}
	return append(out, data[at:]...)
}

// Reseal returns a certificate with another header and other traffic, and everything
// else as it is, without signatures. It is for tests, as Mend is.
func Reseal(data []byte, h Header, traffic []byte) ([]byte, error) {
	c, err := Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	start := bytes.IndexByte(data, '\n') + 1
	out := appendSection(append([]byte(nil), data[:start]...), secHeader, pack(text))
	for at := int64(start); at < c.size; {
		s, buf, err := readSection(c.r, c.size, at, nil)
		if err != nil {
			return nil, err
		}
		if s.kind == secSubgraphs && len(traffic) > 0 {
			out = appendSection(out, secTraffic, pack(traffic))
		}
		if s.kind != secHeader && s.kind != secTraffic {
			out = append(out, buf...)
		}
		at = s.end()
	}
	return Mend(out), nil
}
