package cert

import "io"

// A Script reads events one by one. It keeps the stack of the search and tables of
// bounded size.
type Script struct {
	r      *Reader
	at     int // next section
	now    section
	buf    []byte
	c      coder
	m      *model
	begun  bool // a chunk
	block  bool // a block
	ended  bool // the last event ended a block
	done   bool
	clock  clock
	found  uint32 // new states
	depth  uint32
	sum    uint32   // Sums.Blocks
	states []uint32 // on the stack
	subs   subgraphs
}

// Script returns the events from the first on. Each call returns another reader.
func (c *Reader) Script() *Script {
	s := &Script{r: c, states: []uint32{1}}
	s.c.decode = true
	s.m = newModel(&s.c)
	s.subs.push(1, 0)
	return s
}

// Depth returns how many states are on the stack without the start.
func (s *Script) Depth() int { return len(s.states) - 1 }

// State returns the number of the state that the events have come to.
func (s *Script) State() uint32 { return s.states[len(s.states)-1] }

// Found returns how many states the events have led to, with the start.
func (s *Script) Found() uint32 { return s.found + 1 }

// Now returns how many transitions there were up to the last event, to within a
// block.
func (s *Script) Now() uint64 { return s.clock.now(s.done) }

// Ended reports whether a block ends with the last event, and how many transitions
// there were up to its end.
func (s *Script) Ended() (transitions uint64, ok bool) {
	return s.clock.from + s.clock.count, s.ended || s.done
}

// Next returns the next event. The end is io.EOF, after everything that the
// script itself can show has been compared with what the file says at its end.
func (s *Script) Next() (Event, error) {
	if s.done {
		return Event{}, io.EOF
	}
	if err := s.begin(); err != nil {
		return Event{}, err
	}
	var e Event
	if !s.m.event(&e) {
		return e, s.errorf("the event after state %d cannot be here", s.Found())
	}
	if s.c.short > 8 {
		return e, s.errorf("the chunk ends before its events")
	}
	s.ended = s.clock.tick()
	s.block = !s.ended
	if e.Op == Back {
		return s.back(e)
	}
	if s.Found() >= s.r.Counts.States {
		return e, s.errorf("more states than the %d that the end section says", s.r.Counts.States)
	}
	s.found++
	e.State = s.Found()
	s.states = append(s.states, e.State)
	s.depth = max(s.depth, uint32(s.Depth()))
	s.subs.push(e.State, s.Now())
	return e, s.chunk()
}

// chunk ends a chunk if it is full.
func (s *Script) chunk() error {
	if s.clock.events%chunkEvents == 0 {
		return s.endChunk()
	}
	return nil
}

// back follows an event Back.
func (s *Script) back(e Event) (Event, error) {
	s.states = s.states[:len(s.states)-1]
	if len(s.states) > 0 {
		s.subs.pop(s.Now())
		e.State = s.State()
		return e, s.chunk()
	}
	s.done = true
	s.states = append(s.states, 1)
	s.subs.pop(s.Now())
	if err := s.endChunk(); err != nil {
		return e, err
	}
	if err := s.end(); err != nil {
		return e, err
	}
	return e, io.EOF
}

func (s *Script) errorf(format string, args ...any) error {
	return errAt(s.now.offset, "script: "+format, args...)
}

// begin begins a chunk and a block, if the last ones have ended.
func (s *Script) begin() error {
	if !s.begun {
		if s.at == len(s.r.sections) || s.r.sections[s.at].kind != secScript {
			return s.errorf("it ends %d states away from the start", s.Depth())
		}
		var err error
		if s.now, s.buf, err = readSection(s.r.r, s.r.size, s.r.sections[s.at].offset, s.buf); err != nil {
			return err
		}
		s.at++
		s.begun = true
		s.c.begin(s.now.payload(s.buf))
	}
	if !s.block {
		s.block = true
		n := s.m.number(0)
		s.sum += uint32(n) * weight(blockOf(s.clock.events))
		s.clock.block(n)
		if s.clock.from+s.clock.count > s.r.Counts.Transitions {
			return s.errorf("more transitions than the %d that the end section says", s.r.Counts.Transitions)
		}
	}
	return nil
}

// endChunk looks whether all of a chunk was used.
func (s *Script) endChunk() error {
	s.begun = false
	if len(s.c.buf) > 0 {
		return s.errorf("the chunk goes on after its events")
	}
	return nil
}

// end compares what was read with what the file says.
func (s *Script) end() error {
	if s.at < len(s.r.sections) && s.r.sections[s.at].kind == secScript {
		return s.errorf("it goes on after its end")
	}
	got := Counts{s.Found(), s.Now(), s.depth}
	if want := s.r.Counts; got != want {
		return s.errorf("%d states, %d transitions and depth %d, but the end section says %d, %d and %d",
			got.States, got.Transitions, got.Depth, want.States, want.Transitions, want.Depth)
	}
	if s.sum != s.r.Sums.Blocks {
		return s.errorf("the sum of its blocks is not the one in the end section")
	}
	if !s.subs.finish(got.Transitions).Equal(s.r.Subgraphs) {
		return s.errorf("the list of subgraphs is not that of the script")
	}
	return nil
}
