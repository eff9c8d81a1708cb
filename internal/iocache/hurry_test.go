package iocache

import "testing"

// A hurried peer notes what it had left to say when it was told that all is known.
type hurried struct {
	*fake
	left *[]int
}

func (h hurried) Hurry() { *h.left = append(*h.left, len(h.queue)) }

type hurriedStage struct {
	*stage
	left []int
}

func (s *hurriedStage) Start(id HistoryID) (Peer, error) {
	p, err := s.stage.Start(id)
	if err != nil {
		return nil, err
	}
	return hurried{p.(*fake), &s.left}, nil
}

// TestHurry: what a peer says for the first time is waited for. When it is told the same again, it is hurried as soon as it has said
// the same, and not before.
func TestHurry(t *testing.T) {
	stage := &hurriedStage{stage: newStage()}
	c := New(stage, Options{Mode: Process, Live: 1})
	defer c.Close()
	s := c.NewSession()
	conn, _, err := s.Connect("alphabet", "main")
	if err != nil {
		t.Fatal(err)
	}
	ask := func(line string) {
		t.Helper()
		if _, err := s.Write(conn, []byte(line)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Read(conn, make([]byte, 8)); err != nil {
			t.Fatal(err)
		}
	}
	begin := s.Save()
	ask("1\n")
	before := s.Save()
	ask("2\n")
	if len(stage.left) > 0 {
		t.Errorf("the peer was hurried %d times when it was asked for the first time, want never", len(stage.left))
	}
	s.Restore(before)
	ask("3\n") // another server is asked for 1 again
	if n := len(stage.left); n != 3 || stage.started["alphabet"] != 2 {
		t.Errorf("%d servers, of which the second was hurried %d times, want 2 and 3: its start, the connection, what was said again", stage.started["alphabet"], n)
	}
	for _, left := range stage.left {
		if left > 0 {
			t.Errorf("the peer was hurried with %d answers to come, want none", left)
		}
	}
	n := len(stage.left)
	s.Restore(begin)
	ask("4\n")
	if got := len(stage.left) - n; got != 2 {
		t.Errorf("the third server was hurried %d times, want 2: its start and the connection", got)
	}
}
