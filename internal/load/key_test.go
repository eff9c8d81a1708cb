package load

import (
	"os"
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
	tuned := Config{Dir: "/", Patterns: []string{"fmt"}, Env: append(env, "GOMAXPROCS=1")}
	if !slices.Equal(key, tuned.Key()) {
		t.Error("GOMAXPROCS changes the key")
	}
}
