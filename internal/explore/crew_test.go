package explore

import (
	"errors"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

// TestCrash has a system panic deep inside each search: it ends, and says where.
func TestCrash(t *testing.T) {
	m := ltstest.Grid(3, 9)
	take := m.Take
	m.Take = func(c []byte, s lts.Step) {
		if take(c, s); c[0]+c[1]+c[2] == 20 {
			panic(diag.Bugf("rewind past mark 3 of 2"))
		}
	}
	for name, o := range everyStrategy() {
		crash := func() (c *Crash) {
			defer func() { c, _ = recover().(*Crash) }()
			runToy(t, m, o)
			return nil
		}()
		var bug *diag.Error
		if crash == nil || !errors.As(crash, &bug) || !strings.Contains(crash.Error(), "rewind past") {
			t.Errorf("%s: got %v, want a crash", name, crash)
			continue
		}
		if n := len(crash.Path); n != 19 && n != 20 {
			t.Errorf("%s: got a path of %d steps, want 19 or 20", name, n)
		}
	}
}
