package cert

import "io"

// A Script reads events one by one. It keeps the stack of the search, the names
// of instructions and tables of bounded size.
type Script struct {
	r      *Reader
	at     int // next section
	now    section
	buf    []byte
	c      coder
	m      *model
	left   int // events of the chunk
	codes  []Instr
	texts  int // bytes of names
	counts Counts
	subs   subgraphs
	done   bool
}

// Script returns the events from the first on. Each call returns another reader.
func (c *Reader) Script() *Script {
	s := &Script{r: c, counts: Counts{States: 1}}
	s.c.decode = true
	s.m = newModel(&s.c, c.Header.Kind == Tree)
	s.subs.push(1)
	return s
}

// Instr returns the instruction with a number that an event had.
func (s *Script) Instr(code int) *Instr { return &s.codes[code] }

// Counts returns the size of what was read.
func (s *Script) Counts() Counts { return s.counts }

// Depth returns how many states are on the stack without the start.
func (s *Script) Depth() int { return len(s.m.stack) - 1 }

// State returns the number of the state that the events have come to.
func (s *Script) State() uint32 { return s.m.stack[len(s.m.stack)-1].state }

// Offset returns where in the file the chunk of the last event begins.
func (s *Script) Offset() int64 { return s.now.offset }

// Next returns the next event. The end is io.EOF, after everything that the
// script itself can show has been compared with what the file says at its end.
func (s *Script) Next() (Event, error) {
	for s.left == 0 {
		if s.done {
			return Event{}, io.EOF
		}
		if err := s.chunk(); err != nil {
			return Event{}, err
		}
	}
	var e Event
	if !s.m.event(&e) {
		return Event{}, s.errorf("the event after %d transitions cannot be here", s.counts.Transitions)
	}
	if s.c.short > 8 {
		return Event{}, s.errorf("the chunk ends before its events")
	}
	s.counts.add(e.Op)
	s.subs.add(e)
	s.counts.Depth = max(s.counts.Depth, uint32(s.Depth()))
	if s.left--; s.left == 0 {
		if len(s.c.buf) > 0 {
			return Event{}, s.errorf("the chunk goes on after its events")
		}
		if s.m.codes < len(s.codes) {
			return Event{}, s.errorf("%d instructions that nothing uses", len(s.codes)-s.m.codes)
		}
	}
	return e, nil
}

func (s *Script) errorf(format string, args ...any) error {
	return errAt(s.now.offset, "script: "+format, args...)
}

// chunk begins the next chunk, or ends the script.
func (s *Script) chunk() error {
	if s.at == len(s.r.sections) || s.r.sections[s.at].kind == secTraffic {
		s.done = true
		return s.end()
	}
	var err error
	if s.now, s.buf, err = readSection(s.r.r, s.r.size, s.r.sections[s.at].offset, s.buf); err != nil {
		return err
	}
	s.at++
	data := s.now.payload(s.buf)
	if s.now.kind == secCodes {
		return s.define(data)
	}
	cut := cutter{data}
	n := cut.number()
	if cut.data == nil || n == 0 || n > chunkEvents {
		return s.errorf("a chunk of %d events: the limit is %d", n, chunkEvents)
	}
	s.left = int(n)
	s.c.begin(cut.data)
	return nil
}

// define reads the names of instructions.
func (s *Script) define(data []byte) error {
	list, err := unpack(data, chunkEvents*(maxText+16))
	if err != nil {
		return s.errorf("%v", err)
	}
	for cut := (cutter{list}); len(cut.data) > 0; {
		in := cut.instr()
		if cut.data == nil {
			return s.errorf("instruction %d is damaged", len(s.codes))
		}
		s.codes = append(s.codes, in)
		s.m.define(in.Actor, in.Text)
		s.texts += len(in.Text)
		if len(s.codes) > maxCodes || s.texts > maxTexts {
			return s.errorf("more than %d instructions, or %d bytes of names", maxCodes, maxTexts)
		}
	}
	return nil
}

// end compares what was read with what the file says.
func (s *Script) end() error {
	if s.Depth() > 0 {
		return s.errorf("it ends %d states away from the start", s.Depth())
	}
	if s.counts != s.r.Counts {
		return s.errorf("%d states, %d transitions and depth %d, but the end section says %d, %d and %d",
			s.counts.States, s.counts.Transitions, s.counts.Depth, s.r.Counts.States, s.r.Counts.Transitions, s.r.Counts.Depth)
	}
	s.subs.pop()
	if !s.subs.finish(s.counts.Transitions).Equal(s.r.Subgraphs) {
		return s.errorf("the list of subgraphs is not that of the script")
	}
	return nil
}
