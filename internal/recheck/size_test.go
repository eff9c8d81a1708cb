package recheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize: who wants to read this package needs an evening: it has at most 1,500 lines, without comments and blank ones.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	code, all := 0, 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			all++
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "//") {
				code++
			}
		}
	}
	if code == 0 || code > 1500 {
		t.Errorf("got %d lines, %d with comments and blank ones, want at most 1500", code, all)
	}
}
