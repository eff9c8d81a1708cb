package progcache

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A project is a directory with a program and a cache for it.
type project struct {
	t     *testing.T
	dir   string
	cache *Cache
	in    Inputs
}

func newProject(t *testing.T) *project {
	p := &project{t: t, dir: t.TempDir(), cache: open(t, filepath.Join(t.TempDir(), "cache"))}
	p.write("main.go", "package main")
	p.write("go.mod", "module m")
	p.write("static/a.txt", "a")
	p.in = Inputs{
		Files:      []string{p.path("main.go"), p.path("go.mod"), p.path("go.work"), p.path("static/a.txt")},
		SourceDirs: []string{p.dir},
		Trees:      []string{p.path("static")},
		Began:      time.Now().Add(time.Minute), // after all writes of the test
	}
	return p
}

func open(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (p *project) path(name string) string { return filepath.Join(p.dir, name) }

// write creates a file.
func (p *project) write(name, text string) {
	p.t.Helper()
	name = p.path(name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) remove(name string) {
	p.t.Helper()
	if err := os.RemoveAll(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *project) store(key Key, payload string) {
	p.t.Helper()
	if err := p.cache.Store(key, p.in, []byte(payload)); err != nil {
		p.t.Fatal(err)
	}
}

// want checks what a lookup finds; "" means nothing.
func (p *project) want(key Key, want string) {
	p.t.Helper()
	got, ok := p.cache.Lookup(key)
	if string(got) != want || ok != (want != "") {
		p.t.Errorf("got %q (%t), want %q", got, ok, want)
	}
}

var runKey = KeyOf("build1", "run", ".")

func TestHit(t *testing.T) {
	p := newProject(t)
	p.want(runKey, "")
	p.store(runKey, "code")
	p.want(runKey, "code")
	p.write("notes.txt", "not a source file")
	p.write("_draft.go", "the go command does not look at it")
	p.want(runKey, "code")
	p.store(runKey, "new code")
	p.want(runKey, "new code")
}

func TestEachChangeIsAMiss(t *testing.T) {
	for _, test := range []struct {
		name         string
		change, undo func(p *project)
	}{
		{"edit", func(p *project) { p.write("main.go", "package nain") }, func(p *project) { p.write("main.go", "package main") }},
		{"go.mod", func(p *project) { p.write("go.mod", "module n") }, func(p *project) { p.write("go.mod", "module m") }},
		{"new workspace", func(p *project) { p.write("go.work", "go 1.26") }, func(p *project) { p.remove("go.work") }},
		{"new file", func(p *project) { p.write("b.go", "package main") }, func(p *project) { p.remove("b.go") }},
		{"new assembly", func(p *project) { p.write("b.s", "") }, func(p *project) { p.remove("b.s") }},
		{"removed file", func(p *project) { p.remove("main.go") }, func(p *project) { p.write("main.go", "package main") }},
		{"embedded file edited", func(p *project) { p.write("static/a.txt", "b") }, func(p *project) { p.write("static/a.txt", "a") }},
		{"embedded file added", func(p *project) { p.write("static/sub/b.txt", "") }, func(p *project) { p.remove("static/sub") }},
		{"embedded tree removed", func(p *project) { p.remove("static") }, func(p *project) { p.write("static/a.txt", "a") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newProject(t)
			p.store(runKey, "code")
			test.change(p)
			p.want(runKey, "")
			test.undo(p)
			p.want(runKey, "code") // contents count, not times
		})
	}
}

func TestOtherKeyIsAMiss(t *testing.T) {
	p := newProject(t)
	p.store(runKey, "code")
	for _, parts := range [][]string{
		{"build2", "run", "."},
		{"build1", "run", ".", "-tags=x"},
		{"build1", "test", "."},
		{"build1", "run."},
		{"build1run", "."},
	} {
		p.want(KeyOf(parts...), "")
	}
}

// TestEditDuringLoad checks that a file written after the load began keeps the
// result out of the cache.
func TestEditDuringLoad(t *testing.T) {
	p := newProject(t)
	p.in.Began = time.Now().Add(-time.Minute)
	if err := p.cache.Store(runKey, p.in, []byte("code")); err != nil {
		t.Fatal(err)
	}
	p.want(runKey, "")
}

// TestDamage flips and cuts every entry file and checks that nothing damaged
// is ever returned.
func TestDamage(t *testing.T) {
	p := newProject(t)
	p.store(runKey, "code")
	files, err := filepath.Glob(filepath.Join(p.cache.dir, "??", "*"))
	if err != nil || len(files) != 2 {
		t.Fatalf("got entries %q, want an index and a payload", files)
	}
	for _, file := range files {
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 0x41
			for _, data := range [][]byte{bad, good[:i]} {
				if err := os.WriteFile(file, data, 0o666); err != nil {
					t.Fatal(err)
				}
				if got, ok := p.cache.Lookup(runKey); ok {
					t.Fatalf("%s damaged at byte %d: got %q", filepath.Base(file), i, got)
				}
			}
		}
		if err := os.WriteFile(file, good, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p.want(runKey, "code")
}

func TestConcurrentUse(t *testing.T) {
	p := newProject(t)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			cache := open(t, p.cache.dir)
			for range 50 {
				if err := cache.Store(runKey, p.in, []byte("code")); err != nil {
					t.Error(err)
				}
				if got, ok := cache.Lookup(runKey); !ok || string(got) != "code" {
					t.Errorf("goroutine %d: got %q (%t), want code", i, got, ok)
				}
			}
		})
	}
	wg.Wait()
}

func TestTrim(t *testing.T) {
	p := newProject(t)
	key := func(i int) Key { return KeyOf("program", fmt.Sprint(i)) }
	const programs = 5
	for i := range programs {
		p.store(key(i), string(make([]byte, 1000)))
		// Each program was last used an hour before the next one.
		used := time.Now().Add(time.Duration(i-programs) * time.Hour)
		files, _ := filepath.Glob(filepath.Join(p.cache.dir, "??", "*"))
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && time.Since(info.ModTime()) < time.Minute {
				os.Chtimes(f, used, used)
			}
		}
	}
	p.cache.Limit = 4000
	if err := p.cache.Trim(); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for i := range programs {
		if _, ok := p.cache.Lookup(key(i)); ok {
			kept++
		} else if kept > 0 {
			t.Errorf("program %d was removed before an older one", i)
		}
	}
	if kept == 0 || kept == programs {
		t.Errorf("got %d programs of %d after trimming", kept, programs)
	}
}

