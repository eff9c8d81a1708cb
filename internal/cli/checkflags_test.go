package cli

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

func TestSize(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64
	}{
		{"0", 0}, {"17", 17}, {"17B", 17}, {"2K", 2048}, {"2KB", 2000}, {"3MiB", 3 << 20}, {"3M", 3 << 20},
		{"1GB", 1e9}, {"1 GiB", 1 << 30}, {"2TB", 2e12},
		{"", -1}, {"B", -1}, {"x", -1}, {"-1", -1}, {"1.5GB", -1}, {"9999999TiB", -1},
	} {
		s := size(-1)
		err := s.Set(test.text)
		if int64(s) != test.want || (err == nil) != (test.want >= 0) {
			t.Errorf("%q: got %d, %v, want %d", test.text, int64(s), err, test.want)
		}
	}
}

// TestLogged: the message of a failing test, as package testing prints it.
func TestLogged(t *testing.T) {
	const output = "=== RUN   TestX\n" +
		"    a_test.go:7: first\n" +
		"    a_test.go:9: got 1\n        want 2\n" +
		"    b_test.go:9: other file\n" +
		"        a_test.go:12: in a subtest\n" +
		"a_test.go:9 is not a message\n"
	for _, test := range []struct {
		file string
		line int
		want string
	}{
		{"dir/a_test.go", 7, "first"},
		{"a_test.go", 9, "got 1; want 2"},
		{"b_test.go", 9, "other file"},
		{"a_test.go", 12, "in a subtest"},
		{"a_test.go", 1, "in a subtest"},
	} {
		if got := logged(output, diag.Pos{File: test.file, Line: test.line}, "otherwise"); got != test.want {
			t.Errorf("%s:%d: got %q, want %q", test.file, test.line, got, test.want)
		}
	}
	if got := logged("=== RUN   TestX\n        nothing\n", diag.Pos{File: "a_test.go", Line: 1}, "otherwise"); got != "otherwise" {
		t.Errorf("nothing logged: got %q, want otherwise", got)
	}
}

func TestRecipe(t *testing.T) {
	want := recipe{
		Dir: "/d", ChangeTo: "c", Packages: []string{"./p"}, Tags: []string{"a", "b"}, Args: []string{"", "x y"},
		Test: "TestX", RunArgs: []string{"p.test"}, WorkDir: "/d/p", Time: "free", Interleave: "sync",
		MapOrder: "true", Random: "3", Properties: []string{"leak"},
	}
	got, err := readRecipe(want.settings())
	if err != nil || got.hash() != want.hash() || got.Dir != want.Dir || got.ChangeTo != want.ChangeTo || got.Packages[0] != "./p" {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	other := want
	other.Args = []string{"x", "y"}
	if other.hash() == want.hash() {
		t.Error("recipes with other arguments have one hash")
	}
	for _, bad := range []map[string]string{
		{},
		{"packages": "p"},
		{"packages": `["p"]`, "colour": "red"},
	} {
		if r, err := readRecipe(bad); diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%v: got %+v, %v, want a usage error", bad, r, err)
		}
	}
}
