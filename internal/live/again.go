package live

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// Again goes along a path whose last steps, so many, are a loop, and says what is wrong with that, nil if nothing is: the
// loop comes back to where it begins, and it is fair. A promise, if it is not negative, is owed all along, and otherwise
// there is no progress.
func Again(sys lts.System, path lts.Path, loop, promise int) error {
	l, ok := sys.(lts.Live)
	if !ok || loop < 1 || loop > len(path) {
		return fmt.Errorf("there is no loop")
	}
	if err := lts.Replay(sys, path[:len(path)-loop]); err != nil {
		return err
	}
	key := sys.AppendKey(nil)
	var st lts.Stance
	var mo lts.Motion
	l.Stand(&st)
	actors := make([]around, st.Actors)
	for i := range actors {
		actors[i].now = int32(i)
	}
	for i, s := range path[len(path)-loop:] {
		if !slices.Contains(sys.Enabled(nil), s) {
			return fmt.Errorf("step %d of the loop cannot be taken", i+1)
		}
		if promise >= 0 && !slices.Contains(st.Owed, int32(promise)) {
			return fmt.Errorf("before step %d of the loop the promise is kept", i+1)
		}
		for k := range actors {
			actors[k].able = actors[k].able || slices.Contains(st.Able, actors[k].now)
		}
		sys.Take(s)
		l.Move(&mo)
		if promise < 0 && mo.Progress {
			return fmt.Errorf("step %d of the loop gets somewhere", i+1)
		}
		for k := range actors {
			if a := &actors[k]; a.now >= 0 {
				a.moves = a.moves || slices.Contains(mo.Movers, a.now)
				a.now = mo.After[a.now]
			}
		}
		l.Stand(&st)
	}
	if !bytes.Equal(sys.AppendKey(nil), key) {
		return fmt.Errorf("the loop does not come back to where it begins")
	}
	return fair(actors)
}

// around is what became of an actor in one round.
type around struct {
	now         int32 // its number, -1 if it is gone
	able, moves bool
}

// fair says who is left behind if the rounds go on, one of whom takes the place of another.
func fair(actors []around) error {
	for i := range actors {
		able, moves, k := false, false, i
		for range actors {
			a := &actors[k]
			able, moves = able || a.able, moves || a.moves
			if k = int(a.now); k < 0 || k == i {
				break
			}
		}
		if k == i && able && !moves {
			return fmt.Errorf("actor %d could move in the loop and never does", i)
		}
	}
	return nil
}

// Promised returns the promise whose finding is the given one, in the current state, -1 if there is none.
func Promised(sys lts.System, f diag.Finding) int {
	l, ok := sys.(lts.Live)
	if !ok {
		return -1
	}
	var st lts.Stance
	l.Stand(&st)
	for _, n := range st.Owed {
		if g := l.Promise(int(n)); g.Kind == f.Kind && g.Message == f.Message && g.Pos == f.Pos {
			return int(n)
		}
	}
	return -1
}
