package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// page is what is written.
func page(rows []row, limit int64) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What the guesses and views of the reduction are worth

Each program is searched with `+"`heddle check -all`"+` (packages of the library with `+"`heddle test -all`"+`), and programs that are held against a model with `+"`heddle conform -all`"+`,
up to %d states (groups, servers of package net/http and what conforms to a model %d, %d and %d times as many) and 60 s, and again
without one guess or view each, by `+"`-without`"+` (see [REDUCTION.md](../REDUCTION.md)). A guess that is refuted is given up in the first place, so
a program that does what a guess says that nobody does has the same states with it and without. Made by

    $ make guesses

`, limit, larger["group"], larger["http"], larger["conform"])
	b.WriteString("Of a package of the library the tests that come to their end are counted together.")
	for _, kind := range kinds(rows, func(r row) string { return r.Kind }) {
		own := slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.Kind != kind })
		ended := len(slices.DeleteFunc(slices.Clone(own), func(r row) bool { return len(r.Without) == 0 }))
		fmt.Fprintf(&b, "\n%d of %d of kind *%s* come to their end, at %s.", ended, len(own), kind, strings.Join(kinds(own, func(r row) string { return r.Commit }), ", "))
	}
	b.WriteString("\n\n")
	fmt.Fprintf(&b, "| without | programs with more states | by (geometric mean) | at most by | with fewer |\n| --- | ---: | ---: | ---: | ---: |\n")
	for i, n := range names {
		more, fewer, sum, most := 0, 0, 0.0, 1.0
		for _, r := range rows {
			if len(r.Without) == 0 || r.Without[i].States == 0 {
				continue
			}
			states := r.Without[i].States
			if r.Without[i].Cut { // there are more than were seen
				states = max(states, r.Base.States+1)
			}
			ratio := float64(states) / float64(r.Base.States)
			switch {
			case ratio > 1:
				more++
				sum += math.Log(ratio)
				most = max(most, ratio)
			case ratio < 1:
				fewer++
			}
		}
		mean := math.Exp(sum / float64(max(more, 1)))
		fmt.Fprintf(&b, "| `%s` | %d | %.2f | %.1f | %d |\n", n, more, mean, most, fewer)
	}
	ended, verdicts := 0, 0
	fmt.Fprintf(&b, "\nPrograms in which one of them makes a difference:\n\n| program | states | %s |\n| --- | ---: |%s\n", strings.Join(names, " | "), strings.Repeat(" ---: |", len(names)))
	for _, r := range rows {
		if len(r.Without) == 0 {
			continue
		}
		ended++
		cells, differs := "", false
		for _, w := range r.Without {
			cell := ""
			switch {
			case w.States == 0:
				cell = "not measured"
			case w.Cut:
				cell = fmt.Sprintf("over %d", w.States)
			case w.States != r.Base.States:
				cell = fmt.Sprint(w.States)
			}
			if !w.Cut && w.Verdict != r.Base.Verdict && w.States > 0 {
				verdicts++
				cell += " (" + w.Verdict + ")"
			}
			differs = differs || cell != ""
			cells += " " + cell + " |"
		}
		if differs {
			fmt.Fprintf(&b, "| %s %s | %d |%s\n", r.Kind, r.Name, r.Base.States, cells)
		}
	}
	fmt.Fprintf(&b, "\n%d programs, of which %d come to their end within the limit and are measured; verdicts that differ: %d.\n", len(rows), ended, verdicts)
	return b.String()
}

// kinds lists the texts that rows have.
func kinds(rows []row, of func(row) string) (list []string) {
	for _, r := range rows {
		if !slices.Contains(list, of(r)) {
			list = append(list, of(r))
		}
	}
	return list
}
