package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// A row is what was found out about a module.
type row struct {
	*module
	tests, agree, skip, slow int
	diffs                    []difference
	commits                  []string
	seconds                  [2]float64
	unused                   []reason
}

func newRow(m *module, parts []*part) row {
	r := row{module: m}
	used := make([]bool, len(m.reasons))
	for _, p := range parts {
		tests, diffs := p.compare()
		r.tests += len(tests)
		r.agree += len(tests) - len(diffs)
		for _, name := range tests {
			if p.Machine.result(name).Result == skipped {
				r.skip++
			}
		}
		for _, d := range diffs {
			for i := range m.reasons {
				if d.why == nil && m.reasons[i].covers(d.pkg, d.test) {
					d.why = &m.reasons[i]
					used[i] = true
				}
			}
			if d.there == slow {
				r.slow++
			}
			r.diffs = append(r.diffs, d)
		}
		r.commits = append(r.commits, p.Heddle)
		r.seconds[0] += p.Seconds[0]
		r.seconds[1] += p.Seconds[1]
	}
	for i, ok := range used {
		if !ok && !m.reasons[i].sometimes() {
			r.unused = append(r.unused, m.reasons[i])
		}
	}
	return r
}

// write returns the page, and what is wrong with it.
func write(rows []row, limits string) (string, []string) {
	var b strings.Builder
	var errs []string
	limits = words(limits)
	var all row
	for i := range rows {
		r := &rows[i]
		all.tests += r.tests
		all.agree += r.agree
		all.skip += r.skip
		all.slow += r.slow
		all.diffs = append(all.diffs, r.diffs...)
		all.commits = append(all.commits, r.commits...)
		for _, u := range r.unused {
			errs = append(errs, fmt.Sprintf("%v: %s.%s does not differ: it needs no reason", r.module, u.pkg, u.test))
		}
		for _, re := range r.reasons {
			if !strings.Contains(limits, words(re.limit)) {
				errs = append(errs, fmt.Sprintf("%v: %s.%s: docs/LIMITS.md does not say %q", r.module, re.pkg, re.test, re.limit))
			}
		}
		for _, d := range r.diffs {
			if d.why == nil {
				errs = append(errs, fmt.Sprintf("%s %s: no reason why it is %s natively and %s in the machine: %s", d.pkg, d.test, d.native, d.there, d.detail))
			}
		}
	}
	slices.Sort(all.commits)
	all.commits = slices.Compact(all.commits)
	fmt.Fprintf(&b, "# The tests of popular modules, run once\n\n    $ make modules\n\n")
	fmt.Fprintf(&b, "Commit %s, %s, %s/%s.\n\n", strings.Join(all.commits, ", "), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(intro))
	fmt.Fprintf(&b, "**%d modules, %d tests (subtests and examples are counted too): %d agree, %d of them skip; %d differ, of which %d are too slow.**\n\n",
		len(rows), all.tests, all.agree, all.skip, len(all.diffs), all.slow)
	fmt.Fprintln(&b, "| module | tests | agree | differ | too slow | seconds natively | in the machine |\n| --- | --- | --- | --- | --- | --- | --- |")
	for _, r := range rows {
		short := ""
		if r.short {
			short = " (-short)"
		}
		fmt.Fprintf(&b, "| %v%s | %d | %d | %d | %d | %.0f | %.0f |\n", r.module, short, r.tests, r.agree, len(r.diffs)-r.slow, r.slow, r.seconds[0], r.seconds[1])
	}
	fmt.Fprintf(&b, "\n## Differences\n\n")
	for _, r := range rows {
		for _, g := range group(r.diffs) {
			fmt.Fprintln(&b, g)
		}
	}
	return b.String(), errs
}

const intro = `
Each package's tests are run three times by ` + "`go test`" + ` and once by ` + "`heddle test -once`" + `, in a copy of the module, and compared
test by test: the result, and what was printed where it was the same all three times (times, durations, ports, addresses,
names in /tmp and arguments in tracebacks left out). A test that does not do the same each time natively may do any of it. A
test that ends the run of its package in the machine is left out when the others are run again. A test that uses 90 seconds
of the processor without a word, or 20 minutes by the clock, is too slow, which is no agreement.
`

// group returns an item of a list for each reason and kind of difference.
func group(diffs []difference) (items []string) {
	for i, d := range diffs {
		if d.why == nil {
			items = append(items, fmt.Sprintf("- %s %s: %s natively, %s in the machine: %s **Not explained.**", d.pkg, d.test, d.native, d.there, d.detail))
			continue
		}
		same := func(e difference) bool { return e.why == d.why && e.pkg == d.pkg && e.there == d.there }
		if slices.ContainsFunc(diffs[:i], same) {
			continue
		}
		n := 0
		for _, e := range diffs[i:] {
			if same(e) {
				n++
			}
		}
		also := ""
		if n > 1 {
			also = fmt.Sprintf(" and %d more", n-1)
		}
		limit := ""
		if d.why.limit != "" {
			limit = fmt.Sprintf(" (docs/LIMITS.md: %q)", d.why.limit)
		}
		items = append(items, fmt.Sprintf("- %s %s%s: %s natively, %s in the machine: %s%s", d.pkg, d.test, also, d.native, d.there, d.why.why, limit))
	}
	return items
}

// words is text with single blanks.
func words(s string) string { return strings.Join(strings.Fields(s), " ") }
