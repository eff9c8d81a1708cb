package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{"# only a comment\n", ""},
		{"---\n", ""},
		{"states: 100\nleak: false\n", "states=[100] at f:1:1, f:1:9\nleak=[false] at f:2:1, f:2:7\n"},
		{"args:\n- -n\n- '3'\n", "args=list[-n 3] at f:1:1, f:2:1\n"},
		{"args: []\n", "args=list[] at f:1:1, f:1:7\n"},
		{"time: \"free\" # why\n", "time=[free] at f:1:1, f:1:7\n"},
		{"a: 1\na: 2\n", "f:2:1: a is set twice: the first is in line 1"},
		{"- a\n", "f:1:1: a mapping is expected: lines of the form name: value"},
		{"a:\n", "f:1:3: a: a value or a list of values is expected"},
		{"a: {b: c}\n", "a=nested[] at f:1:1, f:1:4\n"},
		{"a: [b, [c]]\n", "f:1:8: a: a value or a list of values is expected"},
		{"? [a]\n: b\n", "f:1:3: a name is expected"},
		{"a: 1\n---\nb: 2\n", "f:2:1: a second document: the file has one"},
		{"a: 1\n\tb: 2\n", "f:2: not YAML: found a tab character that violates indentation"},
	} {
		entries, err := Parse("f", []byte(test.text))
		var got strings.Builder
		for _, e := range entries {
			list := ""
			if e.List {
				list = "list"
			}
			if e.Nested() {
				list = "nested"
			}
			fmt.Fprintf(&got, "%s=%s%v at %v, %v\n", e.Name, list, e.Values, e.Pos, e.At)
		}
		if err != nil {
			got.WriteString(err.Error())
		}
		if got.String() != test.want {
			t.Errorf("%q:\ngot  %q\nwant %q", test.text, got.String(), test.want)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if e, err := Find(dir); e != nil || err != nil {
		t.Errorf("no file: got %v, %v, want nothing", e, err)
	}
	if err := os.WriteFile(filepath.Join(dir, FileName), []byte("all: true\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if e, err := Find(dir); err != nil || len(e) != 1 || e[0].Name != "all" {
		t.Errorf("got %v, %v, want one entry all", e, err)
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "d", FileName), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := Find(filepath.Join(dir, "d")); err == nil {
		t.Error("a folder of that name: got no error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("states: 100\nargs: [a, b]\n")
	f.Add("a: &x 1\nb: *x\n")
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Parse("f", []byte(text))
		for _, e := range entries {
			if err == nil && (e.Name == "" || e.Pos.Line < 1 || e.Pos.Col < 1) {
				t.Errorf("%q: entry %+v has no name or no place", text, e)
			}
		}
	})
}
