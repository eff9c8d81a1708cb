package model

import "testing"

func TestHideActions(t *testing.T) {
	for _, test := range []struct{ label, want string }{
		{"a", "tau"},
		{"b", "b"},
		{"tau", "tau"},
		{"ab", "ab"},
		{"a(1, [2])|b", "b"},
		{"a|c(x || y)", "tau"},
		{"b(a|a)|c|d({1|2})", "b(a|a)|d({1|2})"},
	} {
		if got := hideActions(test.label, []string{"a", "c"}); got != test.want {
			t.Errorf("%s: got %s, want %s", test.label, got, test.want)
		}
	}
}
