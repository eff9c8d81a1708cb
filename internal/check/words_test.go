package check

import (
	"slices"
	"testing"
)

// TestSplitWords: words are those of a shell.
func TestSplitWords(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
		bad  bool
	}{
		{"./server -n 2", []string{"./server", "-n", "2"}, false},
		{"  a\t b ", []string{"a", "b"}, false},
		{`./server -name "two words" 'and "three" more'`, []string{"./server", "-name", "two words", `and "three" more`}, false},
		{`a "" ''b`, []string{"a", "", "b"}, false},
		{`a\ b 'c\d' "e\"f\g"`, []string{"a b", `c\d`, `e"f\g`}, false},
		{"", nil, false},
		{"a 'b", nil, true},
		{`a\`, nil, true},
	} {
		got, err := splitWords(c.line)
		if !slices.Equal(got, c.want) || (err != nil) != c.bad {
			t.Errorf("%q: got %q, %v, want %q", c.line, got, err, c.want)
		}
	}
}
