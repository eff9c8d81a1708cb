package cert

import (
	"encoding/binary"
	"math"
)

// A script is small, and takes long to be read: each bit of it is guessed in many ways, from all that came before. Who cuts
// one into parts does nothing else, and everybody else waits for that. So a certificate has the script
// once more, as numbers that are packed:
//
//	of each event of a block: 0 for Back, or the index of Fresh and 1; that twice, and its choice
//	and, but in a tree, the transitions that the events Back of the block stand for
//
// in pieces of whole blocks. It takes about twice the room of the script, and is decoded in a fiftieth of its time. Parts are held against the system as the script
// is, whatever they are cut from.

// copyPiece is how many bytes are packed together, or somewhat more.
const copyPiece = 1 << 20

// copyBlock is how many bytes a block takes at most.
const copyBlock = (largeBlock + 1) * binary.MaxVarintLen64

// copyBlock adds the block that was coded last, and writes what there is if it is enough, or the last.
func (w *Writer) copyBlock(end bool) {
	for _, e := range w.coded.events {
		x := uint64(0)
		if e.Op == Fresh {
			x = uint64(e.Index) + 1
		}
		w.copied = binary.AppendUvarint(w.copied, x<<1|uint64(e.Choice))
	}
	if !w.tree {
		w.copied = binary.AppendUvarint(w.copied, w.coded.tail)
	}
	if end || len(w.copied) >= copyPiece {
		w.section(secCopy, pack(w.copied))
		w.copied = w.copied[:0]
	}
}

// A copied reads the copy of a script.
type copied struct {
	cut   cutter   // the piece
	steps []uint32 // of the states on the stack, up to the last one that leads to a new state
}

// begin begins a piece.
func (c *copied) begin(data []byte) (err error) {
	c.cut.data, err = unpack(data, copyPiece+copyBlock)
	return err
}

// event is that of a model.
func (c *copied) event(e *Event) (passed uint32, ok bool) {
	x := c.cut.number()
	e.Choice = Choice(x & 1)
	if x >>= 1; x == 0 {
		e.Op = Back
		c.steps = c.steps[:len(c.steps)-1]
		return 0, c.cut.data != nil
	}
	top := &c.steps[len(c.steps)-1]
	if x > maxSteps || uint32(x) <= *top {
		return 0, false
	}
	passed = uint32(x) - *top
	*top, e.Index = uint32(x), int(x-1)
	c.steps = append(c.steps, 0)
	return passed, c.cut.data != nil && len(c.steps) <= maxDepth
}

// tail returns the transitions of the events Back of a block.
func (c *copied) tail() (n uint64, ok bool) {
	n = c.cut.number()
	return n, c.cut.data != nil && n < math.MaxInt64
}

// quick returns a reader of the script that takes less time than that of Script, if the certificate has a copy.
func (c *Reader) quick() *Script {
	if len(c.copies) == 0 {
		return c.Script()
	}
	s := c.begin(c.copies)
	s.copy = &copied{steps: []uint32{0}}
	return s
}
