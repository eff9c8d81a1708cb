package pages

import (
	"reflect"
	"testing"
)

const page = "# Title\n\nText\n    that goes on, indented.\n\n    heddle check ./p   # verified\n    heddle check \\\n        ./q\n\n    heddle view x\n\n<!-- exits 1 3 -->\n<!-- varies: times -->\n\n```\n$ heddle check ./p\nviolation: p\n  more\n$ heddle check ./q\n```\n\n<!-- file: a/b.go -->\n```go\npackage b\n```\n\n<!-- exits 1 -->\n\nNo block.\n\n- list\n  ```yaml\n  a: b\n    c\n  ```\n\n    x := 1\n"

func TestParse(t *testing.T) {
	got := Parse(page)
	want := []Block{
		{Line: 6, Text: "heddle check ./p   # verified\nheddle check \\\n    ./q\n\nheddle view x\n"},
		{Line: 16, Text: "$ heddle check ./p\nviolation: p\n  more\n$ heddle check ./q\n", Marks: []Mark{{"exits", "1 3"}, {"varies", "times"}}},
		{Line: 24, Lang: "go", Text: "package b\n", Marks: []Mark{{"file", "a/b.go"}}},
		{Line: 33, Lang: "yaml", Text: "a: b\n  c\n"},
		{Line: 37, Text: "x := 1\n"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	for i, want := range []bool{true, true, false, false, false} {
		if got[i].Shell() != want {
			t.Errorf("block %d: typed: %t", i, !want)
		}
	}
	commands := append(got[0].Commands(), got[1].Commands()...)
	wanted := []Command{
		{6, "heddle check ./p   # verified", ""}, {7, "heddle check ./q", ""}, {10, "heddle view x", ""},
		{16, "heddle check ./p", "violation: p\n  more\n"}, {19, "heddle check ./q", ""},
	}
	if !reflect.DeepEqual(commands, wanted) {
		t.Errorf("got\n%+v\nwant\n%+v", commands, wanted)
	}
	if rest, ok := got[1].Mark("exits"); !ok || rest != "1 3" {
		t.Errorf("got %q, %t", rest, ok)
	}
}

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		shown, output string
		want          bool
	}{
		{"a b\n", "a  b", true},
		{"a\nb", "a b\n", true},
		{"a b", "a b c", false},
		{"b c", "a b c", false},
		{"a … c", "a b b c", true},
		{"a\n...\nc\n", "a\nb\nc\n", true},
		{"… c", "a b c", true},
		{"a …", "a b c", true},
		{"a … b", "a b c", false},
		{"a … x … c", "a b c", false},
		{"(0.05s) 1.2s 30 s", "(1.73s) 20ms 30 s", true},
		{"2 states", "3 states", false},
		{"", "", true},
		{"", "x", false},
	} {
		if got := Alike(c.shown, c.output); got != c.want {
			t.Errorf("%q, %q: got %t", c.shown, c.output, got)
		}
	}
}
