package randconc

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
)

func TestDeterministic(t *testing.T) {
	seen := make(map[string]uint64)
	for seed := range uint64(200) {
		src := Program(seed, Options{})
		if again := Program(seed, Options{}); again != src {
			t.Fatalf("seed %d: got two texts:\n%s\n%s", seed, src, again)
		}
		if other, ok := seen[src]; ok {
			t.Errorf("seeds %d and %d give the same text", other, seed)
		}
		seen[src] = seed
	}
}

// TestLoads type-checks programs with all features, with one missing, and with
// few.
func TestLoads(t *testing.T) {
	s, err := load.NewSession(load.Config{Patterns: []string{"context", "runtime", "sync", "sync/atomic", "time"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for seed := range uint64(400) {
		if !testlong.On() && seed < 200 {
			continue // as those up to 300
		}
		var o Options
		switch {
		case seed >= 360:
			o.Without = Features(seed * 0x9e3779b97f4a7c15 >> 40)
		case seed >= 300:
			o.Without = 1 << (seed % numFeatures)
		}
		src := Program(seed, o)
		file := filepath.Join(dir, fmt.Sprintf("p%d.go", seed))
		if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := s.AddMain(file); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
	}
}

// signs are texts that show that a feature is in use.
var signs = map[Features]string{
	Channels:   `<-|\bclose\(`,
	Selects:    `\bselect \{`,
	Mutexes:    `sync\.Mutex`,
	RWMutexes:  `sync\.RWMutex`,
	WaitGroups: `sync\.WaitGroup`,
	Onces:      `sync\.Once`,
	Conds:      `sync\.(New)?Cond`,
	Atomics:    `atomic\.`,
	Contexts:   `context\.`,
	Timers:     `\btime\.`,
	Panics:     `panic\(|Goexit`,
	Maps:       `map\[|\[\]int`,
	Pointers:   `chan \*int`,
	Servers:    `Load\(\) == 0 \{\n\s*(runtime.Gosched\(\)\n\s*)?\}|for v := range|for \{\n\s+(select|v\b)`,
}

// TestFeatures checks that a feature shows up often, and never when it is off.
func TestFeatures(t *testing.T) {
	for f := Channels; f <= Servers; f <<= 1 {
		sign := regexp.MustCompile(signs[f])
		used := 0
		for seed := range uint64(300) {
			if sign.MatchString(Program(seed, Options{})) {
				used++
			}
			if f == Contexts || f == Channels {
				// A context waits with a channel.
				if src := Program(seed, Options{Without: Channels | Contexts | Timers}); sign.MatchString(src) {
					t.Fatalf("%s: got a program that uses it:\n%s", sign, src)
				}
				continue
			}
			if src := Program(seed, Options{Without: f}); sign.MatchString(src) {
				t.Fatalf("%s: got a program that uses it:\n%s", sign, src)
			}
		}
		if used < 12 {
			t.Errorf("%s: got %d of 300 programs that use it, want 12 or more", sign, used)
		}
	}
}

// TestShapes checks that variables of the package, captured ones and fields are
// all in use, and that goroutines are started in all ways.
func TestShapes(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(300) {
		all.WriteString(Program(seed, Options{}))
	}
	for _, want := range []string{
		"\nvar x int", "\n\tvar x int", "\nvar sh = ", "\n\tsh := ", "\n\tx ", "go work1()", "go work1(sh)", "go func() {",
		"go func(r int) {", "wg.Go(func() {", "recover()", "for range 2 {", "<-nc", "runtime.Goexit()", "TryLock",
		"goto again", "uint8(254)", "for _, v", "wg2.Wait()", "time.Since(", "range tab",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no program of 300 has %q", want)
		}
	}
}

func TestRoutines(t *testing.T) {
	start := regexp.MustCompile(`\bgo (func|work)|wg\.Go\(`)
	inner := regexp.MustCompile(`v\d+\.Add\(1\)`)
	for n := 1; n <= 5; n++ {
		for seed := range uint64(50) {
			src := Program(seed, Options{Routines: n, Without: Faults, Budget: 10000})
			got := len(start.FindAllString(src, -1)) - len(inner.FindAllString(src, -1))
			if got != n {
				t.Fatalf("seed %d: got %d goroutines, want %d:\n%s", seed, got, n, src)
			}
		}
	}
}

// TestOptions checks that programs with something to collect, and bubbles, have all of what there is.
func TestOptions(t *testing.T) {
	var all strings.Builder
	for seed := range uint64(100) {
		all.WriteString(Program(seed, Options{Memory: true}))
		all.WriteString(Program(seed, Options{Bubble: true}))
	}
	for _, want := range []string{
		"runtime.GC()", "runtime.SetFinalizer(", ", nil)", "runtime.AddCleanup(", ".Stop()", "runtime.KeepAlive(", "weak.Make(", ".Value()", "keep = nil",
		"settle()", "time.Sleep(time.Hour)", "time.NewTicker(", "time.Since(", "bubbled(func() {",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no program of 200 has %q", want)
		}
	}
}
