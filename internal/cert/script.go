package cert

import "io"

// A Script reads events one by one. It keeps the stack of the search and tables of
// bounded size.
type Script struct {
	r      *Reader
	from   []section // that it is read from
	at     int       // next section
	now    section
	buf    []byte
	c      coder
	m      *model
	copy   *copied // instead of these, if it is not nil
	begun  bool    // a chunk
	block  block   // that was read, of which
	next   int     // events have been told
	read   uint64  // events
	open   int     // states on the stack, after all of the block, with the start
	states uint32  // that were found, after all of the block
	ended  bool    // the last event ended a block
	done   bool
	clock  clock
	found  uint32 // new states
	depth  uint32
	sum    uint32   // Sums.Blocks
	stack  []uint32 // states
	subs   subgraphs
}

// Script returns the events from the first on. Each call returns another reader.
func (c *Reader) Script() *Script {
	s := c.begin(c.script)
	s.c.decode = true
	s.m = newModel(&s.c)
	return s
}

// begin returns a reader of some sections.
func (c *Reader) begin(from []section) *Script {
	s := &Script{r: c, from: from, stack: []uint32{1}, open: 1, states: 1}
	s.subs.push(1, 0)
	return s
}

// Depth returns how many states are on the stack without the start.
func (s *Script) Depth() int { return len(s.stack) - 1 }

// State returns the number of the state that the events have come to.
func (s *Script) State() uint32 { return s.stack[len(s.stack)-1] }

// Found returns how many states the events have led to, with the start.
func (s *Script) Found() uint32 { return s.found + 1 }

// Now returns how many transitions there were up to the last event, to within a
// block.
func (s *Script) Now() uint64 { return s.clock.now(&s.block) }

// Ended reports whether a block ends with the last event, and how many transitions
// there were up to its end.
func (s *Script) Ended() (transitions uint64, ok bool) { return s.clock.from, s.ended }

// Next returns the next event. The end is io.EOF, after everything that the
// script itself can show has been compared with what the file says at its end.
func (s *Script) Next() (Event, error) {
	if s.done {
		return Event{}, io.EOF
	}
	if s.next == len(s.block.events) {
		if err := s.fill(); err != nil {
			return Event{}, err
		}
	}
	e := s.block.events[s.next]
	s.ended = s.clock.tick(&s.block, s.next)
	s.next++
	if e.Op == Back {
		return s.back(e)
	}
	s.found++
	e.State = s.Found()
	s.stack = append(s.stack, e.State)
	s.depth = max(s.depth, uint32(s.Depth()))
	s.subs.push(e.State, s.Now())
	return e, nil
}

// back follows an event Back.
func (s *Script) back(e Event) (Event, error) {
	s.stack = s.stack[:len(s.stack)-1]
	if len(s.stack) > 0 {
		s.subs.pop(s.Now())
		e.State = s.State()
		return e, nil
	}
	s.done = true
	s.stack = append(s.stack, 1)
	s.subs.pop(s.Now())
	if err := s.end(); err != nil {
		return e, err
	}
	return e, io.EOF
}

func (s *Script) errorf(format string, args ...any) error {
	return errAt(s.now.offset, "script: "+format, args...)
}

// fill reads a block, and begins and ends chunks.
func (s *Script) fill() error {
	if s.r.Interrupt != nil {
		if err := s.r.Interrupt(); err != nil {
			return err
		}
	}
	if !s.begun {
		if err := s.chunk(); err != nil {
			return err
		}
	}
	b := &s.block
	b.reset()
	s.next = 0
	at := s.read
	for size := blockSize(s.read); uint64(len(b.events)) < size && s.open > 0; s.read++ {
		if err := s.event(b); err != nil {
			return err
		}
	}
	if s.r.Header.Kind != Tree {
		tail, ok := s.tail()
		if !ok {
			return s.errorf("the chunk ends before its events")
		}
		b.end(tail)
	}
	if b.tail > 0 && b.backs == 0 {
		return s.errorf("%d transitions of no event before state %d", b.tail, s.states)
	}
	n := b.known + b.tail
	if left := s.r.Counts.Transitions - s.clock.from; b.known > left || b.tail > left-b.known {
		return s.errorf("more transitions than the %d that the end section says", s.r.Counts.Transitions)
	}
	s.sum += uint32(n) * weight(blockOf(at))
	if s.open == 0 || s.full() {
		s.begun = false
		if s.rest() > 0 {
			return s.errorf("the chunk goes on after its events")
		}
	}
	return nil
}

