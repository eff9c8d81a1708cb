package progcache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"
)

// An index is text: a header, a line for each input, and a checksum.
//
//	heddle index 1
//	file "/home/u/hello/main.go"
//	source "/home/u/hello"
//	sum 5f0c…
const indexHeader = "heddle index 1\n"

// errDamaged is returned for entries that were not written by this package or
// have changed since.
var errDamaged = errors.New("damaged cache entry")

// encodeIndex returns the text of an index.
func encodeIndex(in Inputs) []byte {
	var b bytes.Buffer
	b.WriteString(indexHeader)
	for _, list := range []struct {
		word  string
		names []string
	}{{"file", in.Files}, {"source", in.SourceDirs}, {"tree", in.Trees}} {
		for _, name := range list.names {
			fmt.Fprintf(&b, "%s %q\n", list.word, name)
		}
	}
	fmt.Fprintf(&b, "sum %s\n", checksum(b.Bytes()))
	return b.Bytes()
}

// checksum guards against damage, not against malice: whoever can write to the
// cache can run programs as the user anyway.
func checksum(data []byte) string {
	sum := xxh3.Hash128(data).Bytes()
	return fmt.Sprintf("%x", sum)
}

// decodeIndex parses the text of an index.
func decodeIndex(data []byte) (Inputs, error) {
	var in Inputs
	end := bytes.LastIndex(data, []byte("\nsum ")) + 1
	if end == 0 || string(data[end:]) != "sum "+checksum(data[:end])+"\n" {
		return in, errDamaged
	}
	text, ok := strings.CutPrefix(string(data[:end]), indexHeader)
	if !ok {
		return in, errDamaged
	}
	for line := range strings.Lines(text) {
		word, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		name, err := strconv.Unquote(quoted)
		if err != nil {
			return in, errDamaged
		}
		switch word {
		case "file":
			in.Files = append(in.Files, name)
		case "source":
			in.SourceDirs = append(in.SourceDirs, name)
		case "tree":
			in.Trees = append(in.Trees, name)
		default:
			return in, errDamaged
		}
	}
	return in, nil
}

// A payload entry is a fixed header and the payload as it is. It is not
// compressed: reading and checking 15 MB takes 5 ms, decompressing them 20 ms.
//
//	offset size
//	0      16    "heddle payload 1"
//	16     32    its own name
//	48     8     length of the payload
//	56     16    checksum of the above and the payload
const (
	payloadMagic = "heddle payload 1"
	lengthOffset = len(payloadMagic) + len(Key{})
	sumOffset    = lengthOffset + 8
	headerSize   = sumOffset + 16
)

// payloadSum returns the checksum of an entry with the given header.
func payloadSum(header, payload []byte) [16]byte {
	h := xxh3.New()
	h.Write(header)
	h.Write(payload)
	return h.Sum128().Bytes()
}

// encodePayload returns the entry for a payload.
func encodePayload(id Key, payload []byte) []byte {
	data := make([]byte, 0, headerSize+len(payload))
	data = append(data, payloadMagic...)
	data = append(data, id[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(payload)))
	sum := payloadSum(data, payload)
	data = append(data, sum[:]...)
	return append(data, payload...)
}

// decodePayload returns the payload of an entry, which shares its memory.
func decodePayload(id Key, data []byte) ([]byte, error) {
	if len(data) < headerSize || string(data[:len(payloadMagic)]) != payloadMagic {
		return nil, errDamaged
	}
	header, payload := data[:sumOffset], data[headerSize:]
	if Key(header[len(payloadMagic):lengthOffset]) != id ||
		binary.LittleEndian.Uint64(header[lengthOffset:]) != uint64(len(payload)) ||
		payloadSum(header, payload) != [16]byte(data[sumOffset:headerSize]) {
		return nil, errDamaged
	}
	return payload, nil
}
