package certcheck

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// A toy is what ltstest makes.
type toy interface {
	lts.System
	lts.Reducer
	lts.Checker
	lts.Finisher
	lts.Bounded
	lts.Actors
	lts.Namer
}

// A seer is a toy that knows where two of three steps lead. It takes them to know.
type seer struct {
	toy
	asked, taken int
}

func (s *seer) AppendNextKey(dst []byte, step lts.Step) ([]byte, bool) {
	if s.asked++; s.asked%3 == 0 {
		return dst, false
	}
	mark := s.Save()
	defer s.Restore(mark)
	if s.toy.Take(step); len(s.CheckStep(nil)) > 0 {
		return dst, false
	}
	return s.AppendKey(dst), true
}

func (s *seer) NextLabel(step lts.Step) lts.Label {
	mark := s.Save()
	defer s.Restore(mark)
	return s.toy.Take(step)
}

func (s *seer) Take(step lts.Step) lts.Label {
	s.taken++
	return s.toy.Take(step)
}

// foreseeing is maker for systems that look ahead.
func foreseeing(m ltstest.Model) func() (lts.System, error) {
	return func() (lts.System, error) { return &seer{toy: ltstest.New(m).(toy)}, nil }
}

// TestForeseen: steps that are known to lead to states found before are not taken.
func TestForeseen(t *testing.T) {
	m := ltstest.Philosophers(7, true)
	data, want := record(t, m, cert.Full, false)
	s := &seer{toy: ltstest.New(m).(toy)}
	got, err := Check(open(t, data), func() (lts.System, error) { return s, nil }, false, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := same(got, want); err != nil {
		t.Error(err)
	}
	// New states have to be gone to; of the other transitions one of three is taken.
	least := want.States - 1
	if most := least + (want.Transitions-least)*2/5; int64(s.taken) < least || int64(s.taken) > most {
		t.Errorf("%d steps taken, want %d to %d of %d", s.taken, least, most, want.Transitions)
	}
}

// A seeded toy has keys that depend on a number.
type seeded struct {
	toy
	seed uint64
}

func (s *seeded) Seed(n uint64) {
	s.seed = n
	s.Reset()
}

// TestSeeded: keys that are hashes depend on a number that the author of a certificate does not know.
func TestSeeded(t *testing.T) {
	data, _ := record(t, toys["philosophers"], cert.Full, false)
	sys := &seeded{toy: ltstest.New(toys["philosophers"]).(toy)}
	if _, err := Check(open(t, data), func() (lts.System, error) { return sys, nil }, false, Options{Seed: 77}); err != nil || sys.seed != 77 {
		t.Errorf("got seed %d, %v", sys.seed, err)
	}
}
