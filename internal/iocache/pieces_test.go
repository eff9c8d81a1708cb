package iocache

import (
	"slices"
	"testing"
)

// TestPieces: what a peer has said in pieces may arrive up to the end of each, and is written down and read back so.
func TestPieces(t *testing.T) {
	actors["pieces"] = func(f *fake, r Request) {
		if r.Kind == Write {
			f.say(r.Conn, "one")
			f.say(r.Conn, "three")
		}
	}
	defer delete(actors, "pieces")
	cache := New(newStage(), Options{})
	s := cache.NewSession()
	c, _, err := s.Connect("pieces", "main")
	if err != nil {
		t.Fatal(err)
	}
	arrivals := func(s *Session, want ...int) {
		t.Helper()
		got, err := s.Arrivals(nil, c)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("got arrivals of %d bytes, %v, want %d", got, err, want)
		}
	}
	arrivals(s)
	s.Write(c, []byte("a"))
	arrivals(s, 3)
	s.Write(c, []byte("b")) // the answers to two requests are never one piece
	arrivals(s, 3, 8, 11)
	s.Read(c, make([]byte, 4))
	arrivals(s, 4, 7)
	s.Read(c, make([]byte, 4))
	arrivals(s, 3)

	rec, err := Parse("f", cache.Text())
	if err != nil {
		t.Fatal(err)
	}
	if rec.Text() != cache.Text() {
		t.Errorf("got\n%s\nwant\n%s", rec.Text(), cache.Text())
	}
	again := New(NewReplay(rec, nil), Options{}).NewSession()
	again.Connect("pieces", "main")
	again.Write(c, []byte("ab"))
	arrivals(again, 3, 8, 11)
}

// TestPieceContinues: a piece may go on after a request that was cut.
func TestPieceContinues(t *testing.T) {
	const text = "iocache tree\nhistory p connect m#0\n> open\n< quiet\n> \"a\"\n< \"x\"\n> \"b\"\n< more \"y\"\n< \"z\"\n"
	rec, err := Parse("f", text)
	if err != nil {
		t.Fatal(err)
	}
	if got := rec.Text(); got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	s := New(NewReplay(rec, nil), Options{}).NewSession()
	c, _, _ := s.Connect("p", "m")
	s.Write(c, []byte("ab"))
	if got, err := s.Arrivals(nil, c); err != nil || !slices.Equal(got, []int{2}) {
		t.Errorf("got arrivals of %d bytes, %v, want 2", got, err)
	}
}
