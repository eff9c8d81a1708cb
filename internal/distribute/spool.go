package distribute

import (
	"fmt"
	"os"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A spool keeps pieces of bytes by number, in a file of this process that has no name:
// what is in a queue can be replaced by whoever can connect to it.
type spool struct {
	f    *os.File
	end  int64
	kept map[int]piece
}

type piece struct {
	at   int64
	size int
}

// newSpool returns an empty one, which is to be closed.
func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "heddle-parts-")
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	os.Remove(f.Name())
	return &spool{f: f, kept: map[int]piece{}}, nil
}

// put keeps a piece, instead of one of that number.
func (s *spool) put(n int, data []byte) error {
	if _, err := s.f.WriteAt(data, s.end); err != nil {
		return diag.Usagef("%v", err)
	}
	s.kept[n] = piece{s.end, len(data)}
	s.end += int64(len(data))
	return nil
}

// get returns a piece.
func (s *spool) get(n int) ([]byte, error) {
	p, ok := s.kept[n]
	if !ok {
		return nil, fmt.Errorf("there is no part %d", n)
	}
	data := make([]byte, p.size)
	if _, err := s.f.ReadAt(data, p.at); err != nil {
		return nil, diag.Usagef("%v", err)
	}
	return data, nil
}

func (s *spool) close() { s.f.Close() }
