package execute

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// A twoKeys is a system that compares each key with the one without digests:
// both must tell the same states apart.
type twoKeys struct {
	*System
	t       *testing.T
	exactOf map[string]string // by key
	keyOf   map[string]string // by key without digests
	exact   []byte

	foreseen int // keys of next states that were known
}

func (s *twoKeys) AppendKey(dst []byte) []byte {
	start := len(dst)
	dst = s.System.AppendKey(dst)
	s.exact = s.Machine().AppendExactKey(s.exact[:0])
	key, exact := string(dst[start:]), string(s.exact)
	if old, ok := s.exactOf[key]; !ok {
		s.exactOf[key] = exact
	} else if old != exact {
		s.t.Fatalf("two states have the key %x", key)
	}
	if old, ok := s.keyOf[exact]; !ok {
		s.keyOf[exact] = key
	} else if old != key {
		s.t.Fatalf("a state has the keys %x and %x", old, key)
	}
	return dst
}

// AppendNextKey also takes the step, to see whether it leads where it is said to.
func (s *twoKeys) AppendNextKey(dst []byte, step lts.Step) ([]byte, bool) {
	key, ok := s.System.AppendNextKey(nil, step)
	if !ok {
		return dst, false
	}
	s.foreseen++
	mark := s.Save()
	s.Restore(mark) // forgets what was foreseen
	want := s.NextLabel(step)
	if got := s.Take(step); got != want {
		s.t.Fatalf("foreseen label %d, got %d", want, got)
	}
	if found := s.CheckStep(nil); len(found) > 0 {
		s.t.Fatalf("a step without findings was foreseen: %v", found[0])
	}
	if got := s.AppendKey(nil); string(got) != string(key) {
		s.t.Fatalf("foreseen key\n%x\ngot\n%x", key, got)
	}
	executed := s.standing()
	s.Restore(mark)
	s.System.AppendNextKey(nil, step) // so that the step is not executed, most of the times
	s.Take(step)
	if got := s.AppendKey(nil); string(got) != string(key) {
		s.t.Fatalf("a step that is executed leads to\n%x\nelse\n%x", key, got)
	}
	if got := s.standing(); got != executed {
		s.t.Fatalf("a step that is executed leads to\n%s\nelse\n%s", executed, got)
	}
	s.Restore(mark)
	return s.System.AppendNextKey(dst, step)
}

// standing tells what can be seen of the goroutines of a state beside its key.
func (s *twoKeys) standing() string {
	var b strings.Builder
	for _, g := range s.m.Goroutines() {
		fmt.Fprintf(&b, "%v at %v after %v\n", g.Path(), s.m.Places(g), s.m.BlockOf(g))
	}
	main, others := s.m.Stuck()
	fmt.Fprintln(&b, s.m.Steps(), main != nil, len(others))
	return b.String()
}

// benchPrograms are nothing but locks and numbers: most of their steps are
// foreseen.
const benchPrograms = "../../bench/search/programs/[bers]*/main.go"

// TestKeys searches programs with both kinds of keys at once. A digest that is
// kept too long shows as a state with two keys, or two states with one.
func TestKeys(t *testing.T) {
	states := testlong.Or[int64](500, 3000)
	if testing.Short() {
		states = 300
	}
	for _, glob := range []string{"../../examples/[ekrw]*/main.go", "testdata/keys/*.go", benchPrograms} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatalf("no programs %s: %v", glob, err)
		}
		for _, file := range files {
			t.Run(filepath.ToSlash(file), func(t *testing.T) {
				t.Parallel()
				prog := CompileShared(t, file)
				sys, err := NewSystem(prog, Process{}, Settings{})
				if err != nil {
					t.Fatal(err)
				}
				defer sys.Close()
				both := &twoKeys{System: sys, t: t, exactOf: map[string]string{}, keyOf: map[string]string{}}
				r, err := explore.Run(func() (lts.System, error) { return both, nil },
					explore.Options{All: true, Limits: explore.Limits{States: states}})
				if err != nil {
					t.Fatal(err)
				}
				if glob == benchPrograms && both.foreseen == 0 {
					t.Error("no step was foreseen")
				}
				if got, want := int64(len(both.keyOf)), r.States; got != want {
					t.Errorf("got %d keys of %d states", got, want)
				}
			})
		}
	}
}
