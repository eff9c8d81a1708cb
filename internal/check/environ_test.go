package check

import (
	"slices"
	"testing"
)

func TestEnvironment(t *testing.T) {
	std := StandardEnv
	for _, test := range []struct {
		extra []string
		dir   string
		want  []string
	}{
		{nil, "", std},
		{nil, "/x", []string{std[0], std[1], std[2], "PWD=/x"}},
		{[]string{"A=1", "HOME=/h", "A=2=3", "B="}, "", []string{std[0], "HOME=/h", std[2], "A=2=3", "B="}},
	} {
		got, err := Environment(test.extra, test.dir)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q %q: got %q %v, want %q", test.extra, test.dir, got, err, test.want)
		}
	}
	for _, bad := range []string{"", "A", "=1", "A=\x00"} {
		if got, err := Environment([]string{bad}, ""); err == nil {
			t.Errorf("%q: got %q, want an error", bad, got)
		}
	}
}
