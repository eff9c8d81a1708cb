package types

import (
	"os"
	"path/filepath"
	"testing"
)

// models are specifications from the literature.
const models = "../../../examples/models"

// TestModels loads each model, prints it, and loads what was printed.
func TestModels(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(models, "*.mcrl2"))
	if err != nil || len(files) < 12 {
		t.Fatalf("got %d models (%v), want 12 or more", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		roundTrip(t, filepath.Base(f), string(text))
	}
}

// roundTrip loads a text and what it is printed as, and compares.
func roundTrip(t *testing.T, name, text string) {
	t.Helper()
	s, err := Load(name, []byte(text))
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	printed := s.String()
	back, err := Load(name, []byte(printed))
	if err != nil {
		t.Errorf("%s was printed as\n%s\n%v", name, printed, err)
		return
	}
	if got, want := dumpSpec(back), dumpSpec(s); got != want {
		t.Errorf("%s was printed as\n%s\ngot\n%s\nwant\n%s", name, printed, got, want)
	}
}
