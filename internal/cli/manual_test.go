package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/explain"
)

// TestPages: pages that are made from the code are what it makes now.
func TestPages(t *testing.T) {
	for name, want := range map[string]string{
		"flags.md":   theManual().Markdown(),
		"explain.md": explain.Markdown(),
	} {
		file := "../../docs/" + name
		if os.Getenv("HEDDLE_UPDATE") != "" {
			if err := os.WriteFile(file, []byte(want), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/%s is not what the code says (%v): run make pages", name, err)
		}
	}
}

// TestManual: each command has its page, and the texts that shells show are not empty.
func TestManual(t *testing.T) {
	m := theManual()
	if got, want := len(m.Man()), len(commands())+2; got != want { // the tool, and check of models
		t.Errorf("got %d man pages, want %d", got, want)
	}
	for _, c := range m.Commands {
		for _, f := range c.Flags {
			if f.Usage == "" || strings.Contains(f.Usage, "\t") {
				t.Errorf("heddle %s: flag -%s has the text %q", c.Name, f.Name, f.Usage)
			}
		}
	}
}
