package main

import (
	"fmt"
	"slices"
	"strings"
)

// kinds are those of subjects, in the order of the page.
var kinds = []string{"generated", "programs", "models", "kernels"}

// A tally counts guesses at one percentage.
type tally struct {
	searches, silent   int
	about, ten, three  int
	least, leastHolds  int
	smallest, greatest float64
}

func (t *tally) add(g guess, states int64) {
	t.searches++
	ratio := g.ratio(states)
	switch {
	case !g.Known():
		t.silent++
		return
	case g.AtLeast:
		t.least++
		if ratio <= 1 {
			t.leastHolds++
		}
		return
	}
	t.about++
	if ratio <= 10 && ratio >= 0.1 {
		t.ten++
	}
	if ratio <= 3 && ratio >= 1.0/3 {
		t.three++
	}
	if t.about == 1 {
		t.smallest, t.greatest = ratio, ratio
	}
	t.smallest, t.greatest = min(t.smallest, ratio), max(t.greatest, ratio)
}

func (t *tally) row() string {
	return fmt.Sprintf("%d | %d | %d | %s | %s | %s | %.2f to %.0f | %d of %d",
		t.searches, t.silent, t.about, share(t.ten, t.about), share(t.three, t.about), share(t.ten, t.searches), t.smallest, t.greatest, t.leastHolds, t.least)
}

func share(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(n)/float64(of))
}

// pageOf is the result in Markdown.
func pageOf(rows []*row, commit string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# How many states are left

A search that is cut off guesses how many states it has not seen ([how](../../internal/explore/estimate.go)). Here are %d searches that come to an end by themselves and have %d states at least:
generated programs (every second one with reduction; seeds that the constants were not chosen with), the programs of `+"`bench/search/programs` and `examples`"+`, the models of `+"`examples/models`"+`, and the kernels of the leak profile without reduction.
Each was then cut off after a part of its states, and what it says held against the truth. The same search says the same each time. Made by

    make estimates

at commit %s.

| cut off at | searches | say nothing | say about | of these within a factor of 10 | of 3 | of all searches, within 10 | guess by truth, from and to | "at least" that holds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
`, len(rows), smallest, commit)
	for i, percent := range percents {
		var t tally
		for _, r := range rows {
			t.add(r.guesses[i], r.states)
		}
		fmt.Fprintf(&b, "| %d %% | %s |\n", percent, t.row())
	}
	b.WriteString(`
Nothing is said of a search that has seen less than 20 states, that goes deeper all the time, or that has found twice the states without coming on in the tree: these may have no end.
At 10 % and more no guess can be too small by more than a factor of 10, so the factor of 3, the first row, and guesses that are too large tell more. By kind, at 10 %:

| kind | searches | say nothing | say about | of these within a factor of 10 | of 3 | of all searches, within 10 | guess by truth, from and to | "at least" that holds |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |
`)
	for _, kind := range kinds {
		var t tally
		for _, r := range rows {
			if r.kind == kind {
				t.add(r.guesses[slices.Index(percents[:], 10)], r.states)
			}
		}
		if t.searches > 0 {
			fmt.Fprintf(&b, "| %s | %s |\n", kind, t.row())
		}
	}
	return b.String()
}
