package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolders holds the table of programs against the folders. It needs neither peers nor modules.
func TestFolders(t *testing.T) {
	top := filepath.Join("..", "..", folder)
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(top, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	readme := read("README.md")
	known := make(map[string]bool)
	for _, p := range programs {
		known[p.name] = true
		if want := "| " + p.name + " |"; !strings.Contains(readme, want) {
			t.Errorf("README.md has no row of %s", p.name)
		}
		if want := "`apt-get install " + p.debian + "`"; !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %s", want)
		}
		for _, way := range ways {
			dir := p.name + "/" + way
			if got, want := strings.Count(read(dir+"/main.go"), "BUG"), map[string]int{"wrong": 1}[way]; got != want {
				t.Errorf("%s/main.go says BUG %d times, want %d", dir, got, want)
			}
			settings := read(dir + "/heddle.yaml")
			if want := "# heddle check -C " + folder + "/" + dir + " .\n"; !strings.HasPrefix(settings, want) {
				t.Errorf("%s/heddle.yaml does not begin with %q", dir, want)
			}
			if limited := strings.Contains(settings, "\ntimeout:"); limited != (p.open[way] != "") {
				t.Errorf("%s/heddle.yaml has a time limit: %v, but in the table of programs it is not so", dir, limited)
			}
		}
	}
	entries, err := os.ReadDir(top)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !known[e.Name()] {
			t.Errorf("%s is in no table", e.Name())
		}
	}
}

func TestVerdicts(t *testing.T) {
	p := program{name: "p", open: map[string]string{"right": "it is large"}}
	for _, test := range []struct {
		way          string
		code         int
		right, known bool
	}{
		{"wrong", 1, true, false},
		{"wrong", 0, false, false}, // a false verified
		{"wrong", 3, false, false}, // nobody knows why
		{"right", 0, true, false},
		{"right", 1, false, false}, // a false alarm
		{"right", 3, false, true},
	} {
		r := row{program: p, way: test.way, code: test.code}
		if r.right() != test.right || r.known() != test.known {
			t.Errorf("%s, exit code %d: got right %v, known %v, want %v, %v", test.way, test.code, r.right(), r.known(), test.right, test.known)
		}
	}
}
