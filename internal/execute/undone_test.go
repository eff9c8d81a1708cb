package execute_test

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestUndone: where a path leads depends on its steps alone, not on others that were
// taken and undone on the way. Once whom the clock woke chose as the last step did, also
// if that was undone, so that a search depth first had other states than one breadth first.
func TestUndone(t *testing.T) {
	t.Parallel()
	n := testlong.Or[uint64](4, 40)
	if testing.Short() {
		n = 8
	}
	states := 0
	for seed := range n {
		p, s := randomEventProgram(seed)
		prog := compileText(t, p.text())
		s.Exact = true
		var both [2]*execute.System // one goes to and fro, the other always begins anew
		for i := range both {
			var err error
			if both[i], err = execute.NewSystem(prog, emptyProcess, s); err != nil {
				t.Fatal(err)
			}
		}
		u := undone{walks: both[0], begins: both[1], seen: map[string]bool{}}
		u.walk(nil)
		if u.wrong != nil {
			t.Errorf("seed %d: the path %v leads to different states\n%+v", seed, u.wrong, p)
		}
		states += len(u.seen)
		for _, sys := range both {
			sys.Close()
		}
	}
	t.Logf("%d programs, %d states", n, states)
}

type undone struct {
	walks, begins *execute.System
	seen          map[string]bool
	wrong         []lts.Step
}

// walk visits what can be reached by a path, up to a number of states.
func (u *undone) walk(path []lts.Step) {
	key := string(u.walks.AppendKey(nil))
	u.begins.Reset()
	for _, s := range path {
		u.begins.Take(s)
	}
	if string(u.begins.AppendKey(nil)) != key {
		u.wrong = path
	}
	if u.wrong != nil || u.seen[key] || len(u.seen) == 400 {
		return
	}
	u.seen[key] = true
	mark := u.walks.Save()
	for _, s := range u.walks.Enabled(nil) {
		u.walks.Take(s)
		u.walk(append(path[:len(path):len(path)], s))
		u.walks.Restore(mark)
		if u.wrong != nil {
			return
		}
	}
}
