package load

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/progcache"
)

// TestInputs checks that the inputs of a program cover each kind of change
// that would load another program.
func TestInputs(t *testing.T) {
	dir := source(t, `
-- work/m/go.mod --
module m

go 1.26

require n v1.0.0

replace n => ../n
-- work/m/main.go --
package main

import (
	_ "embed"
	"m/sub"
	"n"
)

//go:embed data/*.txt
var data string

func main() { println(data, sub.X, n.X) }
-- work/m/data/one.txt --
one
-- work/m/sub/sub.go --
package sub

const X = 1
-- work/m/sub/other_os.go --
//go:build windows

package sub
-- work/n/go.mod --
module n

go 1.26
-- work/n/n.go --
package n

const X = 1
`)
	cfg := Config{Dir: filepath.Join(dir, "work/m"), Patterns: []string{"."}}
	key := progcache.KeyOf(cfg.Key()...)
	cache, err := progcache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := mustLoad(t, cfg).Inputs
	in.Began = time.Now().Add(time.Minute) // the archive has just been unpacked
	if err := cache.Store(key, in, []byte("code")); err != nil {
		t.Fatal(err)
	}
	hit := func() bool { _, ok := cache.Lookup(key); return ok }
	if !hit() {
		t.Fatal("unchanged: got a miss")
	}
	for _, name := range []string{
		"work/m/main.go", "work/m/sub/sub.go", "work/n/n.go", // edited
		"work/m/sub/other_os.go",         // edited, ignored so far
		"work/m/data/one.txt",            // embedded
		"work/m/go.mod", "work/n/go.mod", // edited
		"work/m/go.sum", "work/go.work", "go.work", // new
		"work/m/vendor/modules.txt", "work/m/sub/go.mod", // new
		"work/m/new.go", "work/m/sub/new.go", "work/n/new_test.go", "work/m/new.s", // new
		"work/m/data/two.txt", // matches the pattern
	} {
		path := filepath.Join(dir, name)
		old, err := os.ReadFile(path)
		existed := err == nil
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(old, "\n// changed\n"...), 0o666); err != nil {
			t.Fatal(err)
		}
		if hit() {
			t.Errorf("%s changed: got a hit", name)
		}
		if existed {
			err = os.WriteFile(path, old, 0o666)
		} else {
			err = os.Remove(path)
		}
		if err != nil {
			t.Fatal(err)
		}
		if !hit() {
			t.Fatalf("%s changed back: got a miss", name)
		}
	}
}
