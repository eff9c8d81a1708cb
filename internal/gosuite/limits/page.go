package main

import (
	"fmt"
	"strings"
	"time"
)

// report makes the page, and counts what is wrong.
func report(s *settings, runs []*run, commit string) (string, int) {
	var b strings.Builder
	fmt.Fprintf(&b, "# Limits are limits\n\nMade by `make limits` with %s. Programs and models that are made to be slow (internal/gosuite/limits) are checked with\n", commit)
	fmt.Fprintf(&b, "`-timeout %v`, with `-mem %d` (and a time limit of 8 s), and interrupted at random moments, in all orders of searching. The answer has\nto come within %v, the process has to take at most %.0f %% of its limit, and nothing may be *verified* that is not.\n", s.timeout, s.mem, answer, tolerance*100)
	again := 0
	for _, r := range runs {
		again += max(r.tries-1, 0)
	}
	fmt.Fprintf(&b, "Times are those of the clock, of a machine that may do other things besides: what is late is run again, up to twice, which was done %d times.\n\n", again)
	fmt.Fprintf(&b, "| what | runs | exit code 0 / 1 / 3 | answer after, median | longest | memory, median | most | wrong |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n")
	total := 0
	var details []string
	for _, what := range []string{"timeout", "mem", "interrupt"} {
		for _, model := range []bool{false, true} {
			var late, peak []int64
			var codes [4]int
			wrong, n := 0, 0
			for _, r := range runs {
				if r.what != what || r.of.model != model {
					continue
				}
				n++
				late, peak = append(late, int64(r.late)), append(peak, r.peak)
				if r.code >= 0 && r.code < 4 {
					codes[r.code]++
				}
				if text := r.wrong(s.mem); text != "" {
					wrong++
					details = append(details, fmt.Sprintf("- %s, %s %s: %s", r.of.name, what, strings.Join(r.flags, " "), text))
				}
			}
			if n == 0 {
				continue
			}
			total += wrong
			kind := "programs"
			if model {
				kind = "models"
			}
			fmt.Fprintf(&b, "| %s, %s | %d | %d / %d / %d | %s | %s | %d MB | %d MB | %d |\n", what, kind, n, codes[0], codes[1], codes[3],
				seconds(what, middle(late)), seconds(what, most(late)), middle(peak)/1e6, most(peak)/1e6, wrong)
		}
	}
	if len(details) > 0 {
		fmt.Fprintf(&b, "\n## Wrong\n\n%s\n", strings.Join(details, "\n"))
	}
	fmt.Fprintf(&b, "\nExit code 0 after an interrupt is a search that was over before it. Those of programs that end in code 1 have found their panic before the limit.\n")
	return b.String(), total
}

func seconds(what string, ns int64) string {
	if what == "mem" {
		return ""
	}
	return fmt.Sprintf("%.2f s", max(time.Duration(ns).Seconds(), 0))
}
