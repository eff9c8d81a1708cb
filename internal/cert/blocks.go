package cert

// A script is in blocks of so many events. An event Fresh tells how many transitions
// it stands for: those that it passes over, and its own. An event Back does not: so a
// block ends with the number of transitions that all of its events Back stand for. So
// without the program it is known how much work lies between two events, to within a
// block and a few of its transitions.
//
// In a tree there are no transitions but those of events Fresh.

const (
	smallBlock  = 32  // events of a block at first
	largeBlock  = 128 // and later
	smallUntil  = 2048
	chunkEvents = 1 << 15 // events of a chunk of blocks that is coded together
)

// blockOf returns the block of an event that comes after so many.
func blockOf(events uint64) uint64 {
	if events < smallUntil {
		return events / smallBlock
	}
	return smallUntil/smallBlock + (events-smallUntil)/largeBlock
}

// blockSize returns how many events the block has that begins after so many, if it
// is not the last one.
func blockSize(events uint64) uint64 {
	if events < smallUntil {
		return smallBlock
	}
	return largeBlock
}

// EventsBefore returns how many events there were when so many new states were found,
// so many steps from the start: each state that is not on the way was left again.
func EventsBefore(found uint32, depth int) uint64 { return 2*uint64(found) - uint64(depth) }

// A block is what is coded at a time.
type block struct {
	events []Event
	passed []uint32 // transitions of events Fresh
	known  uint64   // their sum
	backs  uint64   // events Back
	tail   uint64   // transitions of all of these
	share  uint64   // of each of these
	rest   uint32   // that are more
}

func (b *block) reset() { *b = block{events: b.events[:0], passed: b.passed[:0]} }

// add adds an event that stands for so many transitions, if it is one of a new state.
func (b *block) add(e Event, passed uint32) {
	b.events, b.passed = append(b.events, e), append(b.passed, passed)
	b.known += uint64(passed)
	if e.Op == Back {
		b.backs++
	}
}

// end sets how many transitions events Back stand for.
func (b *block) end(tail uint64) {
	b.tail = tail
	if b.backs > 0 {
		b.share, b.rest = tail/b.backs, uint32(tail%b.backs)
	}
}

// A clock tells how many transitions there were up to an event.
type clock struct {
	events uint64
	from   uint64 // transitions before the block
	known  uint64 // of events Fresh of the block so far
	backs  uint64 // events Back of the block so far
}

// tick counts the next event of a block and reports whether it is the last one.
func (c *clock) tick(b *block, i int) bool {
	c.events++
	c.known += uint64(b.passed[i])
	if b.events[i].Op == Back {
		c.backs++
	}
	if i+1 < len(b.events) {
		return false
	}
	c.from += b.known + b.tail
	c.known, c.backs = 0, 0
	return true
}

// now returns the transitions so far. Each event Back of a block is taken to stand for
// as many as the others.
func (c *clock) now(b *block) uint64 {
	if c.backs == 0 {
		return c.from + c.known
	}
	return c.from + c.known + b.share*c.backs + uint64(b.rest*uint32(c.backs)/uint32(b.backs))
}
