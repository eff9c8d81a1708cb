package certcheck

import "github.com/heddle-mc/heddle/internal/cert"

// A reader reads a whole script a little ahead of who follows it, on another
// processor if there is one.
type reader struct {
	batches chan []read
	used    chan []read // for new ones
	stop    chan struct{}
	now     []read
	at      int
}

// A read is an event, or why there is none, and how many transitions there were up to
// the end of its block if it is the last one there.
type read struct {
	cert.Event
	err         error
	transitions uint64
	ended       bool
}

// readAhead starts to read. Close has to be called.
func readAhead(s *cert.Script) *reader {
	const batches, events = 4, 512
	r := &reader{batches: make(chan []read, batches), used: make(chan []read, batches), stop: make(chan struct{})}
	for range batches {
		r.used <- make([]read, 0, events)
	}
	go func() {
		for {
			var b []read
			select {
			case b = <-r.used:
			case <-r.stop:
				return
			}
			for len(b) < events {
				e, err := s.Next()
				n, ended := s.Ended()
				b = append(b, read{e, err, n, ended})
				if err != nil {
					r.batches <- b // there is room for all that there are
					return
				}
			}
			r.batches <- b
		}
	}()
	return r
}

// Close ends the reading.
func (r *reader) Close() { close(r.stop) }

// Next returns the next event. After an error there are no more.
func (r *reader) Next() (cert.Event, error) {
	if r.at == len(r.now) {
		if r.now != nil {
			r.used <- r.now[:0]
		}
		r.now, r.at = <-r.batches, 0
	}
	e := &r.now[r.at]
	r.at++
	return e.Event, e.err
}

// Ended is that of cert.Script, of the last event.
func (r *reader) Ended() (transitions uint64, ok bool) {
	e := &r.now[r.at-1]
	return e.transitions, e.ended
}
