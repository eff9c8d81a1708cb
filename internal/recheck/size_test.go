package recheck

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize: who wants to read this command needs an evening: it has at most 1,500 lines, with comments and blank ones.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range append(files, "../../cmd/certcheck/main.go") {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") {
			lines += bytes.Count(data, []byte("\n"))
		}
	}
	if lines < 1000 || lines > 1500 {
		t.Errorf("got %d lines, want at most 1500", lines)
	}
}
