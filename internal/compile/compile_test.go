package compile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/load"
)

// loadSource loads a main package given as text, without the bodies of package
// runtime.
func loadSource(t testing.TB, src string) *load.Program {
	t.Helper()
	return loadWith(t, src, true)
}

// loadWith loads a main package given as text.
func loadWith(t testing.TB, src string, ownRuntime bool) *load.Program {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "main.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	lp, err := load.Load(load.Config{Dir: dir, Patterns: []string{"."}, Intrinsic: func(string) bool { return true }, OwnRuntime: ownRuntime})
	if err != nil {
		t.Fatal(err)
	}
	return lp
}
