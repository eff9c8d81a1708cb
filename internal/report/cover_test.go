package report

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

const coverName = "example.com/cover/cover.go"

// coverModule makes a module of testdata/cover with a test, and returns its
// directory and the source.
func coverModule(t *testing.T, test string) (dir string, src []byte) {
	t.Helper()
	src, err := os.ReadFile("testdata/cover/cover.go")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, text := range map[string]string{
		"go.mod":        "module example.com/cover\n\ngo 1.26\n",
		"cover.go":      string(src),
		"cover_test.go": "package cover\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {\n" + test + "\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir, src
}

// goCommand runs the go command in a directory and returns its output.
func goCommand(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func profileOf(t *testing.T, p *Profile) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Two ways, one answer: the blocks are those of go test -coverprofile, and a hit
// at the start of a block is counted for it.
func TestBlocksAsGo(t *testing.T) {
	dir, src := coverModule(t, `	empty(); branches(5); loops(1)`)
	goCommand(t, dir, "test", "-covermode=set", "-coverprofile=c.out", ".")
	want, err := os.ReadFile(filepath.Join(dir, "c.out"))
	if err != nil {
		t.Fatal(err)
	}
	sorted := strings.Split(strings.TrimSpace(string(want)), "\n")
	var hits []Hit
	for _, l := range sorted[1:] {
		var b Block
		_, place, _ := strings.Cut(l, ":")
		if _, err := fmt.Sscanf(place, "%d.%d,%d.%d %d %d", &b.StartLine, &b.StartCol, &b.EndLine, &b.EndCol, &b.Stmts, &b.Count); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		hits = append(hits, Hit{b.StartLine, b.StartCol, b.Count})
	}
	blocks, err := Blocks(coverName, src, hits)
	if err != nil {
		t.Fatal(err)
	}
	var p Profile
	p.Add(blocks...)
	got := strings.Split(strings.TrimSpace(profileOf(t, &p)), "\n")
	slices.Sort(got[1:])
	slices.Sort(sorted[1:])
	if !slices.Equal(got, sorted) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(sorted, "\n"))
	}
}

// go tool cover accepts a profile and computes the share of statements from it.
func TestToolCover(t *testing.T) {
	dir, src := coverModule(t, "")
	var hits []Hit
	for i, line := range strings.Split(string(src), "\n") {
		if strings.Contains(line, "sum") { // all of loops that says sum
			hits = append(hits, Hit{Line: i + 1, Count: 3})
		}
	}
	blocks, err := Blocks(coverName, src, hits)
	if err != nil {
		t.Fatal(err)
	}
	p := Profile{Counts: true}
	p.Add(blocks...)
	golden(t, "cover.out", profileOf(t, &p))
	if err := os.WriteFile(filepath.Join(dir, "c.out"), []byte(profileOf(t, &p)), 0o666); err != nil {
		t.Fatal(err)
	}
	golden(t, "cover.func", goCommand(t, dir, "tool", "cover", "-func=c.out"))
	goCommand(t, dir, "tool", "cover", "-html=c.out", "-o", "c.html")
}

func TestHits(t *testing.T) {
	const src = `package p

func f(x bool) {
	if x { g() }
	for i := 0; i < 3; i++ {
		go func() {
			g()
		}(
			i,
		)
	}
	switch {
	case x:
		g()
	}
}
`
	for _, test := range []struct {
		name string
		hits []Hit
		want string // start and count of each block that was executed
	}{
		{"nothing", nil, ""},
		{"a line of two blocks is the first one's", []Hit{{4, 0, 2}}, "3.16:2"},
		{"a column tells them apart", []Hit{{4, 9, 2}}, "4.7:2"},
		{"the first place counts", []Hit{{5, 14, 4}, {5, 6, 1}, {5, 21, 3}}, "5.2:1"},
		{"also if it comes first", []Hit{{5, 6, 1}, {5, 14, 4}}, "5.2:1"},
		{"one place twice", []Hit{{5, 6, 1}, {5, 6, 2}}, "5.2:3"},
		{"behind a function literal is no block", []Hit{{8, 0, 1}, {9, 0, 1}, {9, 4, 1}}, ""},
		{"a case is no block", []Hit{{13, 0, 1}, {13, 7, 1}}, ""},
		{"the body of a case", []Hit{{14, 3, 1}}, "13.9:1"},
		{"outside of functions", []Hit{{1, 1, 1}, {99, 1, 1}}, ""},
		{"never", []Hit{{14, 3, 0}}, ""},
	} {
		blocks, err := Blocks("p/p.go", []byte(src), test.hits)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, b := range blocks {
			if b.Count > 0 {
				got = append(got, fmt.Sprintf("%d.%d:%d", b.StartLine, b.StartCol, b.Count))
			}
		}
		if got := strings.Join(got, " "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestBlocksError(t *testing.T) {
	_, err := Blocks("p/p.go", []byte("package p\nfunc {\n"), nil)
	if err == nil || !strings.HasPrefix(err.Error(), "p/p.go:2:6: ") || diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("got %v, want a usage error at p/p.go:2:6", err)
	}
}

// Profiles are added up, and ordered by number and not by text.
func TestProfile(t *testing.T) {
	var p Profile
	if got, want := profileOf(t, &p), "mode: set\n"; got != want {
		t.Errorf("empty: got %q, want %q", got, want)
	}
	p.Add(Block{"p/b.go", 10, 2, 11, 3, 1, 2}, Block{"p/b.go", 9, 2, 11, 3, 1, 0}, Block{"p/a.go", 20, 1, 20, 5, 2, 1})
	p.Add(Block{"p/b.go", 10, 2, 11, 3, 1, 3})
	if got, want := profileOf(t, &p), "mode: set\np/a.go:20.1,20.5 2 1\np/b.go:9.2,11.3 1 0\np/b.go:10.2,11.3 1 1\n"; got != want {
		t.Errorf("set: got\n%s\nwant\n%s", got, want)
	}
	p.Counts = true
	if got, want := profileOf(t, &p), "mode: count\np/a.go:20.1,20.5 2 1\np/b.go:9.2,11.3 1 0\np/b.go:10.2,11.3 1 5\n"; got != want {
		t.Errorf("count: got\n%s\nwant\n%s", got, want)
	}
	p.Add(Block{File: "p/a:b.go"})
	if err := p.Write(new(strings.Builder)); diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("a colon in a name: got %v, want a usage error", err)
	}
}
