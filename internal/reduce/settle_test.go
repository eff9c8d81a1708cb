package reduce

import (
	"errors"
	"slices"
	"testing"
)

// A step is what an attempt of a script shows.
type step struct{ news, found, whole, over bool }

// TestSettle tries what attempts may show, and how that ends.
func TestSettle(t *testing.T) {
	news, found, whole, over := step{news: true, whole: true}, step{found: true}, step{whole: true}, step{over: true}
	for _, test := range []struct {
		name             string
		trials, searches []step
		alike, all       bool
		more             int // trials than one
		want             End
		used             int // how many of the searches
	}{
		{name: "all is searched", searches: []step{whole}, want: Proved, used: 1},
		{name: "something is left", searches: []step{{}}, want: Stopped, used: 1},
		{name: "something is wrong", searches: []step{found}, want: Refuted, used: 1},
		{name: "news, and then none", searches: []step{news, whole}, want: Proved, used: 2},
		{name: "news that come when the time is over", searches: []step{{news: true, whole: true, over: true}}, want: Stopped, used: 1},
		{name: "the time is over at the end of a whole search", searches: []step{{whole: true, over: true}}, want: Stopped, used: 1},
		{name: "a finding under a wrong guess", searches: []step{{news: true, found: true}}, want: Refuted, used: 1},
		{name: "all findings are wanted", all: true, searches: []step{{news: true, found: true}, {found: true, whole: true}}, want: Refuted, used: 2},
		{name: "a trial is enough", alike: true, trials: []step{news, whole}, want: Proved},
		{name: "a larger trial is enough", alike: true, more: 1, trials: []step{news, {}, news, whole}, want: Proved},
		{name: "a larger trial finds something", alike: true, more: 1, trials: []step{{}, found}, want: Refuted},
		{name: "trials are not enough", alike: true, more: 1, trials: []step{{}, {}}, searches: []step{whole}, want: Proved, used: 1},
		{name: "a trial is not alike", trials: []step{news, whole}, searches: []step{{}}, want: Stopped, used: 1},
		{name: "a trial is interrupted", alike: true, trials: []step{news, over}, want: Stopped},
		{name: "a trial with news is interrupted", alike: true, trials: []step{{news: true, whole: true, over: true}}, want: Stopped},
		{name: "a trial that is not alike is interrupted", trials: []step{{whole: true, over: true}}, want: Stopped},
		{name: "a trial finds something", alike: true, trials: []step{{news: true, found: true}}, want: Refuted},
		{name: "a trial that is not alike finds something", trials: []step{found}, searches: []step{whole}, want: Proved, used: 1},
		{name: "news without end", searches: append(slices.Repeat([]step{news}, maxSearches), whole), want: Proved, used: maxSearches + 1},
		{name: "news even then", searches: slices.Repeat([]step{news}, maxSearches+1), want: Stopped, used: maxSearches + 1},
	} {
		used := 0
		next := func(list *[]step, n int) (Attempt[int, string], error) {
			s := (*list)[0]
			*list = (*list)[1:]
			return Attempt[int, string]{Known: n + 1, News: s.news, Found: s.found, Whole: s.whole, Over: s.over}, nil
		}
		trials, searches := slices.Clone(test.trials), slices.Clone(test.searches)
		p := Plan[int, string]{
			Plain: -1, Alike: test.alike, All: test.all,
			Search: func(n int) (Attempt[int, string], error) { used++; return next(&searches, n) },
		}
		if trials != nil {
			trial := func(n int) (Attempt[int, string], error) { return next(&trials, n) }
			p.Trials = append(p.Trials, trial, trial)[:1+test.more]
		}
		got, err := Settle(p)
		if err != nil || got.End() != test.want || used != test.used || got.Verified() != (test.want == Proved) {
			t.Errorf("%s: got %v after %d searches, %v, want %v after %d", test.name, got.End(), used, err, test.want, test.used)
		}
	}
	if (&Settled[int, string]{}).Verified() {
		t.Error("nothing was searched, and that is proved")
	}
	wrong := errors.New("wrong")
	if _, err := Settle(Plan[int, int]{Search: func(int) (Attempt[int, int], error) { return Attempt[int, int]{Whole: true}, wrong }}); err != wrong {
		t.Errorf("got %v, want %v", err, wrong)
	}
}
