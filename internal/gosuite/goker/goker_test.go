package goker

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
)

func kernels(t *testing.T) []Kernel {
	t.Helper()
	all, err := Kernels(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestKernels(t *testing.T) {
	all := kernels(t)
	if got, want := len(all), 63; got != want {
		t.Errorf("got %d kernels, want %d", got, want)
	}
	var unlisted, random []string
	flaky := 0
	for _, k := range all {
		if !k.Listed {
			unlisted = append(unlisted, k.Name)
		} else if len(k.Leaks) == 0 {
			t.Errorf("%s: no leaks expected", k.Name)
		}
		if k.Random {
			random = append(random, k.Name)
		}
		if k.Flaky {
			flaky++
		}
	}
	if want := []string{"Kubernetes1321"}; !slices.Equal(unlisted, want) {
		t.Errorf("got %v without expectations, want %v", unlisted, want)
	}
	if want := []string{"Cockroach9935", "Grpc660", "Kubernetes5316", "Kubernetes62464", "Moby21233"}; !slices.Equal(random, want) {
		t.Errorf("got %v with random numbers, want %v", random, want)
	}
	if want := 39; flaky != want {
		t.Errorf("got %d flaky kernels, want %d", flaky, want)
	}
}

// TestSource checks that nothing is left of the profile and the repetition, and
// that lines are where they were.
func TestSource(t *testing.T) {
	repeats := regexp.MustCompile(`i <=? \d\d+;`)
	for _, k := range kernels(t) {
		src := string(k.Source)
		for _, word := range []string{"pprof", "prof.", "register(", "yieldCount", "os."} {
			if strings.Contains(src, word) {
				t.Errorf("%s: the source still has %q", k.Name, word)
			}
		}
		if s := repeats.FindString(src); s != "" {
			t.Errorf("%s: the source still repeats %q", k.Name, s)
		}
		if !strings.HasSuffix(src, "func main() { "+k.Name+"() }\n") {
			t.Errorf("%s: main does not call the kernel", k.Name)
		}
		old, err := os.ReadFile(k.File)
		if err != nil {
			t.Fatal(err)
		}
		// The added main function is the only thing that adds lines.
		entry := []byte("func " + k.Name + "() {")
		if got, want := line(k.Source, entry), line(old, entry); got != want || got == 0 {
			t.Errorf("%s: got the kernel in line %d, want %d", k.Name, got, want)
		}
		if got, want := bytes.Count(k.Source, []byte("func(")), bytes.Count(old, []byte("func(")); got != want {
			t.Errorf("%s: got %d function literals, want %d", k.Name, got, want)
		}
	}
}

// line is the number of the line in which the text is, 0 if it is not there.
func line(src, text []byte) int {
	i := bytes.Index(src, text)
	if i < 0 {
		return 0
	}
	return 1 + bytes.Count(src[:i], []byte("\n"))
}

func TestLeaked(t *testing.T) {
	for _, k := range kernels(t) {
		if k.Name != "Cockroach1055" {
			continue
		}
		for _, test := range []struct {
			function, reason string
			want             int
		}{
			{"Cockroach1055.func2", "chan receive", 0},
			{"Cockroach1055.func2.1", "chan receive", 2},
			{"Cockroach1055.func2.1", "sync.Mutex.Lock", 3},
			{"Cockroach1055.func2.1", "sync.RWMutex.Lock", 3},
			{"Cockroach1055.func2.1", "sync.RWMutex.RLock", -1},
			{"Cockroach1055.func1", "chan receive", -1},
		} {
			if got := k.Leaked(test.function, test.reason); got != test.want {
				t.Errorf("%s [%s]: got %d, want %d", test.function, test.reason, got, test.want)
			}
		}
		return
	}
	t.Error("no kernel Cockroach1055")
}

// fixed are the files of the fixed versions.
func fixed(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "fixed", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestFixed checks that each fixed version belongs to a kernel, and that there
// are enough.
func TestFixed(t *testing.T) {
	names := make(map[string]bool)
	for _, k := range kernels(t) {
		names[strings.ToLower(k.Name)] = true
	}
	files := fixed(t)
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".go"); !names[name] {
			t.Errorf("%s: no kernel of that name", file)
		}
	}
	if len(files) < 20 {
		t.Errorf("got %d fixed versions, want 20 or more", len(files))
	}
}

// TestLoads loads every kernel and every fixed version as Heddle does.
func TestLoads(t *testing.T) {
	s, err := load.NewSession(load.Config{Patterns: []string{"context", "sync", "time"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, k := range kernels(t) {
		file := filepath.Join(dir, filepath.Base(k.File))
		if err := os.WriteFile(file, k.Source, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddMain(file); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	for _, file := range fixed(t) {
		if _, err := s.AddMain(file); err != nil {
			t.Error(err)
		}
	}
}

// TestChanged checks that a kernel that does not look as expected is an error.
func TestChanged(t *testing.T) {
	const good = `package main

import (
	"os"
	"runtime/pprof"
)

func init() { register("Hugo3251", Hugo3251) }

func Hugo3251() {
	prof := pprof.Lookup("goroutineleak")
	defer func() { prof.WriteTo(os.Stdout, 2) }()
	for i := 0; i < 7; i++ {
		for range 100 {
			for range 200 {
			}
		}
	}
}
`
	k, err := transform("hugo.go", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	const want = `package main

import (
	
	
)



func Hugo3251() {
	
	defer func() {  }()
	for i := 0; i < 1; i++ {
		for range 2 {
			for range 1 {
			}
		}
	}
}

func main() { Hugo3251() }
`
	if got := string(k.Source); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, test := range []struct{ old, new, want string }{
		{"register(", "other(", "hugo.go:8:1: init does not register the kernel"},
		{"register(\"Hugo3251\", Hugo3251)", "", "hugo.go:8:1: init does more than register the kernel"},
		{"func init", "func other", "hugo.go:1:1: no kernel is registered"},
		{"range 100", "range 101", "hugo.go:1:1: got 0 times 100 in Hugo3251, want it once"},
		{"range 100", "range 200", "hugo.go:1:1: got 0 times 100 in Hugo3251, want it once"},
		{"i < 7", "i != 7", "hugo.go:13:2: loop around the kernel does not count up"},
		{"prof := pprof.Lookup(\"goroutineleak\")", "", "hugo.go:10:1: got 1 uses of the profile, want 2"},
		{"defer func() { prof.WriteTo(os.Stdout, 2) }()", "prof.WriteTo(os.Stdout, 2)", "hugo.go:12:2: unexpected use of the profile"},
	} {
		_, err := transform("hugo.go", []byte(strings.Replace(good, test.old, test.new, 1)))
		if err == nil || err.Error() != test.want {
			t.Errorf("%s: got error %v, want %s", test.new, err, test.want)
		}
	}
}
