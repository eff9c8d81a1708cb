package main

import (
	"fmt"
	"strings"
)

// A Summary counts results.
type Summary struct {
	Programs, Both, Neither int
	Missed                  []uint64 // a race natively only
	Alone                   []uint64 // a race in Heddle only
	Open                    []uint64 // searches that came to no end without a race
}

// Add adds results.
func (s *Summary) Add(list []Result) {
	for _, r := range list {
		s.Programs++
		switch {
		case r.Native && r.Heddle:
			s.Both++
		case r.Native:
			s.Missed = append(s.Missed, r.Seed)
		case r.Heddle:
			s.Alone = append(s.Alone, r.Seed)
		default:
			s.Neither++
		}
		if !r.Heddle && !strings.HasPrefix(r.Got, "verified") {
			s.Open = append(s.Open, r.Seed)
		}
	}
}

func (s Summary) String() string {
	return fmt.Sprintf("%d programs: %d with a race in both, %d in neither, %d natively only %v, %d in Heddle only %v, %d neither racy nor verified %v",
		s.Programs, s.Both, s.Neither, len(s.Missed), s.Missed, len(s.Alone), s.Alone, len(s.Open), s.Open)
}

// Page is docs/results/races.md.
func (s Summary) Page(first uint64, seeds, runs int) string {
	return fmt.Sprintf(`# Random programs, here and under the race detector

Programs of package `+"`internal/gosuite/randrace`"+`: two goroutines and their parent access shared variables, most of the time for nothing.
Each was executed %d times natively, built with -race, and searched by Heddle up to the first finding. Made by

    make races

| | |
| --- | ---: |
| programs (seeds %d to %d) | %d |
| a race in both | %d |
| a race in neither | %d |
| a race natively only | %d |
| a race in Heddle only | %d |
| searches without a race that did not end in verified | %d |

Seeds of the programs with a race in Heddle only: %v. The race detector keeps the last few accesses to a word of memory and follows the
schedules that happen, so that it may miss a race; and the compiler does not tell it of `+"`clear`"+`
of a slice. A comparison of arrays or structs reads all of both here, and in Go up to the first difference (docs/LIMITS.md).
`, runs, first, first+uint64(seeds)-1, s.Programs, s.Both, s.Neither, len(s.Missed), len(s.Alone), len(s.Open), s.Alone)
}
