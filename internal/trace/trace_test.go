package trace

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestFakeKeepsContract(t *testing.T) {
	ltstest.Run(t, func() lts.System { return ab() })
	ltstest.Run(t, func() lts.System { return lost() })
}

// golden are the traces of the golden files.
var golden = []struct {
	name    string
	sys     func() *fake
	path    lts.Path
	finding diag.Finding
}{
	{"deadlock", ab, lts.Path{0, 0, 10, 20, 0}, deadlock},
	// Both load 2 and store 3; main wants 2.
	{"assert", lost, lts.Path{0, 0, 10, 0, 20, 20, 10, 1, 0}, diag.Finding{Kind: "assert", Message: "assertion failed", Pos: diag.Pos{File: "dir/fake.go", Line: 14, Col: 2}}},
}

func TestGolden(t *testing.T) {
	for _, test := range golden {
		t.Run(test.name, func(t *testing.T) {
			trace, err := Record(test.sys(), test.path, test.finding)
			if err != nil {
				t.Fatal(err)
			}
			trace.Program, trace.Settings = "fake", map[string]string{"search": "by hand", "reduce": "no"}
			files, err := trace.Files()
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, File{"narrow", []byte(trace.Columns(50))}, File{"crowded", []byte(trace.Columns(40))})
			archive := new(txtar.Archive)
			for _, f := range files {
				archive.Files = append(archive.Files, txtar.File{Name: f.Name, Data: f.Data})
			}
			name := filepath.Join("testdata", test.name+".txtar")
			got := txtar.Format(archive)
			if *update {
				if err := os.WriteFile(name, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			again, err := Read(bytes.NewReader(files[0].Data))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(again, trace) {
				t.Errorf("read back: got\n%+v\nwant\n%+v", again, trace)
			}
			for _, line := range strings.Split(trace.Columns(50), "\n") {
				if n := width(line); n > 50 {
					t.Errorf("a line of %d characters, want 50: %q", n, line)
				}
			}
		})
	}
}

func TestWeights(t *testing.T) {
	trace, err := Record(ab(), golden[0].path, deadlock)
	if err != nil {
		t.Fatal(err)
	}
	var got []Weight
	for _, s := range trace.Steps {
		got = append(got, s.Weight)
	}
	if got, want := trace.Steps[1].Matters(), "starts main.second"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := trace.Steps[4].Matters(); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
	// main's last store has nothing to do with it.
	if want := []Weight{Key, Key, Key, Key, Apart}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestRecordOfStalePaths(t *testing.T) {
	for _, test := range []struct {
		path    lts.Path
		finding diag.Finding
		want    string
	}{
		{lts.Path{0, 7}, deadlock, "step 2 of 2, after main: go main.first: step 7 is not enabled: the program differs from the one that was checked"},
		{lts.Path{5}, deadlock, "step 1 of 1: step 5 is not enabled: the program differs from the one that was checked"},
		{lts.Path{0, 0}, deadlock, "step 2 of 2, after main: go main.second: the finding does not show (deadlock: no step is enabled): the program differs from the one that was checked"},
	} {
		_, err := Record(ab(), test.path, test.finding)
		if err == nil || err.Error() != test.want || !errors.Is(err, ErrStale) || diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%v: got %v, want %s", test.path, err, test.want)
		}
		if _, err := Minimise(ab(), test.path, SameAs(test.finding), 0); !errors.Is(err, ErrStale) {
			t.Errorf("minimise %v: got %v, want a stale path", test.path, err)
		}
	}
	if trace, err := Record(ab(), lts.Path{0, 0}, diag.Finding{}); err != nil || len(trace.Steps) != 2 {
		t.Errorf("without finding: got %v, %v, want 2 steps", trace, err)
	} else if got, want := trace.Text(), `    1   main  dir/fake.go:10  go main.first
    2 * main  dir/fake.go:11  go main.second
why:
    2 * leads to the end
2 steps, 0 context switches
`+Legend; got != want {
		t.Errorf("without finding: got\n%s\nwant\n%s", got, want)
	}
}

func TestDiffers(t *testing.T) {
	record := func(change func(f *fake)) *Trace {
		f := ab()
		change(f)
		trace, err := Record(f, golden[0].path, deadlock)
		if err != nil {
			t.Fatal(err)
		}
		return trace
	}
	old := record(func(*fake) {})
	if err := old.Differs(record(func(*fake) {})); err != nil {
		t.Errorf("the same: got %v, want nil", err)
	}
	err := old.Differs(record(func(f *fake) { f.threads[1].ops[0].line = 99 }))
	want := `step 3 of 5: was "dir/fake.go:16: main.first: lock a [a: free → held]", is "dir/fake.go:99: main.first: lock a [a: free → held]": the program differs from the one that was checked`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	other := record(func(*fake) {})
	other.Finding.Message = "other"
	if err := old.Differs(other); !errors.Is(err, ErrStale) {
		t.Errorf("other finding: got %v, want a difference", err)
	}
	other.Steps = other.Steps[:4]
	if err := old.Differs(other); !errors.Is(err, ErrStale) {
		t.Errorf("other length: got %v, want a difference", err)
	}
}

func TestValues(t *testing.T) {
	trace, err := Record(ab(), golden[0].path, deadlock)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int][]Value{
		0: nil,
		3: {{"a", "held"}},
		9: {{"a", "held"}, {"b", "held"}, {"unrelated", "1"}},
	} {
		if got := trace.Values(n); !reflect.DeepEqual(got, want) {
			t.Errorf("after %d: got %v, want %v", n, got, want)
		}
	}
}

// A system without words is told by its labels.
func TestRecordOfToy(t *testing.T) {
	path := lts.Path{0, 2, 1}
	trace, err := Record(ltstest.New(ltstest.Philosophers(3, false)), path, deadlock)
	if err != nil {
		t.Fatal(err)
	}
	want := `    1   actor 0  -  s0
!   2   actor 2  -  s2
>   3 * actor 1  -  s1
deadlock: no step is enabled
why:
    3 * leads to deadlock
3 steps, 2 context switches (1 preemption): not proven to be the fewest
` + Legend
	if got := trace.Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
