package native

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
)

// System calls that a program makes itself, on numbers that it keeps wherever it
// likes.

// numbers appends the descriptors that a call is about. It is not ok if that is not
// known.
func (s *sys) numbers(list []int) (_ []int, ok bool) {
	switch s.row().About {
	case effect.NoFD:
		return list, true
	case effect.FirstFD:
		return append(list, s.fd(0)), true
	case effect.FirstTwo:
		return append(list, s.fd(0), s.fd(1)), true
	case effect.WatchFD:
		return append(list, s.fd(0), s.fd(2)), true
	case effect.MapFD:
		return append(list, s.fd(4)), true
	case effect.AskedFDs:
		fds, _ := s.watches()
		return append(list, fds...), true
	}
	return list, false
}

// tellsNumbers notes that the program makes a call itself on a number that is kept in an
// object: then not only those who can reach the object act on what is behind it.
func (s *sys) tellsNumbers() {
	var room [4]int
	list, ok := s.numbers(room[:0])
	if !ok && s.k.OwnsAny() || slices.ContainsFunc(list, s.k.Owned) {
		drive.Of(s.c.M).ToldNumber()
	}
}
