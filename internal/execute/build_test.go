package execute

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

func TestRelativeCache(t *testing.T) {
	t.Setenv("HEDDLE_CACHE", "relative")
	_, err := Build(Source{Patterns: []string{"../../examples/hello"}})
	if err == nil || diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("got %v, want a usage error", err)
	}
}
