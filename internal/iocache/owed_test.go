package iocache

import (
	"strings"
	"testing"
)

// A counted peer is one whose polls are counted.
type counted struct {
	*fake
	polls *int
}

func (c counted) Poll() (Response, error) {
	*c.polls++
	return c.fake.Poll()
}

type countedStage struct {
	*stage
	polls int
}

func (s *countedStage) Start(id HistoryID) (Peer, error) {
	p, err := s.stage.Start(id)
	if err != nil {
		return nil, err
	}
	return counted{p.(*fake), &s.polls}, nil
}

// TestOwed: a peer is told at once and listened to when somebody needs its answer, or
// before any peer is told something else.
func TestOwed(t *testing.T) {
	stage := &countedStage{stage: newStage()}
	c := New(stage, Options{})
	defer c.Close()
	s := c.NewSession()
	first, _, err := s.Connect("alphabet", "main")
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := s.Connect("alphabet", "main")
	if err != nil {
		t.Fatal(err)
	}
	polls := func(what string, want int, f func()) {
		t.Helper()
		before := stage.polls
		f()
		if got := stage.polls - before; got != want {
			t.Errorf("%s: got %d polls, want %d", what, got, want)
		}
	}
	write := func(conn Conn) {
		if _, err := s.Write(conn, []byte("1\n")); err != nil {
			t.Fatal(err)
		}
	}
	polls("a write", 0, func() { write(first) })
	if got := strings.Join(stage.told, "; "); !strings.HasSuffix(got, `main#0 "1\n"`) {
		t.Errorf("the peer was told %s, want the write to be the last", got)
	}
	m := s.Save()
	polls("a read that needs the answer", 2, func() {
		if n, _, err := s.Read(first, make([]byte, 8)); n != 2 || err != nil {
			t.Errorf("got %d bytes and %v, want 2", n, err)
		}
	})
	s.Restore(m)
	polls("a read of what is known", 0, func() { s.Read(first, make([]byte, 8)) })
	polls("a write", 0, func() { write(first) })
	polls("a write to another", 2, func() { write(second) })
	polls("a read of what was heard since", 0, func() { s.Available(first) })
	polls("a state", 0, func() { s.AppendKey(nil) })
	polls("the end", 2, func() { c.Settle() })
}

// TestOwedFailure: a peer that fails when nobody needs its answer is noticed all the
// same, and who needs it later sees the same error each time.
func TestOwedFailure(t *testing.T) {
	c := New(newStage(), Options{})
	defer c.Close()
	s := c.NewSession()
	conn, _, err := s.Connect("hung", "main")
	if err != nil {
		t.Fatal(err)
	}
	m := s.Save()
	for range 2 {
		s.Restore(m)
		if st, err := s.Write(conn, []byte("x")); st != Ready || err != nil {
			t.Errorf("write: got %v %v, want ready", st, err)
		}
		const want = "peer hung: no answer within its time limit"
		if err := c.Settle(); err == nil || err.Error() != want || !c.Caused(err) {
			t.Errorf("settle: got %v, want %s", err, want)
		}
		if _, _, err := s.Available(conn); err == nil || err.Error() != want {
			t.Errorf("available: got %v, want %s", err, want)
		}
	}
}