// chunk begins the next chunk.
func (s *Script) chunk() (err error) {
	if s.at == len(s.from) {
		return s.errorf("it ends %d states away from the start", s.Depth())
	}
	if s.now, s.buf, err = readSection(s.r.r, s.r.size, s.from[s.at].offset, s.buf); err != nil {
		return err
	}
	s.at++
	s.begun = true
	if s.copy == nil {
		s.c.begin(s.now.payload(s.buf))
	} else if err := s.copy.begin(s.now.payload(s.buf)); err != nil {
		return s.errorf("%v", err)
	}
	return nil
}

// tail reads how many transitions the events Back of a block stand for.
func (s *Script) tail() (n uint64, ok bool) {
	if s.copy != nil {
		return s.copy.tail()
	}
	n = s.m.tails.code(0)
	return n, s.c.short <= 8
}

// full reports whether the chunk is to have no more blocks.
func (s *Script) full() bool {
	if s.copy != nil {
		return s.rest() == 0
	}
	return s.read%chunkEvents == 0
}

// rest returns how many bytes of the chunk are left.
func (s *Script) rest() int {
	if s.copy != nil {
		return len(s.copy.cut.data)
	}
	return len(s.c.buf)
}

// event reads an event of a block.
func (s *Script) event(b *block) error {
	var e Event
	var passed uint32
	var ok bool
	if s.copy != nil {
		passed, ok = s.copy.event(&e)
	} else {
		passed, ok = s.m.event(&e)
	}
	switch {
	case !ok:
		return s.errorf("the event after state %d cannot be here", s.states)
	case s.c.short > 8:
		return s.errorf("the chunk ends before its events")
	case e.Op == Back:
		s.open--
	case s.states >= s.r.Counts.States:
		return s.errorf("more states than the %d that the end section says", s.r.Counts.States)
	case s.open > int(s.r.Counts.Depth):
		return s.errorf("more than the depth of %d that the end section says", s.r.Counts.Depth)
	default:
		s.open++
		s.states++
		if s.r.Header.Kind == Tree {
			passed = 1
		}
	}
	b.add(e, passed)
	return nil
}

// end compares what was read with what the file says.
func (s *Script) end() error {
	if s.at < len(s.from) {
		return s.errorf("it goes on after its end")
	}
	got := Counts{s.Found(), s.Now(), s.depth}
	if want := s.r.Counts; got != want {
		return s.errorf("%d states, %d transitions and depth %d, but the end section says %d, %d and %d",
			got.States, got.Transitions, got.Depth, want.States, want.Transitions, want.Depth)
	}
	if !s.subs.finish(got.Transitions).Equal(s.r.Subgraphs) {
		return s.errorf("the list of subgraphs is not that of the script")
	}
	sum := s.sum // not a pointer into the script, which would stay with its tables
	s.r.blocks.Store(&sum)
	return nil
}

// BlockSum returns Sums.Blocks of the script, which is read for that if it was not read to
// its end before.
func (c *Reader) BlockSum() (uint32, error) {
	if c.blocks.Load() == nil {
		s := c.quick()
		for c.blocks.Load() == nil {
			if _, err := s.Next(); err != nil && err != io.EOF {
				return 0, err
			}
		}
	}
	return *c.blocks.Load(), nil
}
