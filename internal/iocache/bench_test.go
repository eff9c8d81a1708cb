package iocache

import "testing"

// openBench returns a session with a connection.
func openBench(b *testing.B, mode Mode, peer string) (*Session, Conn) {
	s := New(newStage(), Options{Mode: mode}).NewSession()
	c, st, err := s.Connect(peer, "main")
	if st != Ready || err != nil {
		b.Fatal(st, err)
	}
	return s, c
}

// BenchmarkCached is what a search does most: write and read what is known, take
// the key, and go back.
func BenchmarkCached(b *testing.B) {
	for _, mode := range []Mode{Linear, Tree, Process} {
		b.Run(mode.String(), func(b *testing.B) {
			s, c := openBench(b, mode, "alphabet")
			request, buf, key := []byte("12\n"), make([]byte, 16), []byte(nil)
			b.ReportAllocs()
			for b.Loop() {
				m := s.Save()
				if _, err := s.Write(c, request); err != nil {
					b.Fatal(err)
				}
				if n, _, err := s.Read(c, buf); n != 2 || err != nil {
					b.Fatal(n, err)
				}
				key = s.AppendKey(key[:0])
				s.Restore(m)
			}
		})
	}
}

// BenchmarkNew is an exchange that no path had before.
func BenchmarkNew(b *testing.B) {
	s, c := openBench(b, Linear, "letters")
	request, buf := []byte("7"), make([]byte, 16)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := s.Write(c, request); err != nil {
			b.Fatal(err)
		}
		if n, _, err := s.Read(c, buf); n != 1 || err != nil {
			b.Fatal(n, err)
		}
	}
}

// BenchmarkBranch alternates between two branches, so that each exchange needs a
// restart and four replays.
func BenchmarkBranch(b *testing.B) {
	s, c := openBench(b, Tree, "letters")
	for _, text := range []string{"1", "2", "3"} {
		s.Write(c, []byte(text))
	}
	b.ReportAllocs()
	m := s.Save()
	for i := 0; b.Loop(); i++ {
		s.Restore(m)
		if _, err := s.Write(c, []byte{byte(i), byte(i >> 8), byte(i >> 16), byte(i >> 24)}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkText writes and reads a recording of 1000 exchanges.
func BenchmarkText(b *testing.B) {
	s, c := openBench(b, Linear, "letters")
	for range 1000 {
		if _, err := s.Write(c, []byte("7")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("text", s.cache.Text()); err != nil {
			b.Fatal(err)
		}
	}
}
