package main

import (
	"fmt"
	"strings"
)

// jpfFigures are of Java PathFinder (jpf-core, java-17 branch, defaults: depth
// first, deadlocks and uncaught exceptions), measured on a machine with 2 cores of
// the kind that this runs on.
var jpfFigures = []struct {
	program, what string
	states        int64
	rate          float64 // states a CPU second
}{
	{"philosophers5", "philosophers 5, all deadlocks", 15123, 1572},
	{"philosophers6", "philosophers 6, all deadlocks", 87411, 2471},
	{"philosophers6ordered", "philosophers 6, ordered, endless loop", 63125, 1794},
	{"boundedbuffer", "bounded buffer, 1 slot, 2 producers, 2 consumers, 2 items each", 39740, 2685},
	{"readerswriters1", "readers-writers, 2 and 2, once each", 33366, 2448},
	{"readerswriters2", "readers-writers, 2 and 2, twice each", 0, 0},
	{"sleepingbarber", "sleeping barber, 4 customers, 2 chairs", 185315, 3773},
	{"elevator", "elevator, 3 persons, 3 floors", 49924, 3366},
}

// jpf compares with Java PathFinder.
func (b *bench) jpf() {
	fmt.Fprint(b.w, `
## Programs for which there are figures of Java PathFinder

Those figures are of jpf-core (java-17 branch, defaults), on a machine with 2 cores of the same kind; its CPU seconds
include the start of the Java machine. The targets are no more states, and 100 times its states a CPU second.

| program | JPF states | JPF states / CPU s | heddle states | reduced | states / CPU s | ratio | reduced, ratio | start, CPU s |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
`)
	var missed []string
	for _, j := range jpfFigures {
		p := plan{Seconds: 1}
		f := b.best(j.program, p)
		p.Reduce = true
		r := b.best(j.program, p)
		states, rate, ratio, reduced := "not finished in 240 s", "", "", ""
		if j.states > 0 {
			states, rate = group(j.states), group(int64(j.rate))
			ratio, reduced = fmt.Sprintf("%.0f", f.rate()/j.rate), fmt.Sprintf("%.0f", r.rate()/j.rate)
			if f.rate() < 100*j.rate || f.States > j.states {
				missed = append(missed, j.program)
			}
		}
		fmt.Fprintf(b.w, "| %s | %s | %s | %s | %s | %s | %s | %s | %.2f |\n",
			j.what, states, rate, group(f.States), group(r.States), group(int64(f.rate())), ratio, reduced, f.Start)
	}
	fmt.Fprint(b.w, `
The start takes a hundredth of a second if the compiled program is in the cache, and about one second if it is not.
With reduction a state takes longer, because it is found out of each step what it touches before any is taken.
`)
	if len(missed) > 0 {
		fmt.Fprintf(b.w, "The targets were missed in this run by %s.\n", strings.Join(missed, ", "))
	}
}
