package lts

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestPathText(t *testing.T) {
	for _, test := range []struct {
		path Path
		want string
	}{
		{nil, "-"},
		{Path{7}, "7"},
		{Path{0, 0, 0, 2, 1}, "0*3.2.1"},
		{Path{1<<32 - 1, 5, 5}, "4294967295.5*2"},
	} {
		if got := test.path.String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if got, err := ParsePath(test.want); err != nil || !slices.Equal(got, test.path) {
			t.Errorf("%q: got %v, %v, want %v", test.want, got, err, []Step(test.path))
		}
	}
	for _, bad := range []string{"", ".", "1.", "x", "-1", "1*1", "1*", "1*2*3", "4294967296", "1*4294967295", "1*16777216.1"} {
		if p, err := ParsePath(bad); err == nil {
			t.Errorf("%q: got a path of %d steps, want an error", bad, len(p))
		}
	}
}

func TestPathRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.OneOf(rapid.Uint32Max(3), rapid.Uint32())
		var p Path
		for _, s := range rapid.SliceOf(step).Draw(t, "path") {
			p = append(p, Step(s))
		}
		if got, err := ParsePath(p.String()); err != nil || !slices.Equal(got, p) {
			t.Fatalf("text: got %v, %v, want %v", got, err, p)
		}
		data := append(p.AppendBinary(nil), "rest"...)
		got, rest, err := CutPath(data)
		if err != nil || !slices.Equal(got, p) || string(rest) != "rest" {
			t.Fatalf("binary: got %v, %q, %v, want %v", got, rest, err, p)
		}
	})
}

func FuzzParsePath(f *testing.F) {
	f.Add("-")
	f.Add("0*3.2.1")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePath(text)
		if err != nil {
			return
		}
		q, err := ParsePath(p.String())
		if err != nil || !slices.Equal(p, q) {
			t.Errorf("%q: %v does not parse back: %v", text, p, err)
		}
	})
}

func FuzzCutPath(f *testing.F) {
	f.Add(Path{1, 2, 300}.AppendBinary(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, rest, err := CutPath(data); err == nil {
			again := append(p.AppendBinary(nil), rest...)
			if q, _, err := CutPath(again); err != nil || !slices.Equal(p, q) {
				t.Errorf("%x: got %v, %v, want %v", data, q, err, p)
			}
		}
	})
}