func TestClean(t *testing.T) {
	p := newProject(t)
	p.store(runKey, "code")
	other := filepath.Join(p.cache.dir, "other.txt")
	if err := os.WriteFile(other, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := p.cache.Clean(); err != nil {
		t.Fatal(err)
	}
	p.want(runKey, "")
	if _, err := os.Stat(other); err != nil {
		t.Errorf("clean removed a file that is not its own: %v", err)
	}
	os.Remove(other)
	if err := p.cache.Clean(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.cache.dir); !os.IsNotExist(err) {
		t.Errorf("clean left the directory: %v", err)
	}
}

func TestDefaultDir(t *testing.T) {
	t.Setenv("HEDDLE_CACHE", "/somewhere")
	if got, err := DefaultDir(); got != "/somewhere" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	t.Setenv("HEDDLE_CACHE", "relative")
	if _, err := DefaultDir(); err == nil {
		t.Error("a relative HEDDLE_CACHE is accepted")
	}
	t.Setenv("HEDDLE_CACHE", "")
	t.Setenv("XDG_CACHE_HOME", "/xdg")
	if got, err := DefaultDir(); got != "/xdg/heddle" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestBuildID: the build ID of this test is what the go command says it is.
func TestBuildID(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "buildid", self).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := buildID(), strings.TrimSpace(string(out)); got != want || len(got) < 32 {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, data := range []string{"", "short", "\x04\x00\x00\x00\xff\xff\xff\xff\x04\x00\x00\x00Go\x00\x00id"} {
		if id := goNote([]byte(data)); id != "" {
			t.Errorf("got %q in %q, want nothing", id, data)
		}
	}
}

// FuzzDecode checks that the decoders accept exactly what the encoders write.
func FuzzDecode(f *testing.F) {
	id := KeyOf("id")
	f.Add(encodePayload(id, []byte("code")))
	f.Add(encodePayload(id, nil))
	f.Add(encodeIndex(Inputs{Files: []string{"/a", "/b\n"}, SourceDirs: []string{"/"}, Trees: []string{"/é"}}))
	f.Add([]byte(indexHeader))
	f.Fuzz(func(t *testing.T, data []byte) {
		if payload, err := decodePayload(id, data); err == nil && !bytes.Equal(encodePayload(id, payload), data) {
			t.Errorf("decoded %q from what is not its encoding", payload)
		}
		if in, err := decodeIndex(data); err == nil {
			again, err := decodeIndex(encodeIndex(in))
			if err != nil || fmt.Sprint(again) != fmt.Sprint(in) {
				t.Errorf("got %v (%v) after encoding %v again", again, err, in)
			}
		}
	})
}

// BenchmarkLookup is a warm start: 50 source files and 15 MB of code.
func BenchmarkLookup(b *testing.B) {
	dir := b.TempDir()
	in := Inputs{SourceDirs: []string{dir}, Began: time.Now().Add(time.Minute)}
	for i := range 50 {
		name := filepath.Join(dir, fmt.Sprintf("f%d.go", i))
		if err := os.WriteFile(name, bytes.Repeat([]byte("package main\n"), 1000), 0o666); err != nil {
			b.Fatal(err)
		}
		in.Files = append(in.Files, name)
	}
	cache := open(b, filepath.Join(dir, "cache"))
	if err := cache.Store(runKey, in, make([]byte, 15<<20)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, ok := cache.Lookup(runKey); !ok {
			b.Fatal("miss")
		}
	}
}
