package load

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestKey(t *testing.T) {
	base := Config{Dir: "/", Patterns: []string{"fmt"}}
	key := base.Key()
	if again := (&Config{Dir: "/", Patterns: []string{"fmt"}}).Key(); !slices.Equal(key, again) {
		t.Errorf("got keys\n%q\n%q\nfor one configuration", key, again)
	}
	env := os.Environ()
	for name, other := range map[string]Config{
		"directory": {Dir: "/tmp", Patterns: []string{"fmt"}},
		"pattern":   {Dir: "/", Patterns: []string{"os"}},
		"patterns":  {Dir: "/", Patterns: []string{"fmt", "os"}},
		"tests":     {Dir: "/", Patterns: []string{"fmt"}, Tests: true},
		"tags":      {Dir: "/", Patterns: []string{"fmt"}, BuildTags: []string{"x"}},
		"also":      {Dir: "/", Patterns: []string{"fmt"}, Also: []string{"os"}},
		"GOFLAGS":   {Dir: "/", Patterns: []string{"fmt"}, Env: append(env, "GOFLAGS=-mod=mod")},
		"overlay":   {Dir: "/", Patterns: []string{"fmt"}, Overlay: map[string][]byte{"/a.go": nil}},
	} {
		if slices.Equal(key, other.Key()) {
			t.Errorf("another %s gives the same key", name)
		}
	}
	module := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(module, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m // ours\n")
	write("p/p.go", "package p\n")
	write("other/go.mod", "module example.com/other\n")
	of := func(pattern string) []string {
		return (&Config{Dir: module, Patterns: []string{pattern}, Tests: true}).Key()
	}
	for _, same := range [][2]string{{"./p", "example.com/m/p"}, {".", "example.com/m"}, {filepath.Join(module, "p"), "./p"}} {
		if !slices.Equal(of(same[0]), of(same[1])) {
			t.Errorf("got two keys for %s and %s", same[0], same[1])
		}
	}
	for _, differ := range [][2]string{{"./other", "example.com/m/other"}, {"./other", "example.com/other"}, {"./p/...", "example.com/m/p"}, {"./p/p.go", "example.com/m/p"}} {
		if slices.Equal(of(differ[0]), of(differ[1])) {
			t.Errorf("got one key for %s and %s", differ[0], differ[1])
		}
	}
	tuned := Config{Dir: "/", Patterns: []string{"fmt"}, Env: append(env, "GOMAXPROCS=1")}
	if !slices.Equal(key, tuned.Key()) {
		t.Error("GOMAXPROCS changes the key")
	}
}
