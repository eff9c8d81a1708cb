package cert

// A script is in blocks of so many events. A block begins with the number of
// transitions that its events stand for, of which the events themselves tell only
// those to new states. So without the program it is known how much work lies between
// two events, to within a block.

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

// A clock tells how many transitions there were up to an event. Within a block it
// goes on evenly with each event.
type clock struct {
	events uint64
	from   uint64 // transitions before the block
	count  uint64 // in the block
	in     uint64 // events of the block so far
	size   uint64
}

// block begins a block.
func (c *clock) block(count uint64) {
	c.from += c.count
	c.count, c.in, c.size = count, 0, blockSize(c.events)
}

// tick counts an event and reports whether the block ends with it.
func (c *clock) tick() bool {
	c.events++
	c.in++
	return c.in == c.size
}

// now returns the transitions so far. At the end of a script it is told so.
func (c *clock) now(end bool) uint64 {
	if end || c.size == 0 {
		return c.from + c.count
	}
	return c.from + c.count/c.size*c.in + c.count%c.size*c.in/c.size
}
