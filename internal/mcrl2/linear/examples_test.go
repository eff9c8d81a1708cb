package linear_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/mcrl2/linear"
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
	}
}
