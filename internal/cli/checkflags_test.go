package cli

import (
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
)

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
