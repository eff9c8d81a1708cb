package cli

import (
	"slices"
	"testing"
)

func TestPattern(t *testing.T) {
	for _, test := range []struct {
		pattern, test  string
		matches, whole bool
		of             string
	}{
		{"", "TestA", true, false, "^TestA$"},
		{"A", "TestA", true, true, "^TestA$"},
		{"A", "TestB", false, false, ""},
		{"A/x", "TestA", true, false, "^TestA$/x"},
		{"A/x|B", "TestB", true, true, "^TestB$"},
		{"A/x|B", "TestA", true, false, "^TestA$/x"},
		{"A/x|^TestA$/y/z", "TestA", true, false, "^TestA$/x|^TestA$/y/z"},
		{"(A|B)/x", "TestB", true, false, "^TestB$/x"},
		{"[A/|]x", "Test/x", true, true, "^Test/x$"},
		{`A\|B`, "TestA", false, false, ""},
	} {
		p, err := parsePattern("run", test.pattern)
		if err != nil {
			t.Fatalf("%s: %v", test.pattern, err)
		}
		if got := p.matches(test.test); got != test.matches {
			t.Errorf("%s matches %s: got %v, want %v", test.pattern, test.test, got, test.matches)
		}
		if got := p.whole(test.test); got != test.whole {
			t.Errorf("%s means all of %s: got %v, want %v", test.pattern, test.test, got, test.whole)
		}
		if got := p.below(test.test); !test.matches && got != "" || test.pattern == "" && got != "" || test.matches && test.pattern != "" && got != test.of {
			t.Errorf("%s below %s: got %s", test.pattern, test.test, got)
		}
		if test.matches {
			if got := p.of(test.test); got != test.of {
				t.Errorf("%s for %s: got %s, want %s", test.pattern, test.test, got, test.of)
			}
		}
	}
	for _, text := range []string{"(", "A/(", "A|["} {
		if _, err := parsePattern("run", text); err == nil {
			t.Errorf("%s: got no error", text)
		}
	}
}

// The order is that of go test -shuffle 7 -v, which was run for it.
func TestShuffled(t *testing.T) {
	names := []string{"TestA", "TestB", "TestSkip"}
	shuffled(names, 7)
	if want := []string{"TestB", "TestA", "TestSkip"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}
