package explore

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestHostileCheckpoints resumes from checkpoints that were changed, and have a right sum: they are
// refused by who reads them, or are those of a search that could have been. Nothing panics.
func TestHostileCheckpoints(t *testing.T) {
	for name, o := range resumable() {
		for part, m := range map[string]ltstest.Model{"ring": ltstest.Ring(5), "jugs": ltstest.Jugs()} {
			file := filepath.Join(t.TempDir(), "c")
			o := o
			o.All, o.Checkpoint, o.Limits.States, o.Key = true, file, 14, []byte("key")
			if r := runToy(t, m, o); r.Verdict == Verified {
				t.Fatalf("%s, %s: nothing is left", name, part)
			}
			good, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			o.Checkpoint, o.Resume, o.Limits.States = "", file, 100_000
			for i := range testlong.Or(100, 20_000) {
				data, what := hostile.Checkpoint(hostile.Dice(1, uint64(i)), good, o.Key)
				if err := os.WriteFile(file, data, 0o600); err != nil {
					t.Fatal(err)
				}
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%s, %s, file %d: %s: panic: %v", name, part, i, what, r)
						}
					}()
					_, err := Run(func() (lts.System, error) { return ltstest.New(m), nil }, o)
					if err != nil && diag.ExitCode(err) != diag.ExitUsage {
						t.Errorf("%s, %s, file %d: %s: got %v", name, part, i, what, err)
					}
				}()
			}
		}
	}
}
