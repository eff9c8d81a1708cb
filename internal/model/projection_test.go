package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/transform"
)

// TestSharedProjection: constructors have a projection in common, each at another place. Of 9 + 27 + 3 messages those
// remain whose key is not i, 26, and of these those from b, 6 + 2.
func TestSharedProjection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.mcrl2")
	if err := os.WriteFile(file, []byte(`sort A = struct a | b | i;
  M = struct m1(key: A, from: A) | m2(x: A, from: A, key: A) | m3(key: A)?is3;
act c, d: M;
proc X(m: M) = sum n: M. (m == m3(a) && key(n) != i) -> c(n) . X(n) + (!is3(m) && from(m) == b) -> d(m) . X(m3(a));
init X(m3(a));
`), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, passes := range [][]string{nil, UsualPasses, {"structelm"}, {"parunfold"}, {"suminst", "rewr"}, {"binary"}, transform.Names()} {
		m, err := Load(file, passes)
		if err != nil {
			t.Fatal(err)
		}
		sys, err := state.New(m.LPS, state.Options{})
		if err != nil {
			t.Fatal(err)
		}
		res, err := explore.Run(func() (lts.System, error) { return sys, nil }, explore.Options{All: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Left) > 0 || res.Transitions != 26+2+6 {
			t.Errorf("%v: got %d transitions and %v left, want 34", passes, res.Transitions, res.Left)
		}
	}
}
