package linear_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/mcrl2/data"
	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
	"github.com/heddle-mc/heddle/internal/mcrl2/semantics"
	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/state"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// TestExamples linearises the models that come with the program, prints the
// result and reads it back.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../../examples/models/*.mcrl2")
	if err != nil || len(files) == 0 {
		t.Fatalf("no models: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sp, err := types.Load(filepath.Base(file), text)
		if err != nil {
			t.Error(err)
			continue
		}
		start := time.Now()
		lps, err := linear.Linearise(sp)
		if err != nil {
			t.Error(err)
			continue
		}
		t.Logf("%-18s %2d parameters %3d summands in %v", filepath.Base(file), len(lps.Params), len(lps.Summands), time.Since(start).Round(100*time.Microsecond))
		back, err := types.Load(filepath.Base(file)+" linear", []byte(lps.String()))
		if err != nil {
			t.Errorf("%v\n%s", err, lps)
			continue
		}
		again, err := linear.Linearise(back)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(again.Summands) != len(lps.Summands) {
			t.Errorf("%s: read back, there are %d summands, want %d", file, len(again.Summands), len(lps.Summands))
		}
		if direct[filepath.Base(file)] {
			agreesWithSemantics(t, file, sp, lps)
		}
	}
}

// direct are the models with so few states and parallel processes that the direct
// semantics can explore them.
var direct = map[string]bool{"abp.mcrl2": true, "dekker.mcrl2": true, "peterson.mcrl2": true,
	"hanoi.mcrl2": true, "lift.mcrl2": true, "wolfgoat.mcrl2": true}

// agreesWithSemantics holds a linear process against the direct semantics.
func agreesWithSemantics(t *testing.T, file string, sp *spec.Spec, lps *spec.LPS) {
	t.Helper()
	e, err := data.New(sp.Data, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := bounded(semantics.New(sp, e), 3000)
	if err != nil {
		t.Errorf("%s: by the direct semantics: %v", file, err)
		return
	}
	sys, err := state.New(lps, state.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := explore(sys)
	if !same(t, got, want) {
		t.Errorf("%s: %d states and %d transitions are not bisimilar to %d and %d of the direct semantics", file,
			got.States, len(got.Transitions), want.States, len(want.Transitions))
	}
}
