package report

import "testing"

func TestEstimateWords(t *testing.T) {
	for _, test := range []struct {
		e    *Estimate
		want string
	}{
		{nil, ""},
		{&Estimate{Left: 1}, "about 1 state left"},
		{&Estimate{Left: 96}, "about 100 states left"},
		{&Estimate{Left: 34_567, Seconds: 0.3}, "about 30000 states left (1 s at this rate)"},
		{&Estimate{Left: 3_987_654_321, Seconds: 7300}, "about 4·10^9 states left (2 h at this rate)"},
		{&Estimate{Left: 96_000_000, AtLeast: true, Seconds: 100}, "at least 9·10^7 states left (2 min or more at this rate)"},
		{&Estimate{Left: 1 << 60, Seconds: 1e12}, "about 1·10^18 states left (30000 years at this rate)"},
		{&Estimate{Left: 1000, Seconds: 4 * 86400}, "about 1000 states left (4 days at this rate)"},
	} {
		if got := test.e.Words(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.e, got, test.want)
		}
	}
}
