package hostile

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// A checkpoint is one that was taken apart: see package explore.
type checkpoint struct {
	magic    []byte
	head     []byte // JSON
	frontier []byte // numbers
	visited  []byte // how many fingerprints, 8 bytes, and the fingerprints
}

const sumSize, sealSize, fingerprintSize = 16, 32, 16

// Checkpoint changes one thing in a checkpoint, or up to three, and makes its sum right
// again. With a key it makes the seal right, too, which only who has written it can do;
// without one the seal stays as it is. It returns what was changed.
func Checkpoint(r *rand.Rand, data, key []byte) ([]byte, string) {
	c := takeApart(data)
	var did []string
	for range pick(r, 1, 1, 1, 2, 3) {
		did = append(did, c.edit(r))
	}
	length := binary.AppendUvarint(nil, uint64(len(c.head)))
	if r.IntN(30) == 0 {
		x := number(r, uint64(len(c.head)))
		length = binary.AppendUvarint(nil, x)
		did = append(did, fmt.Sprintf("length of the head is %d", x))
	}
	out := slices.Concat(c.magic, length, c.head, c.frontier, c.visited)
	sum := xxh3.Hash128(out).Bytes()
	seal := data[len(data)-sealSize:]
	if key != nil {
		mac := hmac.New(sha256.New, key)
		mac.Write(out)
		seal = mac.Sum(nil)
	}
	return slices.Concat(out, sum[:], seal), strings.Join(did, "; ")
}

func (c *checkpoint) edit(r *rand.Rand) (what string) {
	switch r.IntN(12) {
	case 0:
		c.magic, what = editBytes(r, c.magic)
		return "magic: " + what
	case 1, 2, 3, 4:
		c.head, what = editJSON(r, c.head)
		return "head: " + what
	case 5, 6, 7:
		c.frontier, what = editNumbers(r, c.frontier, 4)
		return "frontier: " + what
	case 8:
		c.frontier, what = editBytes(r, c.frontier)
		return "frontier: " + what
	case 9:
		c.visited, what = editBytes(r, c.visited)
		return "visited: " + what
	case 10:
		x := number(r, binary.LittleEndian.Uint64(append(bytes.Clone(c.visited), make([]byte, 8)...)))
		c.visited = append(binary.LittleEndian.AppendUint64(nil, x), c.visited[min(8, len(c.visited)):]...)
		return fmt.Sprintf("visited: %d", x)
	}
	return c.dropVisited(r)
}

// dropVisited drops a fingerprint, or all of them, and counts them anew.
func (c *checkpoint) dropVisited(r *rand.Rand) string {
	n := max(len(c.visited)-8, 0) / fingerprintSize
	if n == 0 {
		return "visited: nothing to drop"
	}
	at, end := r.IntN(n), n
	if r.IntN(2) == 0 {
		end = at + 1
	}
	c.visited = append(binary.LittleEndian.AppendUint64(nil, uint64(n-(end-at))), slices.Delete(bytes.Clone(c.visited[8:]), at*fingerprintSize, end*fingerprintSize)...)
	return fmt.Sprintf("visited: %d to %d dropped", at, end)
}

// takeApart takes a checkpoint apart. Where the frontier ends is known by the number of
// fingerprints that begins what follows: the first place where it fits what is left.
func takeApart(data []byte) *checkpoint {
	data = data[:len(data)-sumSize-sealSize]
	at := bytes.IndexByte(data, '\n') + 1
	length, n := binary.Uvarint(data[at:])
	head := at + n
	body := head + int(length)
	c := &checkpoint{magic: bytes.Clone(data[:at]), head: bytes.Clone(data[head:body]), frontier: bytes.Clone(data[body:])}
	for i := body; i+8 <= len(data); i++ {
		if left := len(data) - i - 8; left%fingerprintSize == 0 && binary.LittleEndian.Uint64(data[i:]) == uint64(left/fingerprintSize) {
			c.frontier, c.visited = bytes.Clone(data[body:i]), bytes.Clone(data[i:])
			break
		}
	}
	return c
}
