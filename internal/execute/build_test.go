package execute

import (
	"os"
	"path/filepath"
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

// TestAccessPointsCached builds with and without access points: the cache must not
// give one for the other.
func TestAccessPointsCached(t *testing.T) {
	t.Setenv("HEDDLE_CACHE", t.TempDir())
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte("package main\n\nfunc main() {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{false, true, false, true} {
		prog, err := Build(Source{Patterns: []string{file}, AccessPoints: want})
		if err != nil {
			t.Fatal(err)
		}
		if prog.AccessPoints != want {
			t.Errorf("got access points %t, want %t", prog.AccessPoints, want)
		}
	}
	prog, err := Build(Source{Patterns: []string{file}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewSystem(prog, Process{}, Settings{Access: true}); err == nil {
		t.Error("got a search at each access of a program without access points, want an error")
	}
}
